import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createBroker } from '../../src/broker/broker.js';
import { createTimers } from '../../src/broker/timers.js';
import { episodeRegistry, openEpisode } from '../../src/episode/episodes.js';
import { DENY_LIST } from '../../src/episode/policy.js';
import { createWorktree } from '../../src/episode/worktree.js';
import { openRepository } from '../../src/git/repository.js';
import type { ObjectFormat } from '../../src/git/types.js';
import { createInvoker } from '../../src/invocation/invoker.js';
import { loadTools, toolsAct } from '../../src/invocation/transitions.js';
import type { Call } from '../../src/invocation/types.js';
import { openWorldLog } from '../../src/log/open.js';
import type { JsonObject, OperatorAct } from '../../src/log/types.js';
import { EPISODE, grant, ScriptedToolchain } from '../broker/doubles.js';
import { atEnd, temporaryDirectory } from '../cleanup.js';
import { makeRepository, runGit } from '../episode/repositories.js';
import { EVERY_GRANT, sessionWith } from './setup.js';

const PERSON = { name: 'Op', email: 'op@example.org' };

/** A repository, its log, one open episode and an invoker: everything real but the toolchain. */
async function world(t: TestContext, format: ObjectFormat) {
  const directory = temporaryDirectory(t);
  const path = join(directory, 'repo');
  mkdirSync(path);
  makeRepository(path, format);
  writeFileSync(join(path, 'data.txt'), 'hello from ep1\n');
  runGit(path, ['add', '-A']);
  runGit(path, ['commit', '-qm', 'one']);
  const repository = await openRepository(path);
  const toolchain = new ScriptedToolchain();
  const tools = await loadTools();
  const time = Math.floor(Date.now() / 1000);
  const operator = (act: OperatorAct) => ({
    kind: 'operator' as const,
    act,
    author: PERSON,
    interpreter: toolchain.identity.ref,
  });
  const parts = toolsAct(tools, toolchain.identity);
  const log = await openWorldLog({
    repository,
    genesis: () => ({
      ...operator({
        act: 'genesis',
        formatVersion: 1,
        semanticsEpoch: 1,
        toolchain: parts.toolchain,
        tools: parts.tools,
        time,
      }),
      files: parts.files,
    }),
  });
  atEnd(t, () => log.close());
  const request = {
    repository,
    episode: EPISODE,
    workspaceRoot: join(directory, 'episodes'),
    stateDir: join(directory, 'state'),
    toolchain,
    allowance: { caps: [], net: [], netHttp: false },
    recordedTree: null,
    now: Date.now,
  };
  const { root, baseCommit } = await createWorktree(request);
  const worktree = await openEpisode(request);
  const snapshot = await worktree.snapshot();
  const { digest: policy } = worktree.policy;
  const open = { act: 'episode-open', episode: EPISODE, baseCommit, policy, denyList: DENY_LIST, time } as const;
  await log.append({ ...operator(open), worktree: snapshot });
  worktree.persisted(snapshot);
  const timers = createTimers();
  const invoker = createInvoker({
    log,
    tools,
    broker: createBroker({ log, toolchain, examples: false, timers, report: () => undefined }),
    episodes: episodeRegistry(async () => worktree),
    interpreter: toolchain.identity.ref,
    daemon: PERSON,
    now: Date.now,
    timers,
  });
  toolchain.answer = async ({ op, path: file, content }) => {
    if (op === 'write') writeFileSync(join(root, String(file)), String(content));
    if (op === 'read') return { ok: true, content: readFileSync(join(root, String(file)), 'utf8') };
    return { ok: true };
  };
  let calls = 0;
  const call = (tool: string, args: JsonObject, extra: Partial<Call> = {}): Call => {
    calls += 1;
    return { surface: 'mcp', session: sessionWith(EVERY_GRANT), taskId: `t${calls}`, tool, args, ...extra };
  };
  return { path, root, log, invoker, toolchain, call };
}

for (const format of ['sha1', 'sha256'] as const) {
  test(`${format}: git alone reads what each call was given, answered and left behind`, async (t) => {
    const { path, root, log, invoker, call } = await world(t, format);
    const wrote = await invoker.invoke(call('ailang-write', { path: 'notes.txt', content: 'first\n' }));
    const read = await invoker.invoke(call('ailang-read', { path: 'data.txt' }));
    const refused = await invoker.invoke(call('ailang-read', { path: '../x' }));
    appendFileSync(join(root, 'notes.txt'), 'by hand\n');
    await invoker.invoke(call('ailang-read', { path: 'notes.txt' }));
    await log.flush();
    const show = (what: string) => runGit(path, ['show', what]);
    assert.equal(show(`${read.entry.commit}:output.json`), read.outputBytes.toString());
    assert.equal(show(`${wrote.entry.commit}:worktree/notes.txt`), 'first');
    assert.equal(show(`${refused.entry.commit}:worktree/notes.txt`), 'first');
    assert.equal(show('refs/world/log:worktree/notes.txt'), 'first\nby hand');
    assert.match(show('refs/world/log~1:operator.json'), /"act":"drift"/);
    assert.equal(show(`${read.entry.commit}:plan.json`).length, 180);
    runGit(path, ['fsck', '--strict']);
  });
}

test('20 calls at once on a budget of 1: one ok, 19 denied, 20 entries', async (t) => {
  const { log, invoker, toolchain, call } = await world(t, 'sha1');
  const before = log.head.index;
  const session = sessionWith([grant('Workspace.Write', 1)]);
  const write = () => call('ailang-write', { path: 'a', content: 'x' }, { session });
  const done = await Promise.all(Array.from({ length: 20 }, () => invoker.invoke(write())));
  assert.equal(done.filter(({ output }) => output.ok === true).length, 1);
  assert.equal(toolchain.requests.length, 1);
  assert.equal(log.head.index - before, 20);
  assert.equal(log.state.spent(EPISODE, 'Workspace.Write', 'worktree'), 1);
});

test('a resent task id is answered from the log with the same bytes', async (t) => {
  const { log, invoker, toolchain, call } = await world(t, 'sha1');
  const once = call('ailang-write', { path: 'a', content: 'x' });
  const first = await invoker.invoke(once);
  const atOnce = await invoker.invoke(once);
  await log.flush();
  const fromGit = await invoker.invoke(once);
  for (const again of [atOnce, fromGit]) {
    assert.ok(again.reconciled && again.outputBytes.equals(first.outputBytes));
    assert.deepEqual(again.entry, first.entry);
  }
  assert.equal(toolchain.requests.length, 1);
});
