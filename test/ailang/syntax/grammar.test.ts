import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFile } from '../../../src/ailang/syntax/parse-file.js';
import { Source } from '../../../src/ailang/syntax/source.js';
import { place } from '../checking.js';

function parse(text: string) {
  return parseFile(new Source('m.ail', text));
}

const wellFormed: readonly string[] = [
  'module a/b/c',
  'import std/list (map, filter as keep,)',
  'import std/list as L',
  'import ./d as D (x)',
  'import ../e (y)',
  'import "std/list" (map)',
  'export { a, b }',
  'func f() -> int { 1 }',
  'export pure func f[a, b](x: a, g: (a) -> b,) -> b = g(x)',
  'func f(x, y) { x }',
  'func f(x: int) ! {IO} { x }',
  'func f(x: int) -> int ! {IO @limit=5, Net @min=1 @limit=3, e} = x',
  'func f(x: int) -> int ! {IO | e} = x',
  'func f(x: int) -> int ! {Rand[mode=seeded], AI[mode=replay-only]} = x',
  'func f(x: int) -> int ! {} requires { x > 0, x < 9 } ensures { result > 0 } tests [(1, 2)] properties [forall(n: int) => n == n] { x }',
  'func f(x: int) -> int requires {} { x }',
  'func f(a: int, b: int) -> int tests [((1, 2), 3)] { a + b }',
  '@verify(depth: 3)\nexport func f() -> int = 1',
  'func f() -> () = a(); b(); c()\nfunc g() -> int = 1',
  'type T = A | B(int, string) deriving (Eq)',
  'type T = | A',
  'type T[a, b] = A(a) | B(b)',
  'export type P = { name: string, age: int } deriving (Eq)',
  'type Open = { x: int, ... }',
  'type Row[r] = { x: int | r }',
  'type Alias = Map[string, [Option[int]]]',
  'type F = (int, int) -> int -> [int] ! {IO}',
  'type U = () -> ()',
  'type L = string<secret>',
  'type N = string{not secret}',
  'extern func f(x: int) -> int ! {IO}',
  'test "one" = 1 == 1',
  'property "two" (x: int, y: int) = x + y == y + x',
  'let x = 1\nletrec f = \\n. f(n)',
  'let r = { a: 1, "b": 2, }\nlet s = { r | a: 2 }\nlet t = { f(x) | a: 1, }',
  'let t = (1, "a", true)\nlet u = ()\nlet a = #[1, 2]',
  'let f = func(x: int) -> int ! {IO} { x }\nlet g = func(x) => x',
  'let m = match x { 1 => a, -1 => b, 1.5 => c, "s" => d, true => e, () => f, _ => g }',
  'let m = match x { Some(Ok(y)) if y > 1 => y, [] => 0, [a, b, ...rest] => a, h :: t => h, ::(h, t) => h, (a, _) => a, {a, b: {c}, ...} => c }',
  'let m = match x {\n  A => 1\n  B => 2\n}',
  'let q = forall i: 0..10 => i >= 0',
  'func f() -> int {\n  let a = 1\n  let b = 2;\n  a\n  + b\n}',
  'func f() -> () {\n  g()\n  (1, 2)\n  [3]\n  "x"\n}',
  'func f() -> () {}',
  'let s = "a ${x} b ${f("c")}"',
  'let y = match x { n if (flag) => 1, (a, b) if (a) && (b) => 2, n if f((n), (1)) => 3, _ => 4 }',
  'func f(n: int) -> bool requires { forall i: (0)..(n) => i >= 0 } { true }',
  'let xs = x::[]',
  'let xs = ys ++[1]',
];
for (const text of wellFormed) {
  test(`parses ${JSON.stringify(text)}`, () => assert.deepEqual(parse(text).diagnostics, []));
}

test('a line break before `(` ends a call', () => {
  const { file } = parse('func f() -> int {\n  g\n  (1)\n}');
  const [declaration] = file.declarations;
  assert.equal(
    declaration?.k === 'function' && declaration.body.k === 'block' && declaration.body.statements.length,
    2,
  );
});

test('clauses, tests, properties and attributes stay in the tree', () => {
  const { file } = parse(
    '@verify(depth: 3)\nfunc f(x: int) -> int requires { x > 0 } ensures { result > 0 } tests [(1, 1)] properties [forall(n: int) => true] { x }',
  );
  const [declaration] = file.declarations;
  assert.equal(declaration?.k, 'function');
  if (declaration?.k !== 'function') return;
  assert.equal(declaration.attributes[0]?.arguments, 'depth: 3');
  assert.equal(declaration.requires?.length, 1);
  assert.equal(declaration.ensures?.length, 1);
  assert.equal(declaration.tests?.length, 1);
  assert.equal(declaration.properties?.length, 1);
});

test('one file reports several errors, each at its place', () => {
  const { diagnostics } = parse(
    'func f() -> int { 1 + }\nfunc g() -> int {\n  let x = ;\n  let y = )\n  y\n}\ntype T { x: int }\nfunc h() -> int = 1\n',
  );
  assert.deepEqual(diagnostics.map(place), [
    'PAR_NO_PREFIX_PARSE 1:23',
    'PAR_NO_PREFIX_PARSE 3:11',
    'PAR_NO_PREFIX_PARSE 4:11',
    'PAR009 7:8',
  ]);
});
