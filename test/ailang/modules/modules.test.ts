import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFiles, place } from '../checking.js';

const main = (imports: string, body: string) => `module app/main\n${imports}\nexport func main() -> int = ${body}\n`;

test('project-relative and relative imports are found, in module-path space', () => {
  const { diagnostics, program, sources } = checkFiles({
    'app/main.ail': main('import lib/a (one)\nimport ./b as B\nimport ../lib/c (three)', 'one() + B.two() + three'),
    'lib/a.ail': 'module lib/a\nexport func one() -> int = 1\n',
    'app/b.ail': 'module app/b\nimport lib/a (one)\nexport func two() -> int = one() + 1\n',
    'lib/c.ail': 'module lib/c\nexport func three() -> int = 3\n',
  });
  assert.deepEqual(diagnostics.map(place), ['TC001 5:47'], 'three is a function');
  assert.equal(program, null);
  assert.deepEqual(
    sources.map((source) => source.path),
    ['app/main.ail', 'lib/a.ail', 'app/b.ail', 'lib/c.ail'],
  );
});

test('modules come after those they refer to, the root last', () => {
  const { program } = checkFiles({
    'app/main.ail': main('import ./b (two)', 'two()'),
    'app/b.ail': 'module app/b\nimport ./c (one)\nexport func two() -> int = one() + 1\n',
    'app/c.ail': 'module app/c\nimport std/list (length)\nexport func one() -> int = length([1])\n',
  });
  const order = program?.modules.map((module) => module.path) ?? [];
  assert.deepEqual(
    order.filter((path) => path.startsWith('app/')),
    ['app/c', 'app/b', 'app/main'],
  );
  assert.ok(order.indexOf('std/option') < order.indexOf('std/list'));
  assert.ok(order.indexOf('std/list') < order.indexOf('app/c'));
  assert.equal(program?.root, 'app/main');
});

const findings: readonly (readonly [string, Readonly<Record<string, string>>, string, RegExp])[] = [
  ['a file that does not exist', { 'app/main.ail': main('import lib/a (x)', '1') }, 'LDR001 2:8', /Create lib\/a\.ail/],
  [
    'a library module with another name',
    { 'app/main.ail': main('import std/lists (x)', '1') },
    'LDR001 2:8',
    /std\/list\?/,
  ],
  ['a library module without std', { 'app/main.ail': main('import list (x)', '1') }, 'LDR001 2:8', /std\/list\?/],
  [
    'a package without a lock file',
    { 'app/main.ail': main('import pkg/v/n/m (x)', '1') },
    'LDR001 2:8',
    /standard library/,
  ],
  [
    'a path out of the project',
    { 'app/main.ail': main('import ../../x (y)', '1') },
    'LDR001 2:8',
    /root of the project/,
  ],
  [
    'a name that is not exported',
    {
      'app/main.ail': main('import ./b (two)', '1'),
      'app/b.ail': 'module app/b\nfunc two() -> int = 2\nexport func too() -> int = 2',
    },
    'IMP010 2:13',
    /`too`/,
  ],
  [
    'a built-in type, which no module exports,',
    { 'app/main.ail': main('import std/map (Map)\nfunc f(m: Map[int, int]) -> int = 1', '1') },
    'IMP010 2:17',
    /built in/,
  ],
  [
    'a file without a module line',
    { 'app/main.ail': main('import ./b (x)', '1'), 'app/b.ail': 'func x() -> int = 1' },
    'MOD012 2:8',
    /module app\/b/,
  ],
  ['another module path than the file', { 'app/main.ail': 'module other/main\n' }, 'MOD010 1:1', /module app\/main/],
  [
    'an import that is also defined',
    { 'app/main.ail': main('import std/list (map)\nfunc map(x: int) -> int = x', '1') },
    'MOD015 2:18',
    /rename/,
  ],
  ['a private export', { 'app/main.ail': main('export func _x() -> int = 1', '1') }, 'MOD006 2:13', /export func x/],
  [
    'names of other modules a module imports',
    { 'app/main.ail': main('import ./b (length)', '1'), 'app/b.ail': 'module app/b\nimport std/list (length)\n' },
    'IMP010 2:13',
    /std\/list/,
  ],
];
for (const [what, files, finding, hint] of findings) {
  test(`${what} is ${finding}`, () => {
    const [first] = checkFiles(files).diagnostics;
    assert.ok(first !== undefined, 'an error is reported');
    assert.equal(place(first), finding, first.message);
    assert.match(first.suggestion ?? '', hint);
  });
}

test('a file cannot take the path of a library module, nor change what others import', () => {
  const json = 'module std/json\nexport type Json = Other(int)\nexport func f(x: Json) -> string = _json_encode(x)\n';
  assert.deepEqual(checkFiles({ 'std/json.ail': json }).diagnostics.map(place), ['MOD013 1:1']);
  assert.deepEqual(checkFiles({ 'json.ail': json }, { relaxModules: true }).diagnostics.map(place), ['MOD013 1:1']);
  const user = 'import std/json (Json, js, encode)\nexport func main() -> () ! {IO} { println(encode(js("a"))) }';
  assert.deepEqual(checkFiles({ 'm.ail': `module m\n${user}` }).diagnostics, []);
});

test('modules that import each other are an error that names the cycle', () => {
  const { diagnostics } = checkFiles({
    'a.ail': 'module a\nimport b (x)\nexport func y() -> int = 1\n',
    'b.ail': 'module b\nimport a (y)\nexport func x() -> int = 1\n',
  });
  assert.deepEqual(diagnostics.map(place), ['LDR002 2:8']);
  assert.match(diagnostics[0]?.message ?? '', /a → b → a/);
});

test('a module may live below a directory that has an ailang.toml, or anywhere when relaxed', () => {
  const files = {
    'sub/app/main.ail': main('import lib/a (one)', 'one()'),
    'sub/lib/a.ail': 'module lib/a\nexport func one() -> int = 1\n',
  };
  assert.equal(checkFiles(files).diagnostics[0]?.code, 'MOD010');
  assert.deepEqual(checkFiles({ ...files, 'sub/ailang.toml': '' }).diagnostics, []);
  assert.deepEqual(checkFiles(files, { relaxModules: true }).diagnostics, []);
});

test('println and show need no import; Option and Result come with main', () => {
  const entry =
    'module m\nexport func main() -> () ! {IO} { print(show(Some(1))); match Ok(1) { Ok(_) => println("a"), Err(_) => () } }';
  assert.deepEqual(checkFiles({ 'm.ail': entry }).diagnostics, []);
  const library = 'module m\nexport func f(x: Option[int]) -> () ! {IO} = println("a")';
  assert.deepEqual(checkFiles({ 'm.ail': library }).diagnostics.map(place), ['TC002 2:18']);
});

test('own declarations override prelude names, locals override imports', () => {
  const text =
    'module m\nimport std/list (length)\ntype Option[a] = Some(a) | None\ntype Result[a] = Ok(a) | Err(string)\nexport func main() -> int {\n  let length = 3\n  match Ok(Some(length)) { Ok(Some(n)) => n, _ => 0 }\n}';
  assert.deepEqual(checkFiles({ 'm.ail': text }).diagnostics, []);
});

test('the interface lists exports sorted, with effects and renamed variables', () => {
  const text =
    'module m\nexport type T[x] = B(x, int) | A\nexport type P = { n: int }\nexport func g[z](x: z, p: P) -> [z] ! {FS, IO} = [x]\nexport pure func f() -> T[int] = A\nfunc hidden() -> int = 1';
  assert.deepEqual(checkFiles({ 'm.ail': text }).interface, {
    module: 'm',
    types: [
      { name: 'P', alias: '{n: int}' },
      { name: 'T', params: ['a'], ctors: ['A', 'B(a, int)'] },
    ],
    funcs: [
      { name: 'f', type: '(())->T[int]', effects: [], pure: true },
      { name: 'g', type: '(a,{n: int})->[a]!{FS,IO}', effects: ['FS', 'IO'], pure: false },
    ],
  });
});

test('entries tell how arguments are decoded', () => {
  const text =
    'module m\ntype P = { n: int, xs: [float] }\nexport func f(p: P, s: string) -> () ! {IO, e} = ()\nexport func g() -> Option[int] = None\nexport func main() -> int = 1';
  assert.deepEqual(checkFiles({ 'm.ail': text }).program?.entries, [
    {
      name: 'f',
      parameters: [
        {
          k: 'record',
          fields: [
            { name: 'n', type: { k: 'int' } },
            { name: 'xs', type: { k: 'list', item: { k: 'float' } } },
          ],
        },
        { k: 'string' },
      ],
      effects: ['IO'],
      openRow: true,
      returnsUnit: true,
    },
    { name: 'g', parameters: [], effects: [], openRow: false, returnsUnit: false },
    { name: 'main', parameters: [], effects: [], openRow: false, returnsUnit: false },
  ]);
});

test('a missing entry file is LDR001 without a place', () => {
  const { diagnostics } = checkFiles({ 'a.ail': 'module a' });
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(checkFiles({}).diagnostics.map(place), ['LDR001']);
});
