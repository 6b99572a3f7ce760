import assert from 'node:assert/strict';
import { test } from 'node:test';
import { followLines } from '../../../src/provenance/files/follow-lines.js';
import { commandLine } from '../../cli/command-line.js';
import { makeWorld, put } from '../verify/world.js';
import { assertBlameAgrees } from './generated-histories.js';

test('blame agrees with a brute-force replay on 30 generated histories', (t) => assertBlameAgrees(t, 30));

test('a block that moves keeps its labels, as a whole; a closing brace elsewhere is not a moved one', () => {
  const block = ['f {\n', ' 1\n', '}\n'];
  const rest = ['mid\n', 'low\n', 'more\n', 'still\n'];
  const old = ['top\n', ...block, ...rest, 'end\n'];
  const labels = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  assert.deepEqual(followLines(old, labels, ['top\n', ...rest, ...block, 'end\n'], 0), [1, 5, 6, 7, 8, 2, 3, 4, 9]);
  const made = ['g {\n', ' 7\n', '}\n'];
  assert.deepEqual(followLines(old, labels, ['top\n', ...rest, ...made, 'end\n'], 0), [1, 5, 6, 7, 8, 0, 0, 0, 9]);
});

test('a line that moves keeps its label, one that comes back does not, and blank lines never move', () => {
  const [old, labels] = [
    ['a', '\n', 'b', 'c'],
    [1, 2, 3, 4],
  ];
  assert.deepEqual(followLines(old, labels, ['c', 'a', '\n', 'b'], 9), [4, 1, 2, 3]);
  assert.deepEqual(followLines(old, labels, ['b', 'new', 'c', 'a'], 9), [3, 9, 4, 1]);
  assert.deepEqual(followLines(['x', 'a'], [1, 2], ['a', 'a'], 9), [9, 2]);
  assert.deepEqual(followLines(['\n', 'a', 'b'], [1, 2, 3], ['a', 'b', '\n'], 9), [2, 3, 9]);
});

async function workedOn(t: Parameters<typeof makeWorld>[0]) {
  const world = await makeWorld(t, { files: { 'a.txt': 'one\ntwo\nthree\n', 'bin.dat': Buffer.from([0, 1, 2]) } });
  await world.open('ep1');
  await world.call('ailang-edit', { path: 'a.txt', old_text: 'two\n', new_text: 'two and\ta half\n' });
  put(world.worktree, { 'a.txt': 'one\ntwo and\ta half\nthree\nfour\n' });
  await world.call('ailang-read', { path: 'a.txt' });
  await world.world.log.flush();
  const blame = (...args: string[]) => commandLine(['blame', ...args, '--repo', world.repository]);
  return { world, blame };
}

test('blame names base, the call and drift, each with its line', async (t) => {
  const { world, blame } = await workedOn(t);
  const { stdout, code } = await blame('./a.txt', '--json');
  assert.equal(code, 0);
  const { episode, lines } = JSON.parse(stdout) as { episode: string; lines: Record<string, unknown>[] };
  assert.equal(episode, 'ep1');
  const edit = lines[1]?.entry as number;
  const facts = lines.map(({ line, by, entry, tool, text }) => [line, by, entry, tool, text]);
  assert.deepEqual(facts, [
    [1, 'base', null, null, 'one'],
    [2, 'call', edit, 'ailang-edit', 'two and\ta half'],
    [3, 'base', null, null, 'three'],
    [4, 'drift', edit + 1, null, 'four'],
  ]);
  const text = (await blame('a.txt')).stdout.split('\n');
  assert.match(
    text[1] ?? '',
    new RegExp(`^#${edit} ailang-edit +\\(ep1 \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d 2\\) two and\ta half$`),
  );
  assert.match(text[3] ?? '', new RegExp(`^#${edit + 1} drift +\\(ep1 .* 4\\) four$`));
  const porcelain = (await blame('a.txt', '--porcelain')).stdout;
  assert.match(
    porcelain,
    new RegExp(`^${edit} 2\nby call\ntool ailang-edit\ntime \\d+\nepisode ep1\n\ttwo and\ta half\n`, 'm'),
  );
  assert.match(porcelain, /^- 1\nby base\nepisode ep1\n\tone\n/);
  const before = JSON.parse((await blame('a.txt', '--entry', String(edit), '--json')).stdout);
  assert.equal(before.lines.length, 3);
  assert.equal((await commandLine(['why', 'a.txt:2', '--repo', world.repository])).code, 0);
});

test('what a file holds does not speak to the terminal; for programs it is as it is', async (t) => {
  const { world, blame } = await workedOn(t);
  await world.call('ailang-write', { path: 'a.txt', content: 'red \u001b[31m\u202e\n' });
  await world.world.log.flush();
  assert.match((await blame('a.txt')).stdout, / 1\) red \ufffd\[31m\ufffd\n$/);
  assert.match((await blame('a.txt', '--porcelain')).stdout, /\tred \u001b\[31m\u202e\n$/);
});

test('with --entry the episode is the one that had changed the file last by then', async (t) => {
  const { world, blame } = await workedOn(t);
  const then = world.world.log.head.index;
  await world.open('ep2');
  await world.call('ailang-write', { path: 'a.txt', content: 'all new\n' });
  await world.world.log.flush();
  const episode = async (...args: string[]) => JSON.parse((await blame('a.txt', '--json', ...args)).stdout).episode;
  assert.equal(await episode(), 'ep2');
  assert.equal(await episode('--entry', String(then)), 'ep1');
  assert.match((await blame('a.txt', '--entry', '0')).stderr, /the log has no episode then/);
});

test('what has no lines, no file or no episode is an error that says so', async (t) => {
  const { blame } = await workedOn(t);
  for (const [args, message] of [
    [['nowhere.txt'], /episode ep1 has no file nowhere\.txt/],
    [['bin.dat'], /bin\.dat has no lines: it is binary/],
    [['a.txt', '--episode', 'ep9'], /episode ep9 does not exist/],
    [['a.txt', '--json', '--porcelain'], /do not mix/],
  ] as const) {
    const { code, stderr } = await blame(...args);
    assert.match(stderr, message);
    assert.equal(code, 1);
  }
});
