import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFiles, checkText, place, typeOf } from '../checking.js';

const refused: readonly (readonly [string, string, RegExp, RegExp])[] = [
  [
    'func f(x: int) -> int { println("a"); x }',
    'TC009 2:25',
    /function `f` uses IO \(by `println`\) but declares no effects/,
    /! \{IO\}/,
  ],
  ['pure func f(x: int) -> int { println("a"); x }', 'TC009 2:30', /`f` uses IO/, /Remove `pure`/],
  ['func f(x: int) -> int ! {} { println("a"); x }', 'TC009 2:30', /`f` uses IO/, /! \{IO\}/],
  ['pure func f(x: int) -> int ! {IO} { x }', 'TC009 2:28', /pure function/, /Remove `pure`/],
  [
    'import std/fs (readFile)\nfunc f() -> string ! {IO} { println("a"); readFile("x") }',
    'TC009 3:43',
    /uses FS/,
    /! \{FS, IO\}/,
  ],
  ['func g() -> () ! {IO} = println("x")\nfunc f() -> () = g()', 'TC009 3:18', /by `g`/, /callers/],
  [
    'import std/list (map)\nfunc f() -> [()] ! {IO} = map(\\x. println("a"), [1])',
    'TC009 3:31',
    /IO are not allowed/,
    /mapE/,
  ],
  [
    'import std/list (foldl)\nfunc f() -> int ! {IO} = foldl(\\a x. { println("a"); a }, 0, [1])',
    'TC009 3:32',
    /IO are not allowed/,
    /foldlE/,
  ],
  ['func f() -> () = { let g = \\x. println(x); g("a") }', 'TC009 2:44', /by `g`/, /! \{IO\}/],
  ['func f(g: (int) -> int ! {e}) -> int = g(1)', 'TC009 2:40', /uses e/, /! \{e\}/],
  [
    'func p(x: int) -> bool ! {IO} = true\nfunc f(x: int) -> int ! {IO} requires { p(x) } { x }',
    'TC009 3:41',
    /has effects/,
    /pure/,
  ],
  ['func f() -> int ! {Foo} = 1', 'PAR_EFF002_UNKNOWN 2:20', /`Foo`/, /IO, FS/],
  ['func f() -> int ! {Nett} = 1', 'PAR_EFF002_UNKNOWN 2:20', /`Nett`/, /`Net`/],
  ['func f() -> int ! {io} = 1', 'PAR_EFF002_UNKNOWN 2:20', /`io`/, /`IO`/],
  ['func f() -> int ! {IO, IO} = 1', 'PAR_EFF001_DUP 2:24', /twice/, /once/],
  ['func f() -> int ! {IO @max=1} = 1', 'PAR_EFF003 2:24', /limit or min/, /@limit=N/],
  ['func f() -> int ! {IO @limit 1} = 1', 'PAR_EFF004 2:30', /=/, /@limit=N/],
  ['func f() -> int ! {IO @limit=x} = 1', 'PAR_EFF005 2:30', /whole number/, /@limit=N/],
  ['func f() -> int ! {IO @limit=-1} = 1', 'PAR_EFF006_NEGATIVE 2:30', /negative/, /@limit=N/],
  ['func f() -> int ! {Rand[mode=loud]} = 1', 'EFF_UNKNOWN_MODE 2:30', /`loud`/, /seeded/],
  ['func f() -> int ! {Rand[size=os]} = 1', 'EFF_UNKNOWN_PARAM_KEY 2:25', /`size`/, /mode/],
  ['func f() -> int ! {IO[mode=os]} = 1', 'EFF_PARAMS_NOT_SUPPORTED 2:23', /no parameters/, /IO/],
  [
    'func run(k: () -> () -> ()) -> () = k()()\nfunc f(g: (() -> () -> () ! {IO}) -> ()) -> () = g(\\_. \\_. println("x"))\nfunc h() -> () = f(run)',
    'TC009 4:20',
    /the effects IO are not allowed/,
    /./,
  ],
  ['func f(fs: [() -> () ! {IO}]) -> [() -> ()] = fs', 'TC009 2:47', /the effects IO/, /./],
  [
    'type H = H(() -> () ! {IO})\ntype P = P(() -> ())\nfunc f(h: H) -> P = match h { H(g) => P(g) }',
    'TC009 4:41',
    /IO/,
    /./,
  ],
  ['let x = println("a")', 'TC009 2:9', /`println` uses IO outside of a function/, /func main/],
  ['println("a")', 'TC009 2:1', /outside of a function/, /func main/],
  [
    'func f() -> () ! {IO} { let g = func(x: string) -> () ! {FS} { println(x) }; () }',
    'TC009 2:64',
    /this function uses IO/,
    /Add IO/,
  ],
  ['func f(g: (int) -> bool ! {e}) -> int ! {e} requires { g(1) } { 1 }', 'TC009 2:56', /`g` has effects/, /pure/],
  ['func g() -> int ! {Rand} = 1\nfunc f() -> int ! {Rand[mode=seeded]} = g()', 'TC009 3:41', /uses Rand/, /./],
  [
    'func f(k: () -> int ! {Rand[mode=seeded]}) -> int ! {Rand[mode=crypto]} = k()',
    'TC009 2:75',
    /Rand\[mode=seeded\]/,
    /./,
  ],
];
for (const [text, finding, message, hint] of refused) {
  test(`${JSON.stringify(text)} is ${finding}`, () => {
    const [first] = checkText(text).diagnostics;
    assert.ok(first !== undefined, 'an error is reported');
    assert.equal(place(first), finding, first.message);
    assert.match(first.message, message);
    assert.match(first.suggestion ?? '', hint);
  });
}

const accepted: readonly string[] = [
  'func f() -> int ! {IO, FS} = 1',
  'func g() -> () ! {IO} = println("x")\nfunc f() -> () ! {IO, Net} = g()',
  'import std/list (mapE)\nfunc f() -> [()] ! {IO} = mapE(\\x. println("a"), [1])',
  'import std/list (mapE)\nfunc f() -> [int] = mapE(\\x. x + 1, [1])',
  'func h(g: (int) -> int ! {IO}) -> int ! {IO} = g(1)\nfunc f() -> int ! {IO} = h(\\x. x)',
  'func f(g: (int) -> int ! {IO, e}) -> int ! {IO | e} = g(1)',
  'func k(g: (int) -> () ! {e}) -> () ! {e} = g(1)\nfunc f() -> () ! {IO} = k(\\x. println("a"))',
  'import std/debug (log)\npure func f() -> () = log("x")',
  'func f() -> int = { let g = \\x. println(x); 1 }',
  'func f() -> () -> () ! {IO} = \\_. println("a")',
  'func f(fs: [() -> ()]) -> [() -> () ! {IO}] = fs',
  'func f(r: { run: () -> () }) -> { run: () -> () ! {IO} } = r',
  'func p(s: string) -> () = ()\nfunc q(s: string) -> () ! {IO} = println(s)\nfunc f(b: bool) -> () ! {IO} { let g = if b then p else q; g("x") }',
  'func g() -> int ! {Rand[mode=os]} = 1\nfunc f() -> int ! {Rand} = g()',
  'func f(g: (b) -> c ! {e}, h: (a) -> b ! {e}) -> (a) -> c ! {e} = \\x. g(h(x))\nfunc k() -> () ! {IO} = f(println, show)(1)\nfunc l() -> int = f(\\x. x + 1, \\x. x * 2)(1)',
];
for (const text of accepted) {
  test(`${JSON.stringify(text)} is accepted`, () => assert.deepEqual(checkText(text).diagnostics, []));
}

test('budgets reach Core', () => {
  const { program } = checkText('export func f() -> int ! {IO @limit=5, Net @min=1 @limit=3, FS} = 1');
  assert.deepEqual(program?.modules.at(-1)?.functions[0]?.budgets, [
    { effect: 'IO', limit: 5, min: null },
    { effect: 'Net', limit: 3, min: 1 },
  ]);
});

test('the default mode of an effect is not written', () => {
  assert.equal(typeOf('export func f() -> int ! {Rand[mode=os]} = 1', 'f'), '(())->int!{Rand}');
  assert.equal(typeOf('export func f() -> int ! {Rand[mode=seeded]} = 1', 'f'), '(())->int!{Rand[mode=seeded]}');
});

test('a script may have effects outside of functions', () => {
  assert.deepEqual(checkFiles({ 's.ail': 'println("a")\nlet x = println("b")\n' }).diagnostics, []);
});
