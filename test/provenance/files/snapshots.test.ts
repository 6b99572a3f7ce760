import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryDirectory } from '../../cleanup.js';
import { commandLine } from '../../cli/command-line.js';
import { type Draft, Forge } from '../verify/forge.js';
import { gitIn, makeWorld, put } from '../verify/world.js';

/** Two episodes in turn, so that an entry's neighbour is often another episode's. */
async function twoEpisodes(t: TestContext) {
  const world = await makeWorld(t, { files: { 'a.txt': 'one\ntwo\n', 'keep.txt': 'keep\n' } });
  const index = () => world.world.log.head.index;
  await world.open('ep1');
  await world.call('ailang-write', { path: 'a.txt', content: 'one\n2\n' });
  const first = index();
  await world.open('ep2');
  await world.call('ailang-write', { path: 'b.txt', content: 'b\n' });
  const second = index();
  await world.call('ailang-write', { path: '../out.txt', content: 'b\n' });
  await world.world.log.flush();
  const run = (...args: string[]) => commandLine([...args, '--repo', world.repository]);
  return { world, run, first, second };
}

test('diff shows what an entry changed in its own episode, and what changed between entries', async (t) => {
  const { run, first, second } = await twoEpisodes(t);
  const one = await run('diff', String(first));
  assert.match(one.stdout, /^diff --git a\/a\.txt b\/a\.txt\n(?:.*\n)*-two\n\+2\n$/);
  assert.equal((await run('diff', String(second), '--name-only')).stdout, 'b.txt\n');
  assert.equal((await run('diff', `${first}..${second}`, '--name-only')).stdout, 'a.txt\nb.txt\n');
  assert.equal((await run('diff', `${first}..${second}`, 'b.txt', '--name-only')).stdout, 'b.txt\n');
  assert.match((await run('diff', String(second), '--stat')).stdout, /b\.txt \| 1 \+/);
  const genesis = await run('diff', '0');
  assert.match(genesis.stderr, /entry 0 holds no files: it is genesis/);
  assert.equal(genesis.code, 1);
});

test('restore makes a new worktree with the files of an entry, and never overwrites', async (t) => {
  const { world, run, first, second } = await twoEpisodes(t);
  const into = join(temporaryDirectory(t), 'restored');
  const { code, stdout } = await run('restore', String(first), '--into', into);
  assert.deepEqual([code, stdout], [0, `${into}\n`]);
  assert.equal(readFileSync(join(into, 'a.txt'), 'utf8'), 'one\n2\n');
  assert.equal(world.git('-C', into, 'status', '--porcelain'), 'M  a.txt\n');
  const again = await run('restore', String(second), '--into', into);
  assert.match(again.stderr, /exists; a restore never overwrites/);
  assert.equal(readFileSync(join(into, 'a.txt'), 'utf8'), 'one\n2\n');
  const part = join(temporaryDirectory(t), 'part');
  assert.equal((await run('restore', String(second), 'b.txt', '--into', part)).code, 0);
  assert.equal(world.git('-C', part, 'status', '--porcelain'), 'A  b.txt\n');
  const missing = join(temporaryDirectory(t), 'missing');
  const refused = await run('restore', String(second), 'no.txt', '--into', missing);
  assert.match(refused.stderr, /no\.txt: not all of these are in that snapshot/);
  assert.equal(existsSync(missing), false);
  assert.equal(world.git('worktree', 'list').includes('missing'), false);
});

test('log list filters by episode, tool, effect, status, path and time, newest first', async (t) => {
  const { world, run, first, second } = await twoEpisodes(t);
  put(join(world.worktree, '..', 'ep1'), { 'a.txt': 'outside\n' });
  const list = async (...args: string[]): Promise<{ index: number; what: string }[]> =>
    (await run('log', 'list', '--json', ...args)).stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const all = await list();
  assert.deepEqual(
    all.map(({ index }) => index),
    [...all.keys()].reverse(),
  );
  assert.deepEqual(
    (await list('--reverse', '--limit', '2')).map(({ index }) => index),
    [0, 1],
  );
  assert.deepEqual(
    (await list('--tool', 'ailang-write', '--episode', 'ep1')).map(({ index }) => index),
    [first],
  );
  assert.deepEqual(
    (await list('--effect', 'Workspace.Write', '--status', 'ok')).map(({ index }) => index),
    [second, first],
  );
  assert.deepEqual(
    (await list('--status', 'refused')).map(({ index }) => index),
    [second + 1],
  );
  assert.deepEqual(
    (await list('--path', 'a.txt')).map(({ index }) => index),
    [first],
  );
  assert.deepEqual(await list('--until', '2001-01-01'), []);
  assert.equal((await list('--since', '1d')).length, all.length);
  const lines = (await run('log', 'list', '--episode', 'ep2', '--tool', 'ailang-write', '--status', 'ok')).stdout;
  assert.match(
    lines,
    new RegExp(
      `^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d #${second} [0-9a-f]{8} coordinator:a2a ep2 ailang-write \\[Workspace\\.Write ok\\]\n$`,
    ),
  );
  assert.match((await run('log', 'list', '--since', 'soon')).stderr, /--since must be a time/);
});

test('log follows a file or folder through episodes that take turns, both ways, and within times', async (t) => {
  const { world, run, second } = await twoEpisodes(t);
  const ep2 = world.world.log.state.sessions().find(({ episode }) => episode === 'ep2');
  const write = async (path: string, content: string) => {
    await world.call('ailang-write', { path, content }, ep2?.credentialId);
    return world.world.log.head.index;
  };
  await world.call('ailang-write', { path: 'dir/in/c.txt', content: 'c\n' });
  const inFolder = world.world.log.head.index;
  const again = await write('b.txt', 'b\n');
  put(world.worktree, { 'dir/in/c.txt': 'changed outside\n' });
  const found = await write('keep.txt', 'kept\n');
  await world.world.log.flush();
  const list = async (...args: string[]) =>
    (await run('log', '--json', ...args)).stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  const indices = async (...args: string[]) => (await list(...args)).map(({ index }) => index);
  // Writing the same bytes again changes nothing, but names the file.
  assert.deepEqual(await indices('--path', './b.txt'), [again, second]);
  assert.deepEqual(await indices('--path', 'dir'), [found - 1, inFolder]);
  assert.deepEqual(await indices('--path', 'dir', '--reverse'), [inFolder, found - 1]);
  assert.deepEqual(await indices('--path', 'dir', '--limit', '1'), [found - 1]);
  assert.equal((await list('--path', 'dir', '--tool', 'drift'))[0]?.what, 'drift');
  assert.deepEqual(await indices('--path', 'dir', '--until', '2001-01-01'), []);
  assert.deepEqual(await indices('--path', 'nowhere'), []);
});

test('in a clone, one entry is found, shown and compared without a look at the others', async (t) => {
  const { world, second } = await twoEpisodes(t);
  await world.close();
  const id = /world=([0-9a-f]+)/.exec(await worldTrailer(world.repository))?.[1] ?? '';
  const clone = join(temporaryDirectory(t), 'clone');
  world.git('clone', '-q', world.repository, clone);
  const ref = `refs/world/logs/${id}`;
  gitIn(clone, world.repository)('fetch', '-q', 'origin', `refs/world/log:${ref}`);
  const run = (...args: string[]) => commandLine([...args, '--repo', clone]);
  const output = JSON.parse((await run('why', String(second), '--json')).stdout).links.at(-1).ref;
  assert.equal((await run('why', output)).code, 0);
  // An early record that is none: whoever reads the whole log stumbles over it.
  await Forge.rewrite(clone, { consistent: 'bytes', change: (draft) => breakRecord(draft, 1) }, ref);
  assert.match((await run('why', output)).stderr, /operator record/);
  assert.equal((await run('why', String(second))).code, 0);
  assert.equal((await run('diff', String(second), '--name-only')).stdout, 'b.txt\n');
  assert.match((await run('log', '--limit', '1', '--json')).stdout, /"ailang-write"/);
  assert.match(
    (await run('log', '--path', 'b.txt', '--limit', '1', '--json')).stdout,
    new RegExp(`"index":${second},`),
  );
  assert.equal((await run('blame', 'b.txt', '--json')).code, 0);
});

async function worldTrailer(repository: string): Promise<string> {
  return (await commandLine(['provenance', '--repo', repository])).stdout;
}

function breakRecord(draft: Draft, index: number): undefined {
  if (draft.index === index) draft.files.set('operator.json', Buffer.from('{"act":"episode-open"}'));
}

test('why finds an entry by its commit, by a commit that names it, by a file and by a line; in a clone, too', async (t) => {
  const { world, run, first } = await twoEpisodes(t);
  const why = async (target: string) =>
    JSON.parse((await run('why', target, '--json')).stdout) as { entry: number; ok: boolean };
  const commit = world.git('rev-parse', `refs/world/log~${world.world.log.head.index - first}`).trim();
  const trailer = await world.trailer('ep1');
  world.git('commit', '-q', '--allow-empty', '-m', `Work\n\n${trailer}`);
  const head = world.git('rev-parse', 'HEAD').trim();
  for (const target of [commit, head, 'a.txt', 'a.txt:2'])
    assert.deepEqual([(await why(target)).entry, (await why(target)).ok], [first, true], target);
  await world.open('ep3');
  await world.call('ailang-write', { path: 'LICENSE', content: 'free\n' });
  await world.world.log.flush();
  for (const target of ['LICENSE', './LICENSE:1'])
    assert.equal((await why(target)).entry, world.world.log.head.index, target);
  assert.match((await run('why', 'NOTICE')).stderr, /no entry of the log changed NOTICE/);
  const base = await run('why', 'a.txt:1');
  assert.match(base.stderr, /line 1 of a\.txt was there when episode ep1 began/);
  assert.equal(base.code, 1);
  const clone = join(temporaryDirectory(t), 'clone');
  world.git('clone', '-q', world.repository, clone);
  const id = /world=([0-9a-f]+)/.exec(trailer)?.[1];
  gitIn(clone, world.repository)('fetch', '-q', 'origin', `refs/world/log:refs/world/logs/${id}`);
  assert.equal((await commandLine(['why', 'a.txt:2', '--repo', clone])).code, 0);
});
