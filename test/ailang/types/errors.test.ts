import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkText, place } from '../checking.js';

type Case = readonly [text: string, finding: string, message: RegExp, hint: RegExp];

const cases: readonly Case[] = [
  ['func f(x: int) -> string = x', 'TC001 2:28', /expected string, got int/, /show\(e\)/],
  ['func f(x: int) -> float = x + 1.5', 'TC001 2:31', /expected int, got float/, /intToFloat/],
  [
    'func f(x: int) -> int = if x > 0 then 1 else "a"',
    'TC001 2:46',
    /else branch.*expected int, got string/,
    /stringToInt/,
  ],
  ['func f(x: int) -> int { let y = 1\n}', 'TC001 2:23', /expected int, got \(\)/, /last expression/],
  ['func f() -> [int] = [1, "a"]', 'TC001 2:25', /item 2 of the list/, /one type/],
  ['func f() -> string = "a" ++ "b"', 'TC001 2:26', /joins lists, not strings/, /Write "ab"/],
  ['func f() -> string = "a" + "b"', 'TC010 2:26', /no instance Num\[string\]/, /Write "ab"/],
  ['func f() -> int = 1 + "b"', 'TC001 2:23', /expected int, got string/, /Write "\$\{1\}b"/],
  ['func f(a: bool, b: bool) -> bool = a < b', 'TC010 2:38', /no instance Ord\[bool\]/, /if a then 1 else 0/],
  ['type T = A | B\nfunc f(a: T, b: T) -> bool = a == b', 'TC010 3:32', /no instance Eq\[T\]/, /deriving \(Eq\)/],
  ['func f(a: { x: int }, b: { x: int }) -> bool = a == b', 'TC010 2:50', /no instance Eq/, /deriving \(Eq\)/],
  ['func f(a: (int) -> int) -> bool = a == a', 'TC010 2:37', /no instance Eq/, /Functions cannot be compared/],
  ['func f() -> int = g', 'TC002 2:19', /undefined variable: `g`/, /Declare it/],
  ['func count(x: int) -> int = x\nfunc f() -> int = cuont(1)', 'TC002 3:19', /`cuont`/, /`count`/],
  ['func f(xs: [int]) -> [int] = map(\\x. x, xs)', 'TC002 2:30', /`map`/, /import std\/list \(map\)/],
  ['func f(xs: [int]) -> int = List.length(xs)', 'TC002 2:28', /`List`/, /import std\/list as List/],
  ['func f() -> int = let g = \\n. g(n) in 1', 'TC002 2:31', /`g`/, /letrec g/],
  ['func f(x: int) -> int { let y = x in y; y }', 'TC002 2:41', /`y`/, /let … in/],
  ['func f() -> bool = True', 'TC002 2:20', /`True`/, /true/],
  ['func f(x: Strin) -> int = 1', 'TC002 2:11', /unknown type `Strin`/, /`string`/],
  ['type T[a] = A(a)\nfunc f(t: T) -> int = 1', 'TC005 3:11', /takes 1 type argument/, /T\[a\]/],
  ['let w = \\x. x(x)', 'TC004 2:13', /infinite type/, /recursive type/],
  ['type A = [A]', 'TC008 2:6', /contains itself/, /constructor/],
  ['func f(x: int) -> int = x\nfunc f(y: int) -> int = y', 'TC002 3:6', /defined twice/, /overloading/],
  [
    'func f(x: int, y: int) -> int = x\nfunc g() -> int = f(1)',
    'TC_ARITY_001 3:19',
    /expects 2 arguments, 1 provided/,
    /partial application/,
  ],
  [
    'func f(x: int) -> int = x\nfunc g() -> int = f(1, 2)',
    'TC_ARITY_001 3:19',
    /expects 1 argument, 2 provided/,
    /f\(int\)/,
  ],
  [
    'func g(h: (int, int) -> int) -> int = h(1, 2)\nfunc f() -> int = g(\\a. \\b. a)',
    'TC_ARITY_001 3:21',
    /1 parameter/,
    /\\a b\. e/,
  ],
  ['func f(x: int) -> int = x(1)', 'TC001 2:25', /not a function/, /Only functions/],
  [
    'type T = A | B(int)\nfunc f(t: T) -> int = match t { A => 1, B(x, y) => x }',
    'TC_ARITY_001 3:41',
    /1 field, the pattern 2/,
    /B\(a\)/,
  ],
  ['type T = A | Bee(int)\nfunc f(t: T) -> int = match t { A => 1, Be(x) => x }', 'TC_MATCH_001 3:41', /`Be`/, /`Bee`/],
  ['func f(x: int) -> int = match x { "a" => 1, _ => 2 }', 'TC001 2:35', /pattern/, /matched is of type int/],
  ['func f(p: (int, int)) -> int = match p { (a, a) => a }', 'TC_MATCH_002 2:46', /binds `a` twice/, /guard/],
  ['func f(r: { name: string }) -> string = r.nme', 'TC_REC_001 2:43', /no field `nme`/, /`name`/],
  [
    'func f(r: { x: int }) -> int = r.x\nfunc g() -> int = f({ x: 1, y: 2 })',
    'TC_REC_002 3:21',
    /`y` is not part/,
    /\| r/,
  ],
  [
    'func f(r: { x: int, y: int }) -> int = r.x\nfunc g() -> int = f({ x: 1 })',
    'TC_REC_001 3:21',
    /`y` is missing/,
    /Add y/,
  ],
  ['func f(r: { x: int }) -> { x: int } = { r | y: 1 }', 'TC_REC_001 2:45', /no field `y`/, /cannot add a field/],
  ['func f(r: { x: int }) -> { x: int } = { r | x: "a" }', 'TC001 2:48', /field `x` of a record update/, /stringToInt/],
  ['func f(r) = { r | x: 1 }', 'TC_REC_003 2:15', /needs a record/, /annotate/],
  ['func f(xs: [int]) -> int = xs.length', 'TC_REC_001 2:31', /no field `length`/, /length\(xs\)/],
  ['func f(xs: [int]) -> [int] = xs.map(\\x. x)', 'TC_REC_001 2:33', /no field `map`/, /map\(f, xs\)/],
  ['func f(s: string) -> int = s.length()', 'TC_REC_001 2:30', /no field `length`/, /std\/string/],
  ['func f(p: (int, int)) -> int = p.fst', 'TC_REC_001 2:34', /no field/, /match t/],
  [
    'import std/list (length)\nfunc f(s: string) -> int = length(s)',
    'TC001 3:35',
    /expected \[a\], got string/,
    /std\/string/,
  ],
  [
    'import std/string (stringToInt)\nfunc f() -> int = stringToInt("1")',
    'TC001 3:19',
    /expected int, got Option\[int\]/,
    /Some\(v\)/,
  ],
  ['func f(x: a) -> b = x', 'TC001 2:21', /expected b, got a/, /type variable/],
  ['func f(x: int) -> int requires { x } { x }', 'TC001 2:34', /in requires/, /bool/],
  ['func f(x: int) -> int ensures { result == "a" } { x }', 'TC001 2:43', /operands/, /./],
  ['func f(x: int) -> int tests [(1, "a")] { x }', 'TC001 2:34', /expected result of a test of f/, /./],
  ['func f(x: int) -> int tests [("a", 1)] { x }', 'TC001 2:31', /in a test of f/, /./],
  ['func f(x: int) -> int properties [forall(n: int) => f(n)] { x }', 'TC001 2:53', /in a property/, /./],
  ['test "t" = 1', 'TC001 2:12', /in a test/, /bool/],
  ['extern func f(x: int) -> int', 'EXT001 2:1', /host/, /standard library/],
  ['type T = T(() -> () ! {e})', 'TC002 2:24', /effect variable `e`/, /! \{IO\}/],
  ['type B = B({ x: int | r })', 'TC002 2:21', /unknown row variable `r`/, /type T\[r\]/],
  ['type B = B({ x: int, ... })', 'TC002 2:22', /open record/, /exactly/],
  ['type R = { x: int, ... }\ntype B = B(R)', 'TC002 3:12', /open record `R`/, /exactly/],
  ['type T = A(b)', 'TC002 2:12', /unknown type `b`/, /type T\[b\]/],
  ['type A[a, a] = X(a)', 'TC005 2:11', /listed twice/, /Remove/],
  ['func f[a, a](x: a) -> a = x', 'TC005 2:11', /listed twice/, /Remove/],
  ['type A[Key] = X(int)', 'TC005 2:8', /looks like a type/, /small letter/],
  ['func f(x: a[int]) -> int = 1', 'TC005 2:11', /`a` takes 0/, /Write a\./],
  ['func f(x: Map[string]) -> int = 1', 'TC005 2:11', /`Map` takes 2/, /Map\[a, b\]/],
  ['type A = X | Y\ntype B = X | Z', 'TC002 3:10', /belongs to `A`/, /`BX`/],
  ['type A = { b: B }\ntype B = { a: A }', 'TC008 3:6', /contains itself/, /constructor/],
  ['type T = A((int) -> int) deriving (Eq)', 'TC010 2:36', /no instance Eq\[\(int\) -> int\]/, /compared/],
  ['type P = { f: (int) -> int } deriving (Eq)', 'TC010 2:40', /no instance Eq/, /compared/],
  [
    'type T[a] = A(a) deriving (Eq)\nfunc f(x: T[(int) -> int]) -> bool = x == x',
    'TC010 3:40',
    /no instance Eq/,
    /compared/,
  ],
  [
    'func g(x: a, n: int) -> a = if n > 0 then { let y = g("s", 0); x + x } else x',
    'TC010 2:53',
    /in the use of g: no instance Num\[string\]/,
    /interpolation/,
  ],
  ['func f(x) { let y = \\z. x; (y(1) + 1, x) }\nfunc g() -> int = f("a")', 'TC001 3:19', /got \(int, int\)/, /./],
  ['func f(x: int) -> int = { x | n: 1 }', 'TC_REC_003 2:27', /the type here is int/, /Only records/],
  [
    'func f(x: int) -> int = x\nfunc g() -> int = f("a")',
    'TC001 3:21',
    /expected int, got string \(because of the parameter `x` of f at 2:8\)/,
    /stringToInt/,
  ],
  ['func f() -> int {\n  "a"\n}', 'TC001 3:3', /\(because of the result type of f at 2:13\)/, /./],
  ['func f(b: bool) = if b then 1 else "a"', 'TC001 2:36', /\(because of the then branch at 2:29\)/, /./],
  ['func f() = [1, "a"]', 'TC001 2:16', /\(because of the first item at 2:13\)/, /./],
  ['func f(x: bool) = match x { true => 1, false => "a" }', 'TC001 2:49', /\(because of the first arm at 2:37\)/, /./],
  ['func f() -> () { let x: int = "a"; () }', 'TC001 2:31', /\(because of its annotation at 2:25\)/, /./],
  ['func f(x: int, y: float) = x + y', 'TC001 2:32', /\(because of the left operand at 2:28\)/, /intToFloat/],
  ['type Color = Red\nfunc f() -> Color = Red', 'TC002 2:14', /another name for a type/, /type Color = \| Red/],
  [
    'func f(a: string) -> string = "[" + a + "]" + "x"',
    'TC010 2:35',
    /no instance Num\[string\]/,
    /Write "\[\$\{a\}\]x"/,
  ],
  [
    'import std/list (head)\nfunc f(xs: [int]) -> int = head(xs) + 1',
    'TC001 3:28',
    /expected int, got Option\[int\] \(because of the right operand at 3:39\)/,
    /Some\(v\) => v/,
  ],
  [
    'import std/list (sortBy)\nfunc f(xs: [int]) -> [int] = sortBy(\\a b. a < b, xs)',
    'TC001 3:37',
    /bool is not int/,
    /then -1 else/,
  ],
];

for (const [text, finding, message, hint] of cases) {
  test(`${JSON.stringify(text)} is ${finding}`, () => {
    const { diagnostics, program } = checkText(text);
    const [first] = diagnostics;
    assert.ok(first !== undefined, 'an error is reported');
    assert.equal(place(first), finding, first.message);
    assert.match(first.message, message);
    assert.match(first.suggestion ?? '', hint);
    assert.equal(program, null);
  });
}

test('types that grow exponentially end with one clear error', () => {
  const doubling = Array.from({ length: 40 }, (_, index) => ` let x${index + 1} = (x${index}, x${index})`);
  const { diagnostics } = checkText(`func f() {\n let x0 = \\z. z\n${doubling.join('\n')}\n ()\n}`);
  assert.deepEqual(
    diagnostics.map((found) => found.code),
    ['TC008'],
  );
});

test('independent errors are all reported', () => {
  const { diagnostics } = checkText('func f() -> int = "a"\nfunc g() -> string = 1\nfunc h() -> int = nope\n');
  assert.deepEqual(diagnostics.map(place), ['TC001 2:19', 'TC001 3:22', 'TC002 4:19']);
});

test('a chain of wrong operators is one error, an arm with an error is not called unreachable', () => {
  const chain = checkText('func f(a: string) -> string = "[" + a + "]" + "x"');
  assert.deepEqual(chain.diagnostics.map(place), ['TC010 2:35']);
  const arms = checkText('func f(b: bool) -> int = match b { true => 1, false => 2, Maybe => 3 }');
  assert.deepEqual([...arms.diagnostics, ...arms.warnings].map(place), ['TC_MATCH_001 2:59']);
});

test('a type parameter that is never used is a warning', () => {
  assert.deepEqual(checkText('func f[a](x: int) -> int = x').warnings.map(place), ['TC_UNUSED_PARAMETER 2:8']);
  const used = 'func f[a, e](g: (a) -> a ! {e}, x: a) -> a ! {e} = g(x)';
  assert.deepEqual(checkText(used).warnings, []);
});
