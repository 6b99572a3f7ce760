import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkText, place } from '../checking.js';

/** Code and place inside the body below, what the hint says, and the body once the hint is followed. */
type Mistake = readonly [body: string, finding: string, hint: RegExp, fixed?: string];

const inBody: readonly Mistake[] = [
  ['for x in [1] { println("a") }', 'PAR001 4:3', /forEachE/, 'forEachE(\\x. println("a"), [1])'],
  ['for (let i = 0; i < 3; i++) { println("x") }', 'PAR001 4:3', /recursive function/],
  ['while true { println("x") }', 'PAR001 4:3', /recursive function/],
  ['return 1', 'PAR001 4:3', /last expression/, '1'],
  ['const x = 1', 'PAR014 4:3', /let x = 1/, 'let x = 1'],
  ['var x = 1', 'PAR001 4:3', /let x = 1/, 'let x = 1'],
  ['let mut x = 1', 'PAR001 4:7', /let x/, 'let x = 1'],
  ['let x = 1\n  x = 2', 'PAR015 5:3', /let x = 2/, 'let x = 1\n  let x = 2'],
  ['let x = 1\n  x += 1', 'PAR015 5:5', /let y = x \+ 1/, 'let x = 1\n  let y = x + 1'],
  ['let rec f = \\n. f(n)', 'PAR018 4:7', /letrec f/, 'letrec f = \\n. f(n)'],
  ['match 1 with { 1 => (), _ => () }', 'PAR019 4:11', /match x \{/, 'match 1 { 1 => (), _ => () }'],
  ['let a = 1 let b = 2', 'PAR020 4:13', /`;` before `let`/, 'let a = 1; let b = 2'],
  ['println("a") println("b")', 'PAR020 4:16', /`;`/, 'println("a"); println("b")'],
  ['let f = \\x -> x', 'PAR001 4:14', /\\x\. e/, 'let f = \\x. x'],
  ['let f = \\x => x', 'PAR001 4:14', /\\x\. e/, 'let f = \\x. x'],
  ['let f = x => x', 'PAR001 4:13', /\\x\. e/, 'let f = \\x. x'],
  ['let f = (a, b) => a', 'PAR001 4:18', /\\a b\. e/, 'let f = \\a b. a'],
  ['let f = \\(a, b). a', 'PAR001 4:12', /match t \{ \(a, b\)/, 'let f = \\t. match t { (a, b) => a }'],
  ['let f = \\x: int. x', 'PAR001 4:13', /func\(x: int\) -> int/, 'let f = func(x: int) -> int { x }'],
  ['let f = fn(x) { x }', 'PAR001 4:11', /\\x\. e/, 'let f = \\x. x'],
  ['let f(x) = x', 'PAR001 4:8', /\\x\. e/, 'let f = \\x. x'],
  ['let (a, b) = (1, 2)', 'PAR001 4:7', /match \(1, 2\) \{ \(a, b\)/, 'match (1, 2) { (a, b) => println("${a}") }'],
  ['let {a} = { a: 1 }', 'PAR001 4:7', /e\.a/, 'let a = { a: 1 }.a'],
  ['println(show([1][0]))', 'PAR001 4:19', /nth\(xs, i\)/],
  ['let xs = [1]\n  println(show(xs[0]))', 'PAR001 5:18', /nth\(xs, i\)/, 'let xs = [1]\n  println(show(nth(xs, 0)))'],
  [
    'if true { println("a") } else { println("b") }',
    'PAR001 4:11',
    /then/,
    'if true then { println("a") } else { println("b") }',
  ],
  ['if true then println("a")', 'PAR001 4:3', /else \(\)/, 'if true then println("a") else ()'],
  ['if true then 1 elif false then 2 else 3', 'PAR001 4:18', /else if/, 'if true then 1 else if false then 2 else 3'],
  ['let x = true ? 1 : 2', 'PAR001 4:16', /if true then x else y/, 'let x = if true then 1 else 2'],
  ['func helper(x: int) -> int { x }', 'PAR001 4:8', /letrec helper = /, 'letrec helper = \\x. x'],
  ['print "hi"', 'PAR001 4:3', /print\("text"\)/, 'print("hi")'],
  ['let test = 1', 'PAR012 4:7', /test_/, 'let test_ = 1'],
  ['let x = true and false', 'PAR001 4:16', /&&/, 'let x = true && false'],
  ['let x = true or false', 'PAR001 4:16', /\|\|/, 'let x = true || false'],
  ['match Some(1) { Some(x) -> x, None -> 0 }', 'PAR008 4:27', /=> value/, 'match Some(1) { Some(x) => x, None => 0 }'],
  [
    'match Some(1) { case Some(x) => x, None => 0 }',
    'PAR008 4:19',
    /Some\(v\) => v/,
    'match Some(1) { Some(x) => x, None => 0 }',
  ],
  [
    'match Some(1) { | Some(x) => x | None => 0 }',
    'PAR008 4:19',
    /commas/,
    'match Some(1) { Some(x) => x, None => 0 }',
  ],
  ['match Some(1) { Some(x) => 1; None => 2 }', 'PAR008 4:31', /comma/, 'match Some(1) { Some(x) => 1, None => 2 }'],
  ['match Some(1) { Some x => 1, None => 2 }', 'PAR008 4:24', /Some\(x\)/, 'match Some(1) { Some(x) => 1, None => 2 }'],
  [
    'match [1] { [x | xs] => x, [] => 0 }',
    'PAR008 4:18',
    /\[x, \.\.\.rest\]/,
    'match [1] { [x, ...xs] => x, [] => 0 }',
  ],
  [
    'match [1] { [x, ...] => x, _ => 0 }',
    'PAT_SPREAD_NEEDS_IDENT 4:19',
    /\.\.\._/,
    'match [1] { [x, ..._] => x, _ => 0 }',
  ],
  ['match 1 { 1 | 2 => 0, _ => 1 }', 'PAR008 4:15', /one arm for each/, 'match 1 { 1 => 0, 2 => 0, _ => 1 }'],
  ['let x = 2 ** 3', 'PAR_NO_PREFIX_PARSE 4:13', /pow/],
  ['let q = 1 === 2', 'PAR_NO_PREFIX_PARSE 4:13', /==/, 'let q = 1 == 2'],
  ['let q = [1] |> show', 'PAR001 4:15', /Nest the calls/, 'let q = show([1])'],
  ['try { 1 } catch (e) { }', 'PAR001 4:3', /Result/],
  ['let p = { name = "a", age = 1 }', 'PAR_FIELD_COLON_EXPECTED 4:18', /name: value/, 'let p = { name: "a", age: 1 }'],
  ['let p = { name: "a"; age: 1 }', 'PAR_FIELD_SEPARATOR 4:22', /commas/, 'let p = { name: "a", age: 1 }'],
  ['let xs = [x * 2 for x in [1]]', 'PAR001 4:19', /map/, 'let xs = map(\\x. x * 2, [1])'],
  ['let xs = [1..10]', 'PAR001 4:14', /range\(a, b\)/, 'let xs = range(1, 10)'],
  ['let t = (1, 2)\n  t.0', 'PAR001 5:5', /match t \{ \(a, b\)/, 'let t = (1, 2)\n  match t { (a, b) => a }'],
  ['println(`a`)', 'PAR_ILLEGAL_TOKEN 4:11', /"…"/, 'println("a")'],
  ['let i = 9223372036854775808', 'PAR021 4:11', /largest int/, 'let i = 9223372036854775807'],
  ['println("a\\q")', 'PAR_ILLEGAL_TOKEN 4:13', /Double the backslash/, 'println("a\\\\q")'],
  ['println("${1 + }")', 'PAR_NO_PREFIX_PARSE 4:18', /Complete the expression/, 'println("${1 + 1}")'],
  ['let x = 1 +', 'PAR_NO_PREFIX_PARSE 4:13', /right operand/, 'let x = 1 + 1'],
  ['println("a"', 'PAR011 5:1', /Add `\)`/, 'println("a")'],
  ['new Foo(1)', 'PAR001 4:3', /Call the constructor/],
];

const program = (body: string) =>
  `import std/list (map, nth, range, forEachE)\nexport func main() -> () ! {IO} {\n  ${body}\n}\n`;

for (const [body, finding, hint, fixed] of inBody) {
  test(`${JSON.stringify(body)} is ${finding}`, () => {
    const { diagnostics } = checkText(program(body));
    const first = diagnostics.find((found) => place(found) === finding);
    assert.ok(first !== undefined, diagnostics.map((found) => `${place(found)} ${found.message}`).join('\n'));
    assert.match(first.suggestion ?? '', hint);
    if (fixed === undefined) return;
    const after = checkText(program(`${fixed}\n  ()`));
    assert.deepEqual(after.diagnostics, [], 'following the hint makes it compile');
  });
}

const atTop: readonly Mistake[] = [
  ['fn f(x: int) -> int { x }', 'PAR001 2:1', /func f\(x: int\)/, 'func f(x: int) -> int { x }'],
  ['def f(x):', 'PAR001 2:1', /func f\(x: int\)/],
  ['pub func f() -> int = 1', 'PAR001 2:1', /export/, 'export func f() -> int = 1'],
  ['class A { }', 'PAR001 2:1', /type A =/],
  ['data T = A | B', 'PAR001 2:1', /type T =/, 'type T = A | B'],
  ['enum T { A, B }', 'PAR001 2:1', /type T =/],
  ['struct T { x: int }', 'PAR001 2:1', /type T =/],
  ['from std/list import map', 'PAR005 2:1', /import std\/list \(map/, 'import std/list (map)'],
  ['import map from std/list', 'PAR005 2:12', /import std\/list \(map\)/, 'import std/list (map)'],
  ['import { map } from "std/list"', 'PAR005 2:8', /import std\/list \(map/, 'import std/list (map)'],
  ['import std/list.map', 'PAR005 2:16', /import std\/list \(map\)/, 'import std/list (map)'],
  ['import std.list (map)', 'PAR005 2:11', /std\/list/, 'import std/list (map)'],
  ['import std/list {map}', 'PAR005 2:17', /\(a, b\)/, 'import std/list (map)'],
  ['import std/list (*)', 'PAR005 2:18', /as L/, 'import std/list as L'],
  ['import std/list', 'IMP012_UNSUPPORTED_NAMESPACE 2:1', /as List/, 'import std/list as List'],
  ['import my-lib/a (b)', 'PAR_HYPHEN_IN_IMPORT 2:10', /my_lib/],
  ['func f(int x) -> int = x', 'PAR009 2:12', /x: int/, 'func f(x: int) -> int = x'],
  ['func f(x int) -> int = x', 'PAR009 2:10', /x: int/, 'func f(x: int) -> int = x'],
  ['func f(x: int): int { x }', 'PAR009 2:15', /->/, 'func f(x: int) -> int { x }'],
  ['func f(x: int) int { x }', 'PAR010 2:16', /-> int/, 'func f(x: int) -> int { x }'],
  ['func f(x: int) => x', 'PAR010 2:16', /= e/, 'func f(x: int) -> int = x'],
  ['func f(x: int = 1) -> int = x', 'PAR003 2:15', /default/, 'func f(x: int) -> int = x'],
  ['func f<a>(x: a) -> a = x', 'PAR_TYPE_ARGUMENTS 2:7', /\[a\]/, 'func f[a](x: a) -> a = x'],
  [
    'func f(x: Map<string, int>) -> int = 1',
    'PAR_TYPE_ARGUMENTS 2:14',
    /Map\[string, int\]/,
    'func f(x: Map[string, int]) -> int = 1',
  ],
  ['func f(x: Int) -> int = x', 'TC002 2:11', /`int`/, 'func f(x: int) -> int = x'],
  ['type T { x: int }', 'PAR009 2:8', /type T = /, 'type T = { x: int }'],
  ['type T = { x: int; y: int }', 'PAR_FIELD_SEPARATOR 2:18', /commas/, 'type T = { x: int, y: int }'],
  ['type T = A { x: int } | B', 'PAR_VARIANT_FIELDS 2:12', /A\(\{/, 'type T = A({ x: int }) | B'],
  ['type T = A int | B', 'PAR_VARIANT_FIELDS 2:12', /A\(int\)/, 'type T = A(int) | B'],
  ['type T = A(x: int)', 'PAR_VARIANT_FIELDS 2:12', /A\(\{ x: int \}\)/, 'type T = A({ x: int })'],
  ['type T<a> = A(a)', 'PAR_TYPE_ARGUMENTS 2:7', /T\[a\]/, 'type T[a] = A(a)'],
  ['type T = A deriving (Show)', 'PAR_DERIVING_UNSUPPORTED 2:22', /Remove/, 'type T = | A'],
  ['export let x = 1', 'PAR_UNSUPPORTED_EXPORT_LET 2:8', /export func x/, 'export func x() -> int = 1'],
  ['export class A {}', 'PAR_EXPORT_REQUIRES_FUNC 2:8', /export type A/],
  ['extern type X', 'PAR_EXTERN_REQUIRES_FUNC 2:8', /Write func/],
  ['x = 1', 'PAR015 2:3', /let x = e/, 'let x = 1'],
  [
    'func f(x: int) -> int requires { x > 0; x < 9 } { x }',
    'PAR_CONTRACT_INVALID_PRED 2:39',
    /commas|x > 0, y > 0/,
    'func f(x: int) -> int requires { x > 0, x < 9 } { x }',
  ],
  ['func f(x: int) -> int { x } }', 'PAR001 2:29', /Remove/, 'func f(x: int) -> int { x }'],
  ['func f(x: int) -> int { (x }', 'PAR011 2:28', /Add `\)`/, 'func f(x: int) -> int { (x) }'],
  ['func f(x: int) -> int { x', 'PAR002 3:1', /Add `\}`/, 'func f(x: int) -> int { x }'],
  ['module other', 'MOD002 2:1', /Remove/],
  ['let x = 1; import std/list (map)', 'IMP004 2:12', /top of the file/, 'import std/list (map)\nlet x = 1'],
  ['func f(x: int) -> int ! IO = x', 'PAR001 2:25', /! \{IO\}/, 'func f(x: int) -> int ! {IO} = x'],
  ['func f() -> int = let x = 1\n  x + 1', 'PAR017 3:3', /braces/, 'func f() -> int { let x = 1\n  x + 1 }'],
];

for (const [text, finding, hint, fixed] of atTop) {
  test(`${JSON.stringify(text)} at the top is ${finding}`, () => {
    const [first] = checkText(`${text}\n`).diagnostics;
    assert.ok(first !== undefined, 'an error is reported');
    assert.equal(place(first), finding, first.message);
    assert.match(first.suggestion ?? '', hint);
    if (fixed !== undefined)
      assert.deepEqual(checkText(`${fixed}\n`).diagnostics, [], 'following the hint makes it compile');
  });
}
