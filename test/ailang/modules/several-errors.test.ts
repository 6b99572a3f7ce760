import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFiles, checkText, place } from '../checking.js';

/** Text after the header of `m`, and every finding. */
const cases: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'a syntax error does not hide the type errors of other declarations',
    'func a(x: int -> int = x\nfunc b() -> int = "b"\nfunc c() -> int = nope',
    ['PAR011 2:22', 'TC001 3:19', 'TC002 4:19'],
  ],
  [
    'what a declaration with a syntax error defines is not reported as missing',
    'func twice(x: int) -> int = { x * }\ntype Shape = Circle(float | Square\nfunc b(s: Shape) -> int = match s { Circle(_) => twice(1), Square => twice("x") }',
    ['PAR_NO_PREFIX_PARSE 2:35', 'PAR011 3:27', 'TC001 4:76'],
  ],
  [
    'names of an import with a syntax error are not reported as missing',
    'import std/list map, filter\nfunc b() -> [int] = map(\\x. x, [1])\nfunc c() -> int = nope',
    ['IMP012_UNSUPPORTED_NAMESPACE 2:1', 'PAR001 2:20', 'TC002 4:19'],
  ],
  ['an undefined name is one error', 'func f() -> int { let x = nope(1); x + 1; x.name; "${x}"; x }', ['TC002 2:27']],
  ['an unknown type is one error', 'func f(x: Foo) -> int = x.a + x.b', ['TC002 2:11']],
  [
    'an unknown constructor is one error',
    'func f(x: int) -> int = match [x] { Foo(a, b) => a ++ b, _ => 1 }',
    ['TC_MATCH_001 2:37'],
  ],
  [
    'a wrong pattern is one error',
    'import std/option (Option, Some, None)\nimport std/result (Result, Ok, Err)\nfunc f(x: Option[int]) -> int = match x { Ok(v) => v, Err(m) => m }',
    ['TC001 4:43'],
  ],
  ['arms of another type are one error', 'func f(x: int) { match x { 1 => "a", 2 => 2, _ => 3 } }', ['TC001 2:43']],
  ['a list of mixed items is one error', 'func f() = ["a", 1, 2, 3]', ['TC001 2:18']],
  ['a missing field is one error', 'func f(r: { a: int }) -> int = r.b.c + r.a', ['TC_REC_001 2:34']],
  [
    'a symbol that is not exported is one error',
    'import std/list (maap)\nfunc f() -> [int] = maap(\\x. x, [1])',
    ['IMP010 2:18'],
  ],
  [
    'a module that is not found is one error',
    'import lib/x (a, B)\nimport lib/y as Y\nfunc f(b: B) -> Y.T = Y.f(a(b))',
    ['LDR001 2:8', 'LDR001 3:8'],
  ],
];
for (const [what, text, findings] of cases) {
  test(what, () => assert.deepEqual(checkText(text).diagnostics.map(place), findings));
}

test('a syntax error in an imported module is reported once, and no name of it is', () => {
  const { diagnostics } = checkFiles({
    'm.ail': 'module m\nimport n (good, bad)\nfunc f() -> int = good() + bad()\nfunc g() -> string = good()\n',
    'n.ail': 'module n\nexport func good() -> int = 1\nexport func bad() -> int = )\n',
  });
  assert.deepEqual(
    diagnostics.map((found) => `${found.position?.file} ${place(found)}`),
    ['n.ail PAR_NO_PREFIX_PARSE 3:28', 'm.ail TC001 4:22'],
  );
});
