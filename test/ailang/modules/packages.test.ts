import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../../src/ailang/check.js';
import type { CheckResult } from '../../../src/ailang/interfaces.js';
import { builtins } from '../../../src/ailang/std/builtins.js';
import { stdSource } from '../../../src/ailang/std/source.js';
import { place } from '../checking.js';

type Files = Readonly<Record<string, string>>;

const reader = (files: Files) => ({
  read: (path: string) => (Object.hasOwn(files, path) ? (files[path] ?? null) : null),
});

/** The first file is the entry; `cache` is what the operator hands in, null for nothing. */
function checkWith(files: Files, cache: Files | null): CheckResult {
  const options = { file: Object.keys(files)[0] ?? '', host: reader(files), std: stdSource, builtins };
  return check(cache === null ? options : { ...options, packages: reader(cache) });
}

const lock = (...packages: readonly object[]): string => JSON.stringify({ schema: 'ailang.lock/v1', packages });
const auth = {
  name: 'acme/auth',
  version: '1.2.0',
  source: 'registry',
  exports: ['acme/auth/token', 'acme/auth/keys'],
};
const main = (imports: string, body: string): string =>
  `module app/main\n${imports}\nexport func main() -> int = ${body}\n`;
const cache: Files = {
  'acme/auth/1.2.0/token.ail':
    'module acme/auth/token\nimport ./keys (size)\nimport acme/auth/inner (one)\nimport pkg/acme/base/n (two)\nexport func length() -> int = size() + one() + two()\n',
  'acme/auth/1.2.0/keys.ail':
    'module pkg/acme/auth/keys\nimport std/list (length)\nexport func size() -> int = length([1])\n',
  'acme/auth/1.2.0/inner.ail': 'module inner\nexport func one() -> int = 1\n',
  'acme/base/0.1.0/n.ail': 'module acme/base/n\nexport func two() -> int = 2\n',
};
const locked = lock(auth, { name: 'acme/base', version: '0.1.0', source: 'registry' });

test('a package module is found in the cache by the locked version, with what it imports', () => {
  const { diagnostics, program, sources } = checkWith(
    { 'app/main.ail': main('import pkg/acme/auth/token (length)', 'length()'), 'ailang.lock': locked },
    cache,
  );
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(
    program?.modules.map((module) => module.path).filter((path) => !path.startsWith('std/')),
    ['pkg/acme/auth/keys', 'pkg/acme/auth/inner', 'pkg/acme/base/n', 'pkg/acme/auth/token', 'app/main'],
  );
  assert.deepEqual(
    sources.map((source) => source.path),
    [
      'app/main.ail',
      'pkg/acme/auth/1.2.0/token.ail',
      'pkg/acme/auth/1.2.0/keys.ail',
      'pkg/acme/auth/1.2.0/inner.ail',
      'pkg/acme/base/0.1.0/n.ail',
    ],
  );
});

test('a path dependency is read from the project, the lock file may lie in a directory above the entry', () => {
  const files = {
    'sub/app/main.ail': 'module sub/app/main\nimport pkg/acme/local/m (one)\nexport func main() -> int = one()\n',
    'sub/ailang.lock': lock({ name: 'acme/local', version: '0.0.1', source: 'path', path: '../lib/local' }),
    'lib/local/m.ail': 'module acme/local/m\nexport func one() -> int = 1\n',
  };
  assert.deepEqual(checkWith(files, null).diagnostics, []);
});

const refused: readonly (readonly [string, Files, Files | null, string, RegExp, RegExp])[] = [
  ['without a lock file', {}, cache, 'LDR001 2:8', /there is no ailang\.lock/, /lock file of the project/],
  ['without a cache', { 'ailang.lock': locked }, null, 'LDR001 2:8', /no package cache/, /standard library/],
  ['that is not locked', { 'ailang.lock': lock() }, cache, 'LDR001 2:8', /no package acme\/auth/, /no packages/],
  ['with a broken lock file', { 'ailang.lock': '{' }, cache, 'LDR001 2:8', /not JSON/, /Repair/],
  [
    'whose locked name is no name',
    { 'ailang.lock': lock({ name: '../x', version: '1' }) },
    cache,
    'LDR001 2:8',
    /vendor\/name/,
    /Repair/,
  ],
  [
    'whose version leads out of the cache',
    { 'ailang.lock': lock({ name: 'acme/auth', version: '../..' }) },
    cache,
    'LDR001 2:8',
    /no version/,
    /Repair/,
  ],
  [
    'whose version is not in the cache',
    { 'ailang.lock': lock({ ...auth, version: '2.0.0' }) },
    cache,
    'LDR001 2:8',
    /looked for pkg\/acme\/auth\/2\.0\.0\/token\.ail/,
    /not in the cache/,
  ],
];
for (const [what, files, packages, finding, message, hint] of refused) {
  test(`an import of a package ${what} is ${finding}`, () => {
    const entry = { 'app/main.ail': main('import pkg/acme/auth/token (length)', 'length()') };
    const { diagnostics } = checkWith({ ...entry, ...files }, packages);
    assert.deepEqual(diagnostics.map(place), [finding]);
    assert.match(diagnostics[0]?.message ?? '', message);
    assert.match(diagnostics[0]?.suggestion ?? '', hint);
  });
}

const inProject: readonly (readonly [string, string, string, RegExp])[] = [
  ['a module the package does not export', 'import pkg/acme/auth/inner (one)', 'LDR004 2:8', /pkg\/acme\/auth\/token/],
  ['no module of a package', 'import pkg/acme/auth (one)', 'MOD005 2:8', /pkg\/vendor\/name\/module/],
  ['a symbol the package does not export', 'import pkg/acme/auth/keys (one)', 'IMP010 2:28', /size/],
  [
    'a project module with the name of a package',
    'import acme/auth/token (one)',
    'MOD013 2:8',
    /pkg\/acme\/auth\/token/,
  ],
];
for (const [what, line, finding, hint] of inProject) {
  test(`importing ${what} is ${finding}`, () => {
    const { diagnostics } = checkWith({ 'app/main.ail': main(line, '1'), 'ailang.lock': locked }, cache);
    assert.deepEqual(diagnostics.map(place), [finding]);
    assert.match(diagnostics[0]?.suggestion ?? '', hint);
  });
}

test('a package sees its own modules and other packages, never files of the project', () => {
  const files = {
    'app/main.ail': main('import pkg/acme/auth/token (length)', '1'),
    'ailang.lock': lock(auth),
    'app/secret.ail': 'module app/secret\nexport func one() -> int = 1\n',
  };
  const spy = {
    'acme/auth/1.2.0/token.ail':
      'module acme/auth/token\nimport app/secret (one)\nexport func length() -> int = one()\n',
  };
  const { diagnostics } = checkWith(files, spy);
  assert.deepEqual(diagnostics.map(place), ['LDR001 2:8']);
  assert.match(diagnostics[0]?.message ?? '', /looked for pkg\/acme\/auth\/1\.2\.0\/app\/secret\.ail/);
});

test('modules may live below src of a project; one file imported by two paths is one module', () => {
  const { diagnostics, program } = checkWith(
    {
      'proj/src/app/main.ail':
        'module app/main\nimport lib/a (one)\nimport ./b (two)\nexport func main() -> int = one() + two()\n',
      'proj/ailang.toml': '',
      'proj/src/lib/a.ail': 'module lib/a\nexport func one() -> int = 1\n',
      'proj/src/app/b.ail': 'module app/b\nimport ../lib/a (one)\nexport func two() -> int = one()\n',
    },
    null,
  );
  assert.deepEqual(diagnostics, []);
  assert.equal(program?.modules.filter((module) => module.path === 'lib/a').length, 1);
});

test('an import relative to the directory of the entry finds the module by its own name', () => {
  const { diagnostics, program } = checkWith(
    {
      'tools/main.ail': 'module tools/main\nimport reading (one, T)\nimport ./b (two)\nfunc f(t: T) -> int = two(t)\n',
      'tools/reading.ail': 'module tools/reading\nexport type T = | A\nexport func one() -> T = A\n',
      'tools/b.ail': 'module tools/b\nimport tools/reading (T)\nexport func two(t: T) -> int = 1\n',
    },
    null,
  );
  assert.deepEqual(diagnostics, []);
  assert.equal(program?.modules.filter((module) => module.path === 'tools/reading').length, 1);
});
