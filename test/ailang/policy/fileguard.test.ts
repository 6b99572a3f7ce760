import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { openRoot, openRootByPath } from '../../../src/ailang/policy/fileguard/directory.js';
import { FileGuard } from '../../../src/ailang/policy/fileguard/fileguard.js';
import { protection } from '../../../src/ailang/policy/protect.js';
import { atEnd } from '../../cleanup.js';
import { sandbox } from './scratch.js';

for (const [way, open] of [
  ['by descriptors', openRoot],
  ['by checked paths', openRootByPath],
] as const)
  describe(`file guard ${way}`, () => {
    const setUp = (t: TestContext, files: Readonly<Record<string, string | Buffer>> = {}) => {
      const made = sandbox(t, files);
      const guard = new FileGuard(made.root, protection(['.github/**'], true), open);
      atEnd(t, () => guard.close());
      const read = (path: string) => guard.readFile(path, 0).toString();
      return { ...made, guard, read };
    };
    const escaping = (path: string, root: string, detail = '') => ({
      message: `path ${JSON.stringify(path)} escapes sandbox ${JSON.stringify(root)}${detail}`,
    });

    test('reads below the root, by relative and absolute path', (t) => {
      const { read, root } = setUp(t, { 'a/b.txt': 'b' });
      assert.equal(read('a/b.txt'), 'b');
      assert.equal(read('./a//b.txt'), 'b');
      assert.equal(read(join(root, 'a/b.txt')), 'b');
      assert.equal(read('a/../a/b.txt'), 'b');
    });

    test('names what is missing', (t) => {
      const { read } = setUp(t, { file: '' });
      assert.throws(() => read('nope.ail'), { message: 'openat nope.ail: no such file or directory' });
      assert.throws(() => read('no/pe'), { message: 'openat no/pe: no such file or directory' });
      assert.throws(() => read('file/x'), { message: 'openat file/x: not a directory' });
      assert.throws(() => read('.'), { message: 'openat .: is a directory' });
      assert.throws(() => read('a\0b'), { message: 'openat a\0b: invalid argument' });
    });

    test('refuses absolute paths, prefixes of the root and climbing out', (t) => {
      const { read, root, outside } = setUp(t);
      mkdirSync(`${root}-evil`);
      writeFileSync(`${root}-evil/x`, 'x');
      for (const path of ['/etc/hosts', `${root}-evil/x`, join(outside, 'secret.txt'), 'C:/x', '\\\\server\\x'])
        assert.throws(() => read(path), escaping(path, root));
      assert.throws(
        () => read('../secret.txt'),
        escaping('../secret.txt', root, ': openat ../secret.txt: path escapes from parent'),
      );
    });

    test('refuses links that leave, follows relative links that stay', (t) => {
      const { read, root, outside, guard } = setUp(t, { 'real/file.txt': 'inside' });
      symlinkSync('../secret.txt', join(root, 'up'));
      symlinkSync(join(outside, 'secret.txt'), join(root, 'absolute'));
      symlinkSync(join(root, 'real/file.txt'), join(root, 'absolute-inside'));
      symlinkSync('..', join(root, 'parent'));
      symlinkSync('real', join(root, 'alias'));
      symlinkSync('../real/file.txt', join(root, 'real/loop-back'));
      symlinkSync('spin', join(root, 'spin'));
      for (const path of ['up', 'absolute', 'absolute-inside', 'parent/secret.txt', 'alias/../../secret.txt'])
        assert.throws(() => read(path), /escapes sandbox/, path);
      assert.equal(read('alias/file.txt'), 'inside');
      assert.equal(read('real/loop-back'), 'inside');
      assert.throws(() => read('spin'), { message: 'openat spin: too many levels of symbolic links' });
      guard.writeFile('alias/new.txt', Buffer.from('n'));
      assert.equal(readFileSync(join(root, 'real/new.txt'), 'utf8'), 'n');
      assert.throws(() => guard.writeFile('up', Buffer.from('x')), /escapes sandbox/);
      assert.equal(readFileSync(join(outside, 'secret.txt'), 'utf8'), 'secret\n');
    });

    test('a dangling link outwards creates nothing outside', (t) => {
      const { root, outside, guard } = setUp(t);
      symlinkSync('../created', join(root, 'dangling'));
      assert.throws(() => guard.writeFile('dangling', Buffer.from('x')), /escapes sandbox/);
      assert.equal(readdirSync(outside).includes('created'), false);
    });

    test('.git is read-only at any depth, in any case, and behind a link', (t) => {
      const { root, guard, read } = setUp(t, { '.git/config': 'c', 'vendor/x/.git/hooks/a': 'a' });
      symlinkSync('.git', join(root, 's'));
      symlinkSync('.git/config', join(root, 'conf'));
      for (const path of [
        '.git/config',
        '.GIT/config',
        'vendor/x/.git/hooks/pre-commit',
        's/config',
        's/hooks',
        'conf',
      ])
        assert.throws(
          () => guard.writeFile(path, Buffer.from('x')),
          { name: 'ProtectedError', reason: { by: 'git' } },
          path,
        );
      assert.throws(() => guard.remove('s/config'), { name: 'ProtectedError' });
      assert.throws(() => guard.mkdir('s/hooks', false), { name: 'ProtectedError' });
      assert.throws(() => guard.rename('s/config', 'mine'), { name: 'ProtectedError' });
      assert.throws(() => guard.rename('vendor', '.git'), { name: 'ProtectedError' });
      assert.equal(read('s/config'), 'c');
      assert.equal(readFileSync(join(root, '.git/config'), 'utf8'), 'c');
    });

    test('the pointer file of a linked worktree is protected too', (t) => {
      const { guard, root } = setUp(t, { '.git': 'gitdir: /elsewhere\n' });
      assert.throws(() => guard.writeFile('.git', Buffer.from('x')), { name: 'ProtectedError' });
      assert.throws(() => guard.remove('.git'), { name: 'ProtectedError' });
      assert.equal(readFileSync(join(root, '.git'), 'utf8'), 'gitdir: /elsewhere\n');
    });

    test('writing creates with mode 0644, truncates, appends, and makes no parents', (t) => {
      const { guard, root } = setUp(t, { old: 'a longer text' });
      guard.writeFile('old', Buffer.from('new'));
      assert.equal(readFileSync(join(root, 'old'), 'utf8'), 'new');
      guard.writeFile('old', Buffer.from('er'), 'append');
      assert.equal(readFileSync(join(root, 'old'), 'utf8'), 'newer');
      guard.writeFile('fresh', Buffer.alloc(0));
      assert.equal(readFileSync(join(root, 'fresh'), 'utf8'), '');
      assert.throws(() => guard.writeFile('no/parent', Buffer.from('')), {
        message: 'openat no/parent: no such file or directory',
      });
    });

    test('pipes and directories are neither read nor written, and nothing waits', {
      skip: process.platform === 'win32',
    }, (t) => {
      const { guard, root, read } = setUp(t, { 'd/x': '' });
      execFileSync('mkfifo', [join(root, 'pipe')]);
      assert.throws(() => read('pipe'), { message: 'openat pipe: not a regular file' });
      assert.throws(() => guard.writeFile('pipe', Buffer.from('x')), { message: 'openat pipe: not a regular file' });
      assert.throws(() => guard.writeFile('d', Buffer.from('x')), { message: 'openat d: is a directory' });
    });

    test('one name in two normal forms is one file', (t) => {
      const { guard, root, read } = setUp(t, { 'e\u0301t\u00e9/cafe\u0301.txt': 'coffee' });
      assert.equal(read('\u00e9t\u00e9/caf\u00e9.txt'), 'coffee');
      guard.writeFile('\u00e9t\u00e9/caf\u00e9.txt', Buffer.from('tea'));
      assert.deepEqual(readdirSync(join(root, 'e\u0301t\u00e9')), ['cafe\u0301.txt']);
      assert.equal(read('e\u0301t\u00e9/cafe\u0301.txt'), 'tea');
    });

    test('a name that differs only in the kind of blank is refused and gets no twin', (t) => {
      const { guard, root } = setUp(t, { 'shot 9.41\u202fAM.png': 'p' });
      assert.throws(
        () => guard.writeFile('shot 9.41 AM.png', Buffer.from('x')),
        /differs in the kind of blank \(U\+202F\)/,
      );
      assert.equal(readdirSync(root).length, 1);
    });

    test('reads at most the cap', (t) => {
      const { guard } = setUp(t, { f: '12345' });
      assert.equal(guard.readFile('f', 5).length, 5);
      assert.throws(() => guard.readFile('f', 4), { name: 'TooLargeError', cap: 4 });
    });

    test('an unreadable file and a missing root say why', { skip: process.getuid?.() === 0 }, (t) => {
      const { root, read } = setUp(t, { f: '' });
      chmodSync(join(root, 'f'), 0);
      assert.throws(() => read('f'), { message: 'openat f: permission denied' });
    });

    test('a missing root says why', () =>
      assert.throws(() => new FileGuard('/nowhere', protection([], true), open), {
        message: 'fileguard: open sandbox root "/nowhere": open /nowhere: no such file or directory',
      }));

    test('directories: list, make, remove, rename, stat', (t) => {
      const { guard, root } = setUp(t, { 'b.txt': '', 'a.txt': '' });
      guard.mkdir('x/y/z', true);
      assert.equal(guard.stat('x/y/z'), 'directory');
      assert.throws(() => guard.mkdir('x', false), { message: 'mkdirat x: file exists' });
      assert.throws(() => guard.remove('x'), { message: 'unlinkat x: directory not empty' });
      guard.remove('x/y/z');
      guard.rename('a.txt', 'x/c.txt');
      assert.deepEqual(guard.listDir('.'), ['b.txt', 'x']);
      assert.deepEqual(guard.listDir('x'), ['c.txt', 'y']);
      symlinkSync('b.txt', join(root, 'link'));
      assert.equal(guard.stat('link'), 'file');
      assert.equal(guard.stat('link', 'lstat'), 'symlink');
      assert.equal(guard.stat('none'), null);
      guard.remove('link');
      assert.equal(guard.stat('b.txt'), 'file');
      assert.throws(() => guard.mkdir('../out', true), /escapes sandbox/);
      assert.throws(() => guard.rename('b.txt', '../out'), /escapes sandbox/);
    });
  });
