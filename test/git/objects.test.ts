import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { git } from '../../src/git/child.js';
import { decodeCommit, decodeTree, encodeCommit, encodeTree, isDotGit, makeObject } from '../../src/git/objects.js';
import { asGitOid, hashObject, zeroOid } from '../../src/git/oid.js';
import type { TreeEntry, TreeMode } from '../../src/git/types.js';
import { formats, gitText, initRepository } from './temporary-repository.js';

// Few letters around '/' and beyond ASCII, so that prefixes and ties are common.
const name = fc
  .array(fc.constantFrom('a', 'b', '.', '-', '0', ' ', 'é', '\u{1f600}', '\n', '+'), { minLength: 1, maxLength: 4 })
  .map((letters) => letters.join(''))
  .filter((text) => text !== '.' && text !== '..');
const mode = fc.constantFrom<TreeMode>('100644', '100755', '120000', '160000', '40000');
const names = fc.uniqueArray(fc.tuple(mode, name), { selector: ([, text]) => text, maxLength: 12 });

for (const format of formats) {
  describe(`objects in ${format}`, () => {
    it('trees have the id that git mktree gives them, and decode to what went in', async (t) => {
      const repository = await initRepository(t, format);
      const oid = hashObject(format, 'blob', Buffer.from('x'));
      await fc.assert(
        fc.asyncProperty(names, async (pairs) => {
          const entries: TreeEntry[] = pairs.map(([of, text]) => ({ mode: of, name: text, oid }));
          const type = { '40000': 'tree', '160000': 'commit' } as Record<string, string>;
          const lines = entries.map(
            (e) => `${e.mode.padStart(6, '0')} ${type[e.mode] ?? 'blob'} ${e.oid}\t${e.name}\0`,
          );
          const made = await git(['mktree', '-z', '--missing'], { cwd: repository.commonDir, input: lines.join('') });
          const body = encodeTree(format, entries);
          assert.equal(hashObject(format, 'tree', body), made.stdout.toString().trim());
          const byName = (a: TreeEntry, b: TreeEntry) => (a.name < b.name ? -1 : 1);
          assert.deepEqual(decodeTree(format, body).sort(byName), entries.sort(byName));
        }),
        { numRuns: 40 },
      );
    });

    it('commits survive git and come back as they were, with identities cleaned', async (t) => {
      const repository = await initRepository(t, format);
      const tree = makeObject(format, 'tree', encodeTree(format, []));
      const parent = zeroOid(format).replace('0', '1');
      const fields = {
        tree: tree.oid,
        parents: [asGitOid(parent, format)],
        author: { name: ' Ép<i>1\n', email: 'a<b>@c\n' },
        authorTime: 0,
        committer: { name: '', email: '' },
        committerTime: 1_700_000_000,
        message: 'subject ü\n\nWorld-Index: 7\n',
      };
      const body = encodeCommit(fields);
      const options = { cwd: repository.commonDir, input: body };
      const stored = await git(['hash-object', '-t', 'commit', '--stdin'], options);
      assert.equal(stored.stdout.toString().trim(), hashObject(format, 'commit', body));
      assert.deepEqual(decodeCommit(body), { ...fields, author: { name: 'Épi1', email: 'ab@c' } });
    });
  });
}

it('tree names that git would refuse are refused', () => {
  const oid = zeroOid('sha1');
  for (const bad of ['', '.', '..', '.git', '.GIT', 'git~1', 'a/b', 'a\0', '\ud800']) {
    assert.throws(() => encodeTree('sha1', [{ mode: '100644', name: bad, oid }]), { code: 'bad-tree-entry' });
  }
  const twice: TreeEntry[] = [
    { mode: '100644', name: 'a', oid },
    { mode: '40000', name: 'a', oid },
  ];
  assert.throws(() => encodeTree('sha1', twice), { code: 'bad-tree-entry' });
});

it('names that git fsck takes for .git are known, and no others', async (t) => {
  const repository = await initRepository(t);
  const file = join(repository.worktree ?? assert.fail(), 'x');
  await writeFile(file, '');
  const blob = await gitText(repository, 'hash-object', '-w', file);
  const condemned = async (names: readonly string[]): Promise<string[]> => {
    const input = names.map((name) => `100644 blob ${blob}\t${name}\0\0`).join('');
    const made = await git(['mktree', '-z', '--batch'], { cwd: repository.commonDir, input });
    const oids = made.stdout.toString().trim().split('\n');
    const fsck = await git(['fsck', '--no-dangling'], { cwd: repository.commonDir, okExitCodes: [0, 1, 4, 5] });
    const bad = new Set([...fsck.stderr.matchAll(/tree (\w+): hasDotgit/g)].map(([, oid]) => oid));
    return names.filter((_, at) => bad.has(oids[at]));
  };
  const names = [
    ...['.git', '.GIT', '.g\u200cit', '\ufeff.git', '.git.', '.git ', '.git . ', '.git:x', '.git::$INDEX_ALLOCATION'],
    ...[
      'git~1',
      'GIT~1',
      'git~1.',
      'a\\.git',
      '.git\\a',
      'a\\git~1\\b',
      'git',
      'git~2',
      '.gitx',
      'x.git',
      '.gi\u0131t',
    ],
    ...[
      '.gitmodules',
      '.gitignore',
      '.\u0131git',
      '..git',
      ' .git',
      'g\u00eft~1',
      'git~1x',
      'git~10',
      '.git\t',
      '.g.it',
    ],
  ];
  assert.deepEqual(await condemned(names), names.filter(isDotGit));
  const piece = fc.constantFrom('.git', 'git', '~1', '.', ' ', ':', '\\', '\u200c', 'x', 'G', 'g', 'i', 't');
  const drawn = fc.sample(fc.string({ unit: piece, minLength: 1, maxLength: 5 }), 3000);
  const usable = [...new Set(drawn)].filter((name) => !['.', '..'].includes(name));
  assert.deepEqual(
    (await condemned(usable)).filter((name) => !isDotGit(name)),
    [],
  );
});

it('ids are of the repository’s length, lower-case hex', () => {
  const oid = 'ab'.repeat(20);
  assert.equal(asGitOid(oid, 'sha1'), oid);
  for (const bad of [oid.toUpperCase(), oid.slice(1), `${oid} `, 'HEAD']) {
    assert.throws(() => asGitOid(bad, 'sha1'), { code: 'bad-oid' });
  }
  assert.throws(() => asGitOid(oid, 'sha256'), { code: 'bad-oid' });
});

it('decoding never answers for bytes that are no tree or commit', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      for (const decode of [() => decodeTree('sha1', Buffer.from(bytes)), () => decodeCommit(Buffer.from(bytes))]) {
        try {
          decode();
        } catch (error) {
          assert.match((error as { code: string }).code, /^bad-/);
        }
      }
    }),
  );
  const tree = encodeTree('sha1', [{ mode: '100644', name: 'a', oid: zeroOid('sha1') }]);
  assert.throws(() => decodeTree('sha1', tree.subarray(0, -1)), { code: 'bad-tree' });
  const latin = Buffer.concat([Buffer.from('100644 \xe9\0', 'latin1'), Buffer.alloc(20)]);
  assert.throws(() => decodeTree('sha1', latin), { code: 'bad-tree' });
});
