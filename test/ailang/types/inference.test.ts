import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typeOf } from '../checking.js';

/** The declarations, and the printed type of the exported `f`. */
const cases: readonly (readonly [string, string])[] = [
  ['export func f(x) = x', '(a)->a'],
  ['export func f(x, y) = x + y', '(a,a)->a'],
  ['export func f(x) = x + 1', '(int)->int'],
  ['export func f(x) = x + 1.5', '(float)->float'],
  ['export func f() = 1', '(())->int'],
  ['export func f(g, x) = g(g(x))', '((a)->a,a)->a'],
  ['export func f(r) = r.name', '({name: a, ...b})->a'],
  ['export func f(r: { x: int | s }) = { r | x: 2 }', '({x: int, ...a})->{x: int, ...a}'],
  ['export func f(x, y) = (x, [y])', '(a,b)->(a,[b])'],
  ['export func f(x) = \\y. x', '(a)->(b)->a'],
  ['export func f(xs) = match xs { [] => 0, [_, ...rest] => 1 + f(rest) }', '([a])->int'],
  ['export func f(x, y) = x == y', '(a,a)->bool'],
  ['export func f(x) = if x then "a" else "b"', '(bool)->string'],
  ['type T[a] = L | N(T[a], a)\nexport func f(t) = match t { L => [], N(l, x) => x :: f(l) }', '(T[a])->[a]'],
  ['export func f(x) { let id = \\y. y; (id(x), id(1), id("s")) }', '(a)->(a,int,string)'],
  ['export func f() { let add = \\a b. a + b; (add(1, 2), add(1.5, 2.5)) }', '(())->(int,float)'],
  ['export func f() { let double = \\a. a * 2; double(4) }', '(())->int'],
  ['export func f() -> float { let x: float = 1; x + 2 }', '(())->float'],
  ['export func f(x: int) -> int ! {IO, FS} = x', '(int)->int!{FS,IO}'],
  ['export func f[a, e](g: (a) -> a ! {e}, x: a) -> a ! {e} = g(x)', '((a)->a!{b},a)->a!{b}'],
  ['export func f(x: Array[int], m: Map[string, [int]]) -> () = ()', '(Array[int],Map[string,[int]])->()'],
  ['type Pair[a] = (a, a)\nexport func f(p: Pair[int]) -> int = match p { (a, b) => a + b }', '((int,int))->int'],
  ['type A = B\ntype B = { x: int }\nexport func f(a: A) -> int = a.x', '({x: int})->int'],
  ['type U = U({ n: int })\nexport func f(u: U) -> int = u.n + 1', '(U)->int'],
  ['export func f(n) = g(n)\nfunc g(n) = if n == 0 then true else f(n - 1)', '(int)->bool'],
  [
    'export func f() { letrec even = \\n. if n == 0 then true else odd(n - 1)\n letrec odd = \\n. if n == 0 then false else even(n - 1)\n even(3) }',
    '(())->bool',
  ],
  ['export func f(x: a) -> a = x', '(a)->a'],
  ['export func f(x: int) -> string = "${x} ${[x]} ${\\y. y}"', '(int)->string'],
  ['import std/list (map)\nexport func f(us: [{ n: int }]) -> [int] = map(\\u. u.n, us)', '([{n: int}])->[int]'],
  ['import std/list as L\nexport func f(xs: [int]) -> int = L.length(xs)', '([int])->int'],
  ['import std/list (length as len)\nexport func f(xs: [int]) -> int = len(xs)', '([int])->int'],
  [
    'import std/option (Option as Maybe, Some as Just)\nexport func f(x: int) -> Maybe[int] = Just(x)',
    '(int)->Option[int]',
  ],
  ['export func f(g: () -> int) -> int = g()\nfunc h() -> int = f(\\_. 1)', '((())->int)->int'],
  ['export func f(x: int) -> int = _list_length([x])', '(int)->int'],
  ['export func f(g) { let k = \\x. g(x); k }', '((a)->b!{c})->(a)->b!{c}'],
  ['export func f(x) { let y = \\z. x; (y(1), y(true)) }', '(a)->(a,a)'],
  ['type R = { x: int | r }\nexport func f(r: R) -> R = { r | x: 2 }', '({x: int, ...a})->{x: int, ...a}'],
  [
    'type R = { x: int, ... }\nexport func f(r: R, s: R) -> int = r.x + s.x\nfunc g() -> int = f({ x: 1, y: 2 }, { x: 1, z: 2 })',
    '({x: int, ...a},{x: int, ...b})->int',
  ],
  [
    'type B[r] = B({ x: int | r })\nexport func f(b: B[r]) -> int = b.x\nfunc g() -> int = f(B({ x: 1, y: 2 }))',
    '(B[a])->int',
  ],
  ['type U = U({ n: int, s: string })\nexport func f(u) { let v: U = u; { v | n: 2 } }', '(U)->U'],
  ['type T[a] = A(a) | B([T[a]]) deriving (Eq)\nexport func f(x: T[a], y: T[a]) = x == y', '(T[a],T[a])->bool'],
  ['import std/map (empty)\nexport func f() -> Map[string, int] = empty()', '(())->Map[string,int]'],
  [
    'export func f() { letrec len = \\xs. match xs { [] => 0, _ :: r => 1 + len(r) }; len([1]) + len(["a"]) }',
    '(())->int',
  ],
];
for (const [text, type] of cases) {
  test(`${JSON.stringify(text)} has the type ${type}`, () => assert.equal(typeOf(text, 'f'), type));
}

test('only syntactic values are generalised', () => {
  const pair = 'export func f() { let g = h(\\y. y); (g(1), g("s")) }\nfunc h(x) = x';
  assert.match(typeOf(pair, 'f'), /^TC001/);
});

test('types of exported functions do not depend on the names inside', () => {
  const one = typeOf('export func f(x, y) { let z = x :: y; (z, x) }', 'f');
  const other = typeOf('export func f(p, q) { let r = p :: q; (r, p) }', 'f');
  assert.equal(one, other);
});
