import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileGlob } from '../../../src/ailang/policy/glob.js';
import { protection, shelters } from '../../../src/ailang/policy/protect.js';

const deny = ['.github/**', './.gitmodules', '*.yml', 'docs/[a-c]?.md'];
const judge = protection(deny, true);
const of = (path: string) => judge(path.split('/'));

for (const path of ['.git', '.git/config', '.GIT/x', 'a/b/.git/hooks/pre-commit', 'vendor/.gIt', '.g\u0131t/x'])
  test(`${path} is ${path.includes('\u0131') ? 'ordinary' : 'under .git'}`, () =>
    assert.deepEqual(of(path), path.includes('\u0131') ? null : { by: 'git' }));

for (const path of ['.g\u200cit/x', '.git\ufeff', 'a/.git. /config', 'git~1/hooks/x', '.git::$DATA', 'a\\.git\\config'])
  test(`${JSON.stringify(path)} is .git on some disk`, () => assert.deepEqual(of(path), { by: 'git' }));

for (const path of ['.gitmodules ', '.gitmodules:x', '.git\u200dmodules', 'GITMOD~1', 'gi7eba~2', 'gi7~1234'])
  test(`${JSON.stringify(path)} is .gitmodules on some disk`, () =>
    assert.deepEqual(of(path), { by: 'pattern', pattern: './.gitmodules' }));

for (const path of [
  '.gitignore',
  'git',
  '...',
  'git~2',
  'a.',
  '~1',
  'x~1',
  'a.git',
  '.gitmodules.bak',
  'docs/dx.md',
  'docs/ab/x.md',
  'x/.github/y',
])
  test(`${path} is ordinary`, () => assert.equal(of(path), null));

for (const [path, pattern] of [
  ['.github', '.github/**'],
  ['.github/workflows/ci.txt', '.github/**'],
  ['.GitHub/x', '.github/**'],
  ['.gitmodule\u017f', './.gitmodules'],
  ['sub/.gitmodules', './.gitmodules'],
  ['deep/down/ci.YML', '*.yml'],
  ['docs/bX.md', 'docs/[a-c]?.md'],
] as const)
  test(`${path} matches ${pattern}, in the operator's spelling`, () =>
    assert.deepEqual(of(path), { by: 'pattern', pattern }));

test('the first pattern in file order is the one named', () =>
  assert.deepEqual(protection(['a/**', 'a/b'], true)(['a', 'b']), { by: 'pattern', pattern: 'a/**' }));

test('.git is not protected from programs of a trusted host', () =>
  assert.equal(protection([], false)(['.git', 'x']), null));

test('a directory that holds protected paths is found', () => {
  assert.equal(shelters(['a/b/**'], ['a']), true);
  assert.equal(shelters(['a/b/**'], ['A', 'B']), true);
  assert.equal(shelters(['a/b/**'], ['c']), false);
  assert.equal(shelters(['*.yml'], ['c']), false);
});

for (const [pattern, text, matches] of [
  ['a*c', 'abbc', true],
  ['a*c', 'ab/c', false],
  ['[^a]x', 'bx', true],
  ['[^a]x', '/x', false],
  ['\\*', '*', true],
  ['\\*', 'a', false],
  ['[z-a]', 'm', false],
  ['[]a]', 'a', null],
  ['[a', 'a', null],
  ['a\\', 'a', null],
] as const)
  test(`glob ${pattern} ${matches === null ? 'is malformed' : matches ? 'matches' : 'does not match'} ${text}`, () =>
    assert.equal(compileGlob(pattern)?.test(text) ?? null, matches));
