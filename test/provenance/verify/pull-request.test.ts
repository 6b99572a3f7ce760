import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { PathVerdict } from '../../../src/provenance/verify/judge-path.js';
import { levelOf, makeWorld, put, type TestWorld, verifyIn, WRITER } from './world.js';

const LONG = Array.from({ length: 12 }, (_, n) => `line ${n + 1}\n`).join('');
const FILES = { 'a.txt': LONG, 'b.txt': 'b one\nb two\n', 'writer.ail': WRITER, 'keep/old.txt': 'old\n' };

/** Two edits, a new file and a program's file, made by calls and taken over into a branch as its author likes. */
async function agentWork(t: TestContext, options: Parameters<typeof makeWorld>[1] = {}): Promise<TestWorld> {
  const world = await makeWorld(t, { files: FILES, ...options });
  await world.open('ep1');
  await world.call('ailang-edit', { path: 'a.txt', old_text: 'line 3\n', new_text: 'line three\nand a half\n' });
  await world.call('ailang-edit', { path: 'a.txt', old_text: 'line 10\n', new_text: 'line ten\n' });
  await world.call('ailang-write', { path: 'new.txt', content: 'new one\nnew two\n' });
  assert.equal((await world.call('ailang-run', { path: 'writer.ail' })).exit_code, 0);
  world.git('checkout', '-q', '-b', 'work');
  return world;
}

/** Puts the episode's files into the branch and commits them with the trailer. */
async function takeOver(
  world: TestWorld,
  paths: readonly string[] = ['a.txt', 'new.txt', 'made.txt'],
  message = 'Work',
): Promise<void> {
  const tree = /tree=([0-9a-f]+)/.exec(await world.trailer())?.[1] ?? '';
  world.git('checkout', tree, '--', ...paths);
  await commit(world, message);
}

async function commit(world: TestWorld, message: string, ...more: string[]): Promise<void> {
  world.git('add', '-A');
  world.git('commit', '-q', '--allow-empty', ...more, '-m', `${message}\n\n${await world.trailer()}`);
}

async function judge(world: TestWorld, pr = 'main..work') {
  await world.world.log.flush();
  const verdict = await verifyIn(world.repository, { pr });
  const paths = new Map<string, PathVerdict>(
    (verdict.pullRequest?.coverage.paths ?? []).map((path) => [path.path, path]),
  );
  return { verdict, paths, report: levelOf(verdict, 'pr'), coverage: verdict.pullRequest?.coverage };
}

/** What is done to the branch after the honest commit; it stays proven, or names what is not. */
type Cell = {
  readonly do: (world: TestWorld) => void | Promise<void>;
  readonly options?: Parameters<typeof makeWorld>[1];
  readonly bad?: Readonly<Record<string, RegExp>>;
  readonly pr?: string;
};

const other = (world: TestWorld, files: Record<string, string>): void => {
  world.git('checkout', '-q', 'main');
  put(world.repository, files);
  world.git('add', '-A');
  world.git('commit', '-q', '-m', 'Of someone else');
  world.git('checkout', '-q', 'work');
};

const CELLS: Readonly<Record<string, Cell>> = {
  'as committed': { do: (world) => takeOver(world) },
  'in a SHA-256 repository': { do: (world) => takeOver(world), options: { format: 'sha256' } },
  amended: {
    do: async (world) => {
      await takeOver(world);
      world.git('commit', '-q', '--amend', '-m', `Other words\n\n${await world.trailer()}`);
    },
  },
  squashed: {
    do: async (world) => {
      await takeOver(world, ['a.txt'], 'First');
      await takeOver(world, ['new.txt', 'made.txt'], 'Second');
      world.git('checkout', '-q', '-b', 'squashed', 'main');
      world.git('merge', '-q', '--squash', 'work');
      world.git('commit', '-q', '--no-edit');
    },
    pr: 'main..squashed',
  },
  rebased: {
    do: async (world) => {
      await takeOver(world);
      other(world, { 'c.txt': 'c\n' });
      world.git('rebase', '-q', 'main');
    },
  },
  'merged with other people’s work in the same file': {
    do: async (world) => {
      await takeOver(world);
      other(world, { 'a.txt': LONG.replace('line 6\n', 'line six of someone else\n') });
      world.git('merge', '-q', '--no-edit', 'main');
    },
  },
  'behind a base that went on': {
    do: async (world) => {
      await takeOver(world);
      other(world, { 'a.txt': LONG.replace('line 6\n', 'line six of someone else\n') });
    },
  },
  'committed in part': { do: (world) => takeOver(world, ['a.txt']) },
  'committed in part of a file': {
    do: async (world) => {
      put(world.repository, { 'a.txt': LONG.replace('line 10\n', 'line ten\n') });
      await commit(world, 'Half');
    },
  },
  'cherry-picked': {
    do: async (world) => {
      await takeOver(world);
      world.git('checkout', '-q', '-b', 'picked', 'main');
      world.git('cherry-pick', 'work');
    },
    pr: 'main..picked',
  },
  reverted: {
    do: async (world) => {
      await takeOver(world);
      world.git('revert', '--no-edit', 'HEAD');
    },
  },
  'with line ends that git converts': {
    do: (world) => {
      put(world.repository, { 'crlf.txt': 'one\r\ntwo\r\n' });
      return takeOver(world, ['a.txt', 'new.txt']);
    },
    options: { prepare: (git) => git('config', 'core.autocrlf', 'input') },
    bad: { 'crlf.txt': /lines 1 to 2 not made through World/ },
  },
  'with a smuggled line': {
    do: async (world) => {
      await takeOver(world, ['a.txt', 'new.txt']);
      put(world.repository, { 'new.txt': 'new one\nsmuggled\nnew two\n' });
      await commit(world, 'Small');
    },
    bad: { 'new.txt': /^line 2 not made through World/ },
  },
  'with a line changed in a file no call touched': {
    do: async (world) => {
      await takeOver(world);
      put(world.repository, { 'b.txt': 'b one\nb 2\n' });
      await commit(world, 'Small');
    },
    bad: { 'b.txt': /^line 2 not made through World/ },
  },
  'with a line removed by hand': {
    do: async (world) => {
      await takeOver(world);
      put(world.repository, { 'b.txt': 'b one\n' });
      await commit(world, 'Small');
    },
    bad: { 'b.txt': /1 line\(s\) of the base removed/ },
  },
  'with a mode changed': {
    do: async (world) => {
      await takeOver(world);
      chmodSync(join(world.repository, 'new.txt'), 0o755);
      await commit(world, 'Mode');
    },
    bad: { 'new.txt': /mode was changed from 100644 to 100755/ },
  },
  'with a file renamed by hand': {
    do: async (world) => {
      await takeOver(world);
      renameSync(join(world.repository, 'a.txt'), join(world.repository, 'z.txt'));
      await commit(world, 'Rename');
    },
    bad: { 'a.txt': /the file was removed outside World/, 'z.txt': /renamed from a\.txt outside World/ },
  },
  'with a file deleted by hand': {
    do: async (world) => {
      await takeOver(world);
      rmSync(join(world.repository, 'b.txt'));
      await commit(world, 'Delete');
    },
    bad: { 'b.txt': /the file was removed outside World/ },
  },
  'with a binary file added by hand': {
    do: async (world) => {
      await takeOver(world);
      put(world.repository, { 'x.bin': Buffer.from([0, 1, 2, 255]) as never });
      await commit(world, 'Binary');
    },
    bad: { 'x.bin': /binary: its content is not what any recorded call left behind/ },
  },
  'with a link added by hand': {
    do: async (world) => {
      await takeOver(world);
      symlinkSync('/etc/passwd', join(world.repository, 'link'));
      await commit(world, 'Link');
    },
    bad: { link: /a link: its content is not/ },
  },
  'with a submodule added by hand': {
    do: async (world) => {
      await takeOver(world);
      const head = world.git('rev-parse', 'HEAD').trim();
      world.git('update-index', '--add', '--cacheinfo', `160000,${head},sub`);
      world.git('commit', '-q', '-m', `Sub\n\n${await world.trailer()}`);
    },
    bad: { sub: /a submodule: its content is not/ },
  },
  'with line ends changed by hand': {
    do: async (world) => {
      await takeOver(world);
      put(world.repository, { 'new.txt': 'new one\r\nnew two\r\n' });
      await commit(world, 'Ends');
    },
    bad: { 'new.txt': /lines 1 to 2 not made through World/ },
  },
  'with lines put in another order': {
    do: async (world) => {
      await takeOver(world);
      put(world.repository, { 'new.txt': 'new two\nnew one\n' });
      await commit(world, 'Order');
    },
    bad: { 'new.txt': /not made through World/ },
  },
  'with drift in the worktree': {
    do: async (world) => {
      put(world.worktree, { 'new.txt': 'new one\nby hand\nnew two\n' });
      await world.call('ailang-read', { path: 'new.txt' });
      await takeOver(world);
    },
    bad: { 'new.txt': /^line 2 not made through World/ },
  },
  'dropping lines that others added to the base': {
    do: async (world) => {
      await takeOver(world);
      other(world, { 'a.txt': `${LONG}of someone else\n` });
      world.git('merge', '-q', '--no-edit', '-X', 'ours', 'main');
      const tree = /tree=([0-9a-f]+)/.exec(await world.trailer())?.[1] ?? '';
      world.git('checkout', tree, '--', 'a.txt');
      await commit(world, 'Mine is better');
    },
    bad: { 'a.txt': /1 line\(s\) of the base removed/ },
  },
};

for (const [name, cell] of Object.entries(CELLS)) {
  test(`a pull request ${name} is ${cell.bad === undefined ? 'proven' : 'not proven, and said where'}`, async (t) => {
    const world = await agentWork(t, cell.options);
    await cell.do(world);
    const { verdict, report, coverage } = await judge(world, cell.pr);
    const said = report.findings.map((finding) => `${finding.where}: ${finding.what}`);
    assert.deepEqual(
      [...new Set(report.findings.map((finding) => finding.file))].sort(),
      Object.keys(cell.bad ?? {}).sort(),
      said.join('\n'),
    );
    for (const [file, pattern] of Object.entries(cell.bad ?? {}))
      assert.ok(
        report.findings.some((finding) => finding.file === file && pattern.test(finding.what)),
        said.join('\n'),
      );
    assert.equal(verdict.ok, cell.bad === undefined, said.join('\n'));
    assert.equal(coverage?.percent === 100, cell.bad === undefined);
  });
}

test('lines of the base, of calls and of drift are told apart', async (t) => {
  const world = await agentWork(t);
  put(world.worktree, {
    'a.txt': LONG.replace('line 3\n', 'line three\nand a half\n').replace('line 10\n', 'line ten\nby hand\n'),
  });
  await world.call('ailang-read', { path: 'a.txt' });
  await takeOver(world);
  const { paths } = await judge(world);
  const { changed, proven, ranges } = paths.get('a.txt') ?? assert.fail();
  assert.deepEqual(ranges, [{ lines: { first: 12, last: 12 }, why: 'drift' }]);
  assert.deepEqual([changed, proven], [6, 5]);
});

test('files that a program of an episode removed or linked are proven as they are', async (t) => {
  const world = await agentWork(t);
  const { trees } = { trees: world };
  mkdirSync(join(trees.worktree, 'empty'), { recursive: true });
  await takeOver(world);
  const { paths } = await judge(world);
  assert.equal(paths.get('made.txt')?.how, 'snapshot');
});

test('two episodes in one pull request, each by its own trailer', async (t) => {
  const world = await agentWork(t);
  await takeOver(world);
  const first = await world.trailer('ep1');
  await world.open('ep2');
  await world.call('ailang-write', { path: 'second.txt', content: 'second\n' });
  const tree = /tree=([0-9a-f]+)/.exec(await world.trailer('ep2'))?.[1] ?? '';
  world.git('checkout', tree, '--', 'second.txt');
  world.git('commit', '-q', '-m', `Second\n\n${await world.trailer('ep2')}`);
  assert.equal((await judge(world)).verdict.ok, true);
  assert.match(first, /episode=ep1/);
});

const TRAILERS: readonly (readonly [string, (trailer: string) => string, RegExp])[] = [
  ['without a trailer', () => '', /there is no World-Provenance trailer/],
  ['of another world', (text) => text.replace(/world=..../, 'world=0000'), /the log of world .* is not here/],
  ['of another episode', (text) => text.replace('episode=ep1', 'episode=ep9'), /wrong about the episode/],
  [
    'of entries beyond the log',
    (text) => text.replace(/entries=(\d+)-\d+/, 'entries=$1-999'),
    /wrong about the episode of entry 999/,
  ],
  [
    'of an earlier last entry',
    (text) => text.replace(/entries=(\d+)-\d+/, 'entries=$1-$1'),
    /wrong about the hash of entry/,
  ],
  ['with another head', (text) => text.replace(/head=sha256:../, 'head=sha256:00'), /wrong about the hash of entry/],
  ['with another tree', (text) => text.replace(/tree=.{4}/, 'tree=0000'), /wrong about the tree of entry/],
  ['with a key twice', (text) => `${text} episode=ep1`, /its trailer is malformed/],
  ['with a key missing', (text) => text.replace(/ tree=.*/, ''), /its trailer is malformed/],
];

test('a trailer that was changed is found, and proves nothing', async (t) => {
  const world = await agentWork(t);
  await takeOver(world);
  const trailer = await world.trailer();
  for (const [name, change, pattern] of TRAILERS) {
    world.git('commit', '-q', '--amend', '-m', `Work\n\n${change(trailer)}`);
    const { report, verdict } = await judge(world);
    assert.equal(verdict.ok, false, name);
    assert.match(report.findings[0]?.what ?? '', pattern, name);
    assert.equal(report.counts['proven paths'], undefined, name);
  }
});

test('a trailer in the body of the pull request counts, quoted and with other line ends', async (t) => {
  const world = await agentWork(t);
  await takeOver(world);
  world.git('commit', '-q', '--amend', '-m', 'No trailer');
  const text = `Fixes it.\r\n\r\n> ${await world.trailer()}\r\n\r\nSent from somewhere\r\n`;
  const verdict = await verifyIn(world.repository, { pr: 'main..work', texts: [{ from: 'body', text }] });
  assert.equal(verdict.ok, true);
});

test('with line ends that git converts, what calls wrote is proven up to them', async (t) => {
  const world = await makeWorld(t, { files: { 'a.txt': 'one\ntwo\n' } });
  world.git('config', 'core.autocrlf', 'true');
  await world.open('ep1');
  await world.call('ailang-write', { path: 'crlf.txt', content: 'x\r\ny\r\n' });
  world.git('checkout', '-q', '-b', 'work');
  put(world.repository, { 'crlf.txt': 'x\r\ny\r\n' });
  await commit(world, 'Work');
  const { verdict, paths } = await judge(world);
  assert.equal(verdict.ok, true);
  assert.equal(paths.get('crlf.txt')?.how, 'line-endings');
});
