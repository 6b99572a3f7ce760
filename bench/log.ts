// Milliseconds per append at 1 and 16 callers, against isomorphic-git's commit in the same run. Read the ratios.
import * as fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import isomorphic from 'isomorphic-git';
import { Bench } from 'tinybench';
import { git } from '../src/git/child.js';
import { openRepository } from '../src/git/repository.js';
import { sha256Ref } from '../src/log/hash.js';
import { openWorldLog } from '../src/log/open.js';
import type { EpisodeId, InvocationDraft } from '../src/log/types.js';

const interpreter = sha256Ref('interpreter');
const who = { name: 'bench', email: 'bench@example.org' };
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** An entry of about 8 KB that shares nothing with others, without an effect. */
function draft(id: string): InvocationDraft {
  const text = sha256Ref(id).repeat(100);
  return {
    kind: 'invocation',
    surface: 'mcp',
    invocationId: `mcp:${id}`,
    episodeId: 'bench' as EpisodeId,
    skillId: 'ailang-write',
    transitionFn: interpreter,
    interpreter,
    input: Buffer.from(JSON.stringify({ path: id, text })),
    plan: Buffer.from(JSON.stringify({ plan: id })),
    output: Buffer.from(JSON.stringify({ ok: true, id })),
    effects: [],
    worktree: { tree: emptyTree as never, objects: [] },
    status: 'ok',
    detail: id,
  };
}

async function repository(): Promise<{ directory: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'world-bench-'));
  await git(['init', '-q', '.'], { cwd: directory });
  return { directory };
}

const { directory } = await repository();
const log = await openWorldLog({
  repository: await openRepository(directory),
  genesis: () => ({
    kind: 'operator',
    author: who,
    interpreter,
    act: {
      act: 'genesis',
      formatVersion: 1,
      semanticsEpoch: 1,
      toolchain: { name: 'bench', version: '1', sha256: interpreter },
      tools: {},
      time: 0,
    },
  }),
});
const other = await repository();
let count = 0;

/** What `isomorphic-git` takes for the same files. */
async function isomorphicCommit(id: string): Promise<void> {
  const { input, plan, output } = draft(id);
  const tree = await Promise.all(
    Object.entries({ 'input.json': input, 'output.json': output, 'plan.json': plan }).map(async ([path, blob]) => ({
      mode: '100644',
      path,
      type: 'blob' as const,
      oid: await isomorphic.writeBlob({ fs, dir: other.directory, blob }),
    })),
  );
  await isomorphic.commit({
    fs,
    dir: other.directory,
    ref: 'refs/world/log',
    tree: await isomorphic.writeTree({ fs, dir: other.directory, tree }),
    message: id,
    author: who,
  });
}

const callers = 16;
const bench = new Bench({ time: 1500, warmupTime: 200 });
bench
  .add('isomorphic-git commit, 1 caller', () => isomorphicCommit(`i${count++}`))
  .add('append, 1 caller', async () => {
    await log.append(draft(`a${count++}`));
  })
  .add(`append, ${callers} callers`, async () => {
    await Promise.all(Array.from({ length: callers }, () => log.append(draft(`b${count++}`))));
  });
await bench.run();
await log.close();

const milliseconds = (index: number): number => {
  const result = bench.tasks[index]?.result;
  if (result === undefined || !('latency' in result)) throw new Error('a benchmark did not complete');
  return result.latency.mean;
};
const [theirs, one, many] = [milliseconds(0), milliseconds(1), milliseconds(2) / callers];
const report = {
  msPerEntry: { isomorphicGit: theirs, oneCaller: one, sixteenCallers: many },
  timesFaster: { oneCaller: theirs / one, sixteenCallers: theirs / many },
  groupCommit: one / many,
};
if (process.argv.includes('--json')) console.log(JSON.stringify(report));
else {
  console.log(`isomorphic-git commit   ${theirs.toFixed(2)} ms (not synced)`);
  console.log(`append, 1 caller        ${one.toFixed(2)} ms  ${report.timesFaster.oneCaller.toFixed(1)} x (synced)`);
  console.log(
    `append, 16 callers      ${many.toFixed(2)} ms  ${report.timesFaster.sixteenCallers.toFixed(1)} x (synced)`,
  );
}
await rm(directory, { recursive: true, force: true });
await rm(other.directory, { recursive: true, force: true });
