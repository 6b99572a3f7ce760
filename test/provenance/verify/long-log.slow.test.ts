import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../../src/ailang/package-root.js';
import { encodeTree, makeObject } from '../../../src/git/objects.js';
import { encodeCanonical } from '../../../src/log/canonical-json.js';
import { sha256Ref } from '../../../src/log/hash.js';
import { encodeEffectRecord } from '../../../src/log/records.js';
import { encodeRequest } from '../../../src/log/request-framing.js';
import type { EffectRecord, EpisodeId, JsonObject } from '../../../src/log/types.js';
import type { Verdict } from '../../../src/provenance/verify/verify.js';
import { gitIn, makeWorld, scratch } from './world.js';

const ENTRIES = 10_000;

test(`${ENTRIES} entries and a pull request of them are verified in a clone within 300 MB`, async (t) => {
  const world = await makeWorld(t);
  await world.open('ep1', [{ effect: 'Workspace.Write', scope: 'worktree', budget: ENTRIES }]);
  const { log } = world.world;
  const program = log.state.tools() ?? assert.fail();
  const transitionFn = (program.tools['ailang-write'] as { transitionFn: never }).transitionFn;
  const now = Math.floor(Date.now() / 1000);
  const appended: Promise<unknown>[] = [];
  const wanted = ENTRIES - log.head.index - 1;
  for (let n = 0; n < wanted; n++) {
    const payload = { content: `text ${n}\n`, op: 'write', path: 'a.txt' };
    const plan = encodeCanonical({
      effects: [{ cost: 1, effect: 'Workspace.Write', id: 'e1', payload, scope: 'worktree' }],
      finish: false,
      plan: 'world/effect-plan/v1',
      result: null,
    });
    const ask = { effect: 'Workspace.Write', scope: 'worktree', cost: 1 };
    const request = encodeRequest({ ...ask, now, payload: encodeCanonical(payload) });
    const requestRef = sha256Ref(request);
    const invocationId = `mcp:ep1:n${n}`;
    const { intent } = log.recordIntent({
      ...ask,
      invocationId,
      episodeId: 'ep1' as EpisodeId,
      requestRef,
      logicalTime: now,
    });
    const result = Buffer.from('{"ok":true}');
    const record: EffectRecord = {
      ...ask,
      budgetBefore: ENTRIES - n,
      budgetAfter: ENTRIES - n - 1,
      allowed: true,
      failed: false,
      denial: '',
      requestRef,
      resultRef: sha256Ref(result),
    };
    const effects = [{ id: 'e1', status: 'ok', record: sha256Ref(encodeEffectRecord(record)) }];
    const output = encodeCanonical({ ok: true, world: { effects, plan: sha256Ref(plan) } } as JsonObject);
    const blob = makeObject('sha1', 'blob', Buffer.from(payload.content));
    const tree = makeObject('sha1', 'tree', encodeTree('sha1', [{ mode: '100644', name: 'a.txt', oid: blob.oid }]));
    appended.push(
      log.append({
        kind: 'invocation',
        surface: 'mcp',
        invocationId,
        episodeId: 'ep1' as EpisodeId,
        skillId: 'ailang-write',
        transitionFn,
        interpreter: program.toolchain.sha256,
        input: encodeCanonical({ content: payload.content, path: payload.path }),
        plan,
        output,
        effects: [{ id: 'e1', request, result, record, intent }],
        worktree: { tree: tree.oid, objects: [blob, tree] },
        status: 'ok',
        detail: 'a.txt',
      }),
    );
    if (appended.length % 500 === 0) await appended.at(-1);
  }
  await Promise.all(appended);
  const trailer = await world.trailer();
  await world.close();
  world.git('checkout', '-q', '-b', 'work');
  world.git('checkout', /tree=(\w+)/.exec(trailer)?.[1] ?? '', '--', '.');
  world.git('commit', '-q', '-m', `Work\n\n${trailer}`);
  const base = scratch(t);
  const [origin, clone] = [join(base, 'origin.git'), join(base, 'clone')];
  world.git('init', '-q', '--bare', '-b', 'main', origin);
  const pushed = `refs/world/log:refs/world/logs/${/world=(\w+)/.exec(trailer)?.[1]}`;
  world.git('push', '-q', origin, 'main', 'work', pushed);
  world.git('clone', '-q', origin, clone);
  gitIn(clone, base)('fetch', '-q', 'origin', 'refs/world/logs/*:refs/world/logs/*');
  const script = `import { execute } from ${JSON.stringify(join(packageRoot(), 'build/src/cli/execute.js'))};
const io = { env: {}, cwd: ${JSON.stringify(clone)}, stdout: process.stdout, stderr: process.stderr, colour: false, readStdin: async () => Buffer.alloc(0) };
const code = await execute(['verify', '--pr', 'origin/main..origin/work', '--json'], io);
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
process.stderr.write(JSON.stringify({ code, rssKiB: maxRSS, cpuMs: Math.round((userCPUTime + systemCPUTime) / 1000) }));`;
  const started = Date.now();
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.diagnostic(`${Date.now() - started} ms, ${child.stderr}`);
  const used = JSON.parse(child.stderr) as { code: number; rssKiB: number };
  const verdict = JSON.parse(child.stdout) as Verdict;
  assert.equal(used.code, 0, child.stdout.slice(0, 2000));
  assert.ok((verdict.logs[0]?.entries ?? 0) >= ENTRIES);
  assert.equal(verdict.pullRequest?.coverage.percent, 100);
  assert.ok(used.rssKiB < 300 * 1024, `${used.rssKiB} KiB`);
});
