import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { IgnoreRules } from '../../src/episode/ignore-rules.js';
import { objectsBelow, readSettings, trackedFilesReader } from '../../src/episode/repository-facts.js';
import { SnapshotTaker } from '../../src/episode/snapshot.js';
import { diskFiles, type SnapshotFiles } from '../../src/episode/snapshot-files.js';
import { openRepository } from '../../src/git/repository.js';
import { temporaryDirectory } from '../cleanup.js';
import { gitTree, makeRepository, runGit } from './repositories.js';

async function takerFor(root: string, files: SnapshotFiles = diskFiles, now: () => number = Date.now) {
  const repository = await openRepository(root);
  const settings = await readSettings(repository, root);
  return new SnapshotTaker({
    root,
    objectFormat: repository.objectFormat,
    fileMode: settings.fileMode,
    rules: IgnoreRules.of(settings.excludes, settings.ignoreCase),
    tracked: trackedFilesReader(repository, root),
    known: await objectsBelow(root, 'HEAD'),
    files,
    now,
    pause: async () => undefined,
  });
}

function put(root: string, path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

function repositoryWith(t: TestContext, files: Record<string, string>, format: 'sha1' | 'sha256' = 'sha1'): string {
  const root = temporaryDirectory(t);
  makeRepository(root, format);
  for (const [path, content] of Object.entries(files)) put(root, path, content);
  return root;
}

function counting(): { files: SnapshotFiles; reads: string[] } {
  const reads: string[] = [];
  return {
    reads,
    files: {
      ...diskFiles,
      read(path, flags) {
        reads.push(path);
        return diskFiles.read(path, flags);
      },
    },
  };
}

const CASES: Record<string, { files: Record<string, string>; prepare?: (root: string) => void }> = {
  'nested ignore files, the deepest one deciding': {
    files: {
      '.gitignore': '*.log\nbuild/\n',
      'a.log': '',
      'b/.gitignore': '!keep.log\n',
      'b/keep.log': '',
      'b/x.log': '',
      'build/o': '',
    },
  },
  'a directory ignored above and taken back below': {
    files: { '.gitignore': 'foo/\n', 'sub/.gitignore': '!foo/\n', 'sub/foo/x': '1', 'sub/foo/y.o': '', 'foo/z': '' },
  },
  'a tracked file stays although ignored, with its new content': {
    files: { 'out/kept': 'old', 'out/new': '' },
    prepare(root) {
      runGit(root, ['add', 'out/kept']);
      put(root, '.gitignore', 'out/\n');
      put(root, 'out/kept', 'changed');
    },
  },
  'info/exclude': {
    files: { 'secret.txt': '', 'a.txt': '' },
    prepare: (root) => put(root, '.git/info/exclude', 'secret*\n'),
  },
  'core.excludesFile': {
    files: { 'a~': '', a: '' },
    prepare(root) {
      put(root, '.git/mine', '*~\n');
      runGit(root, ['config', 'core.excludesFile', join(root, '.git/mine')]);
    },
  },
  'links are links, even to directories and to nowhere': {
    files: { 'd/f': '1' },
    prepare(root) {
      symlinkSync('d', join(root, 'to-dir'));
      symlinkSync('/nowhere', join(root, 'dangling'));
    },
  },
  'the executable bit': {
    files: { run: '#!/bin/sh\n', not: '' },
    prepare: (root) => chmodSync(join(root, 'run'), 0o755),
  },
  'empty directories are left out': {
    files: { a: '' },
    prepare: (root) => mkdirSync(join(root, 'e/m/p/t/y'), { recursive: true }),
  },
  'a nested repository is a gitlink': {
    files: { 'n/a': '1' },
    prepare(root) {
      makeRepository(join(root, 'n'));
      runGit(join(root, 'n'), ['add', '-A']);
      runGit(join(root, 'n'), ['commit', '-qm', 'one']);
    },
  },
  'a directory whose .git is no repository is a directory': { files: { 'n/a': '1', 'n/.git/x': '' } },
  'odd names': {
    files: { 'a b': '', '..x': '', '-x': '', 'é\u0301': '', 'a\nb': '', 'a"\\b': '', '#x': '', '!y': '' },
  },
  'line endings as they are': {
    files: { crlf: 'a\r\nb\n', bom: '\ufeffx', '.gitignore': 'x.o\r\ny.o  \r\n', 'x.o': '', 'y.o': '' },
  },
};

for (const format of ['sha1', 'sha256'] as const) {
  for (const [name, { files, prepare }] of Object.entries(CASES)) {
    if (format === 'sha256' && name.includes('nested repository')) continue;
    test(`${format}: same tree as git add -A: ${name}`, async (t) => {
      const root = repositoryWith(t, files, format);
      prepare?.(root);
      assert.equal((await (await takerFor(root)).snapshot()).tree, gitTree(root));
    });
  }
}

test('generated worktrees have git’s tree, also after changes', async (t) => {
  const name = fc.constantFrom('a', 'b', 'c.o', 'foo', 'x.log');
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
  const pattern = fc.constantFrom(
    '*.o',
    '*.log',
    'foo/',
    '/a',
    'a/b',
    '!c.o',
    '!foo/',
    '**/b',
    'foo/*',
    '!foo/a',
    'b',
    '!/a/',
    '# x',
  );
  const change = fc.oneof(
    fc.record({ kind: fc.constant('file' as const), path, content: fc.string({ maxLength: 5 }) }),
    fc.record({
      kind: fc.constant('ignore' as const),
      path: fc.oneof(fc.constant('.'), path),
      patterns: fc.array(pattern, { maxLength: 4 }),
    }),
    fc.record({ kind: fc.constant('remove' as const), path }),
    fc.record({ kind: fc.constant('mode' as const), path }),
    fc.record({ kind: fc.constant('link' as const), path }),
    fc.record({ kind: fc.constant('track' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(change, { maxLength: 8 }), { minLength: 1, maxLength: 3 }), async (rounds) => {
      const root = temporaryDirectory(t);
      makeRepository(root);
      const taker = await takerFor(root);
      for (const changes of rounds) {
        for (const one of changes) {
          try {
            if (one.kind === 'file') put(root, one.path, one.content);
            if (one.kind === 'ignore') put(root, join(one.path, '.gitignore'), one.patterns.join('\n'));
            if (one.kind === 'remove') rmSync(join(root, one.path), { recursive: true, force: true });
            if (one.kind === 'mode') chmodSync(join(root, one.path), 0o755);
            if (one.kind === 'link') symlinkSync('../a', join(root, one.path));
            if (one.kind === 'track') runGit(root, ['add', '-A']);
          } catch {
            // The change does not fit what is there.
          }
        }
        assert.equal((await taker.snapshot()).tree, gitTree(root));
      }
    }),
    { numRuns: 25 },
  );
});

test('only what changed is read again', async (t) => {
  const root = repositoryWith(t, { 'a/one': '1', 'a/two': '2', 'b/three': '3' });
  const past = new Date('2020-01-01');
  const { files, reads } = counting();
  // A clock an hour ahead: every stamp on disk is old enough to be believed.
  const taker = await takerFor(root, files, () => Date.now() + 3_600_000);
  const first = await taker.snapshot();
  assert.equal(reads.length, 3);
  assert.equal((await taker.snapshot()).tree, first.tree);
  assert.equal(reads.length, 3);
  put(root, 'a/two', 'changed');
  utimesSync(join(root, 'a/two'), past, past);
  await taker.snapshot();
  assert.deepEqual(reads.slice(3), [join(root, 'a/two')]);
});

test('a change that leaves size and time stamps as they were is found while the stamps are young', async (t) => {
  const root = repositoryWith(t, { f: 'aaaa' });
  let frozen: ReturnType<SnapshotFiles['lstat']>;
  const files: SnapshotFiles = {
    ...diskFiles,
    lstat(path) {
      const stat = diskFiles.lstat(path);
      if (path.endsWith('/f')) frozen ??= stat;
      return path.endsWith('/f') ? frozen : stat;
    },
    read: (path, flags) => ({
      ...diskFiles.read(path, flags),
      ...(path.endsWith('/f') && frozen ? { stat: frozen } : {}),
    }),
  };
  const taker = await takerFor(root, files, () => frozen?.mtimeMs ?? 0);
  const before = await taker.snapshot();
  writeFileSync(join(root, 'f'), 'bbbb');
  assert.notEqual((await taker.snapshot()).tree, before.tree);
});

test('objects are returned until they are said to be stored, and never those of HEAD', async (t) => {
  const root = repositoryWith(t, { 'd/old': '1' });
  runGit(root, ['add', '-A']);
  runGit(root, ['commit', '-qm', 'one']);
  const taker = await takerFor(root);
  assert.deepEqual((await taker.snapshot()).objects, []);
  put(root, 'd/new', '2');
  const first = await taker.snapshot();
  assert.deepEqual(first.objects.map((object) => object.type).sort(), ['blob', 'tree', 'tree']);
  const again = await taker.snapshot();
  assert.deepEqual(again.objects.map((object) => object.oid).sort(), first.objects.map((object) => object.oid).sort());
  taker.persisted(again);
  assert.deepEqual((await taker.snapshot()).objects, []);
});

test('files that vanish during the walk are left out', async (t) => {
  const root = repositoryWith(t, { a: '1', 'd/b': '2' });
  const files: SnapshotFiles = {
    ...diskFiles,
    readdir(path) {
      const found = diskFiles.readdir(path);
      rmSync(join(root, 'a'), { force: true });
      rmSync(join(root, 'd'), { recursive: true, force: true });
      return found;
    },
  };
  const { tree } = await (await takerFor(root, files)).snapshot();
  assert.equal(tree, gitTree(root));
});

test('a new commit’s index is noticed', async (t) => {
  const root = repositoryWith(t, { '.gitignore': 'x\n', x: '1' });
  const taker = await takerFor(root);
  await taker.snapshot();
  runGit(root, ['add', '-f', 'x']);
  appendFileSync(join(root, 'x'), '2');
  assert.equal((await taker.snapshot()).tree, gitTree(root));
});

test('snapshots asked for at once do not mix', async (t) => {
  const root = repositoryWith(t, { 'a/b': '1', 'c/d': '2' });
  const taker = await takerFor(root);
  const snapshots = await Promise.all([taker.snapshot(), taker.snapshot(), taker.snapshot()]);
  for (const { tree, objects } of snapshots) {
    assert.equal(tree, gitTree(root));
    assert.equal(objects.length, 5);
  }
});

test('looking again at the one file a write changed gives the same tree as looking at everything', async (t) => {
  const root = repositoryWith(t, {
    '.gitignore': '*.log\nout/\n',
    a: '1',
    'd/b': '2',
    'd/e/c': '3',
    'd/.gitignore': '!keep.log\n',
    'out/kept': '4',
  });
  runGit(root, ['add', '-f', 'out/kept']);
  symlinkSync('a', join(root, 'link'));
  const taker = await takerFor(root);
  taker.persisted(await taker.snapshot());
  const paths = [
    'a',
    'new',
    'd/b',
    'd/e/new',
    'd/keep.log',
    'd/x.log',
    'out/kept',
    'out/new',
    'link',
    'd/.gitignore',
    'f/g',
  ];
  for (const path of paths) {
    put(root, path, `written ${path}\n`);
    const snapshot = await taker.snapshot(path);
    assert.equal(snapshot.tree, gitTree(root), path);
    const held = new Set(snapshot.objects.map((object) => object.oid));
    if (path !== 'd/x.log' && path !== 'out/new')
      assert.ok(held.has(snapshot.tree), `${path}: the new root is carried`);
    taker.persisted(snapshot);
  }
  assert.equal((await taker.snapshot()).tree, gitTree(root));
  // What a refused write named: git's own, a directory, nothing at all.
  for (const path of ['.git', '.git/config', 'd/.GIT/x', 'd', 'd/', 'nowhere/x', './a', ''])
    assert.equal((await taker.snapshot(path)).tree, gitTree(root), path);
});

test('a path no disk can hold, and a name that is .git elsewhere, leave the tree as it is', async (t) => {
  const root = repositoryWith(t, { a: '1' });
  const taker = await takerFor(root);
  const before = await taker.snapshot();
  const names = ['.g\u200cit', 'git~1', '.git.', 'x\\.git'];
  for (const name of names) put(root, name, 'no tree may hold this\n');
  for (const path of ['a\0b', 'x'.repeat(300), ...names])
    assert.equal((await taker.snapshot(path)).tree, before.tree, JSON.stringify(path));
});

test('looking again at one file does not see what else changed; the next full look does', async (t) => {
  const root = repositoryWith(t, { a: '1', 'd/b': '2' });
  const taker = await takerFor(root);
  const before = await taker.snapshot();
  put(root, 'd/b', 'changed by someone else');
  assert.equal((await taker.snapshot('a')).tree, before.tree);
  assert.equal((await taker.snapshot()).tree, gitTree(root));
});
