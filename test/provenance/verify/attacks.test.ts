import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import type { Verdict } from '../../../src/provenance/verify/verify.js';
import { temporaryDirectory } from '../../cleanup.js';
import { gitIn, levelOf, makeWorld, put, verifyIn } from './world.js';

const TEXT = 'alpha\nbeta\ngamma\ndelta\n';
/** Bare, packed: `work` is honest, `bad` has a smuggled line; the honest trailer is in both. */
let origin: string;
let id: string;
let trailer: string;
const hooks: (() => unknown)[] = [];

before(async () => {
  const world = await makeWorld({ after: (hook: () => unknown) => void hooks.push(hook) } as never, {
    files: { 'a.txt': TEXT, 'b.txt': 'b\n' },
  });
  await world.open('ep1');
  await world.call('ailang-edit', { path: 'a.txt', old_text: 'gamma\n', new_text: 'gamma two\n' });
  await world.call('ailang-write', { path: 'new.txt', content: 'new one\nnew two\n' });
  trailer = await world.trailer();
  id = /world=(\w+)/.exec(trailer)?.[1] ?? '';
  const tree = /tree=(\w+)/.exec(trailer)?.[1] ?? '';
  const branch = (name: string, files: Record<string, string>): void => {
    world.git('checkout', '-q', '-b', name, 'main');
    world.git('checkout', tree, '--', '.');
    put(world.repository, files);
    world.git('add', '-A');
    world.git('commit', '-q', '-m', `Work\n\n${trailer}`);
  };
  branch('work', {});
  branch('bad', { 'new.txt': 'new one\nsmuggled\nnew two\n' });
  await world.close();
  origin = join(world.repository, '..', 'origin.git');
  world.git('clone', '-q', '--bare', '.', origin);
  gitIn(origin, origin)('fetch', '-q', world.repository, `refs/world/log:refs/world/logs/${id}`);
});
after(async () => {
  for (const hook of hooks.reverse()) await hook();
});

function copyOf(t: TestContext) {
  const copy = join(temporaryDirectory(t), 'copy.git');
  cpSync(origin, copy, { recursive: true });
  return { copy, git: gitIn(copy, copy) };
}

const whats = (verdict: Verdict): string =>
  levelOf(verdict, 'pr')
    .findings.map(({ where, what, found }) => `${where}: ${what} (${found})`)
    .join('\n');

/** Writes loose bytes under an id that is not theirs, as only someone at the disk can. */
function putUnder(copy: string, oid: string, from: string): void {
  const type = execFileSync('git', ['cat-file', '-t', from], { cwd: copy, encoding: 'utf8' }).trim();
  const body = execFileSync('git', ['cat-file', type, from], { cwd: copy });
  const packs = join(copy, 'objects/pack');
  execFileSync(
    'sh',
    [
      '-c',
      `mv "${packs}"/*.pack "${copy}"/ 2>/dev/null; rm -rf "${packs}"/*; for p in "${copy}"/*.pack; do git unpack-objects -q < "$p"; rm -f "$p"; done`,
    ],
    { cwd: copy },
  );
  const file = join(copy, 'objects', oid.slice(0, 2), oid.slice(2));
  mkdirSync(join(file, '..'), { recursive: true });
  rmSync(file, { force: true });
  writeFileSync(file, deflateSync(Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body])));
}

test('both branches are judged for what they are', async (t) => {
  const { copy } = copyOf(t);
  assert.equal((await verifyIn(copy, { pr: 'main..work' })).ok, true);
  assert.equal(
    whats(await verifyIn(copy, { pr: 'main..bad' })),
    'new.txt: line 2 not made through World (in no recorded snapshot of this file)',
  );
});

type Git = ReturnType<typeof gitIn>;

/** Ways to make a reader of the repository see something else than the smuggled line. */
const HIDING: Readonly<Record<string, (copy: string, git: Git) => void>> = {
  'a graft that makes the head an ancestor of the base': (copy, git) => {
    mkdirSync(join(copy, 'info'), { recursive: true });
    writeFileSync(join(copy, 'info/grafts'), `${git('rev-parse', 'main').trim()} ${git('rev-parse', 'bad').trim()}\n`);
  },
  'a replacement of the head': (_, git) => void git('replace', 'bad', 'work'),
  'a replacement of the head’s tree': (_, git) => void git('replace', 'bad^{tree}', 'work^{tree}'),
  'a replacement of the file': (_, git) => void git('replace', 'bad:new.txt', 'work:new.txt'),
  'other bytes under the id of the head’s tree': (copy, git) =>
    putUnder(copy, git('rev-parse', 'bad^{tree}').trim(), 'main^{tree}'),
  'other bytes under the id of the file': (copy, git) =>
    putUnder(copy, git('rev-parse', 'bad:new.txt').trim(), 'work:new.txt'),
  'settings that hide paths': (_, git) => {
    for (const [key, value] of [
      ['diff.ignoreSubmodules', 'all'],
      ['diff.relative', 'true'],
      ['diff.renames', 'copies'],
      ['core.quotePath', 'true'],
    ])
      git('config', key ?? '', value ?? '');
  },
};

for (const [name, hide] of Object.entries(HIDING))
  test(`a smuggled line stays found: ${name}`, async (t) => {
    const { copy, git } = copyOf(t);
    hide(copy, git);
    const verdict = await verifyIn(copy, { pr: 'main..bad' });
    assert.equal(levelOf(verdict, 'pr').holds, false, JSON.stringify(verdict.pullRequest));
    assert.match(whats(verdict), /line 2 not made through World|not sound|cannot be compared/);
  });

test('a side whose bytes are not those of its id is no commit at all', async (t) => {
  for (const [side, from] of [
    ['bad', 'work'],
    ['main', 'bad'],
  ] as const) {
    const { copy, git } = copyOf(t);
    putUnder(copy, git('rev-parse', side).trim(), from);
    await assert.rejects(verifyIn(copy, { pr: 'main..bad' }), { code: 'not-found' });
  }
});

test('objects borrowed from another repository are judged like one’s own', async (t) => {
  const clone = join(temporaryDirectory(t), 'clone');
  const git = gitIn(join(clone, '..'), clone);
  git('clone', '-q', '--bare', '--shared', origin, clone);
  gitIn(clone, clone)('fetch', '-q', origin, 'refs/world/logs/*:refs/world/logs/*');
  assert.equal((await verifyIn(clone, { pr: 'main..work' })).ok, true);
  assert.match(whats(await verifyIn(clone, { pr: 'main..bad' })), /line 2 not made through World/);
});

test('a shallow clone is named as the reason, for the branch and for the log', async (t) => {
  const clone = join(temporaryDirectory(t), 'clone');
  gitIn(join(clone, '..'), clone)(
    'clone',
    '-q',
    '--bare',
    '--depth',
    '1',
    '--no-single-branch',
    `file://${origin}`,
    clone,
  );
  const git = gitIn(clone, clone);
  git('fetch', '-q', '--depth', '1', `file://${origin}`, 'refs/world/logs/*:refs/world/logs/*');
  const verdict = await verifyIn(clone, { pr: 'main..work' });
  assert.match(whats(verdict), /this clone is shallow \(git fetch --unshallow\)/);
  assert.match(levelOf(verdict, 'chain').findings[0]?.meaning ?? '', /git fetch --unshallow/);
});

test('a clone without the blobs says that they are absent and fetches nothing', async (t) => {
  const clone = join(temporaryDirectory(t), 'clone');
  gitIn(origin, origin)('config', 'uploadpack.allowFilter', 'true');
  gitIn(join(clone, '..'), clone)('clone', '-q', '--filter=blob:none', '--no-checkout', `file://${origin}`, clone);
  gitIn(clone, clone)('fetch', '-q', 'origin', 'refs/world/logs/*:refs/world/logs/*');
  const verdict = await verifyIn(clone, { pr: 'origin/main..origin/work' });
  assert.match(levelOf(verdict, 'chain').findings[0]?.found ?? '', /is not in the repository|cannot be read/);
  assert.equal(verdict.ok, false);
});

test('a ref that points at another world’s log does not stand in for the one the trailer names', async (t) => {
  const { copy, git } = copyOf(t);
  const other = await makeWorld(t, { files: { 'a.txt': TEXT } });
  await other.open('ep1');
  await other.call('ailang-write', { path: 'new.txt', content: 'new one\nsmuggled\nnew two\n' });
  const foreign = await other.trailer();
  await other.close();
  git('fetch', '-q', other.repository, `+refs/world/log:refs/world/logs/${id}`);
  assert.match(whats(await verifyIn(copy, { pr: 'main..work' })), new RegExp(`the log of world ${id} is not here`));

  // A log of one's own is easily made: only the reader can say whose logs count.
  const world = /world=(\w+)/.exec(foreign)?.[1] ?? '';
  git('fetch', '-q', other.repository, `refs/world/log:refs/world/logs/${world}`);
  git('fetch', '-q', origin, `+refs/world/logs/${id}:refs/world/logs/${id}`);
  const texts = [{ from: 'the body', text: foreign }];
  const any = await verifyIn(copy, { pr: 'main..bad', texts });
  assert.equal(levelOf(any, 'pr').holds, true);
  assert.match(levelOf(any, 'pr').notes.join('\n'), /began at a commit that is not in this repository/);
  assert.match(whats(await verifyIn(copy, { pr: 'main..bad', texts, worlds: [id] })), /its log is not a trusted one/);
});

test('a replaced genesis makes another world', async (t) => {
  const { copy, git } = copyOf(t);
  const ref = `refs/world/logs/${id}`;
  assert.equal((await verifyIn(copy, { ref, worlds: [id] })).ok, true);
  const verdict = await verifyIn(copy, { ref, worlds: ['0123456789abcdef'] });
  assert.match(levelOf(verdict, 'chain').findings[0]?.what ?? '', /genesis is not that of a trusted world/);
  git('update-ref', ref, git('commit-tree', `${ref}^{tree}`, '-p', ref, '-p', 'main', '-m', 'two roots').trim());
  assert.match(levelOf(await verifyIn(copy, { ref }), 'chain').findings[0]?.what ?? '', /other parents/);
});

const TRAILERS: Readonly<Record<string, { text: (honest: string) => string; found: RegExp | null }>> = {
  'in the middle of the message': { text: (honest) => `One.\n\n${honest}\n\nMore words.\n`, found: null },
  'twice the same': { text: (honest) => `${honest}\n${honest}`, found: null },
  'true once and false once': {
    text: (honest) => `${honest}\n${honest.replace(/entries=(\d+)-\d+/, 'entries=$1-9999')}`,
    found: /wrong about the episode of entry 9999/,
  },
  'with a key in letters that only look right': {
    text: (honest) => honest.replace('World-Provenance', 'W\u043erld-Provenance'),
    found: /there is no World-Provenance trailer/,
  },
  'with full-width digits': {
    text: (honest) => honest.replace(/entries=\d/, 'entries=\uff11'),
    found: /its trailer is malformed/,
  },
  'with an episode in letters that only look right': {
    text: (honest) => honest.replace('episode=ep1', 'episode=\u0435p1'),
    found: /wrong about the episode/,
  },
  'with an invisible character': {
    text: (honest) => honest.replace('episode=ep1', 'episode=ep1\u200b'),
    found: /wrong about the episode/,
  },
};

for (const [name, { text, found }] of Object.entries(TRAILERS))
  test(`a trailer ${name} ${found === null ? 'is found' : 'proves nothing'}`, async (t) => {
    const { copy, git } = copyOf(t);
    const made = git('commit-tree', 'work^{tree}', '-p', 'main', '-m', text(trailer)).trim();
    const verdict = await verifyIn(copy, { pr: `main..${made}` });
    assert.equal(verdict.ok, found === null, whats(verdict));
    if (found !== null) assert.match(whats(verdict), found);
  });

test('what an episode began with was not made by it', async (t) => {
  const world = await makeWorld(t, { files: { 'a.txt': TEXT } });
  world.git('checkout', '-q', '-b', 'mine');
  put(world.repository, { 'a.txt': TEXT.replace('beta\n', 'beta\nby hand\n') });
  world.git('commit', '-q', '-a', '-m', 'By hand');
  await world.open('ep1');
  await world.call('ailang-edit', { path: 'a.txt', old_text: 'delta', new_text: 'delta two' });
  const line = await world.trailer();
  world.git('checkout', /tree=(\w+)/.exec(line)?.[1] ?? '', '--', '.');
  world.git('commit', '-q', '-a', '-m', `Work\n\n${line}`);
  assert.match(whats(await verifyIn(world.repository, { pr: 'main..mine' })), /^a\.txt: line 3 not made through World/);
});

test('lines of the base in another order are found, also beside recorded changes', async (t) => {
  const { copy, git } = copyOf(t);
  const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], {
    cwd: copy,
    encoding: 'utf8',
    input: 'beta\nalpha\ngamma two\ndelta\n',
  }).trim();
  const listing = `100644 blob ${blob}\ta.txt\n${git('ls-tree', 'work').replace(/^.*\ta\.txt\n/m, '')}`;
  const tree = execFileSync('git', ['mktree'], { cwd: copy, encoding: 'utf8', input: listing }).trim();
  const made = git('commit-tree', tree, '-p', 'main', '-m', trailer).trim();
  const verdict = await verifyIn(copy, { pr: `main..${made}` });
  assert.match(whats(verdict), /a\.txt: line \d not made through World/);
  assert.match(whats(verdict), /a\.txt: 1 line\(s\) of the base removed/);
});
