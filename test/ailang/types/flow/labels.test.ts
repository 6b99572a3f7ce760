import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFiles, checkText, place, typeOf } from '../../checking.js';

const world = `func put(s: string{not secret}) -> () ! {IO} = println(s)
func key() -> string<secret> = "k"
func keys() -> [string<secret>] = ["k"]
type User = { name: string, token: string<secret> }
type Cred = Cred(string<secret>, string)
type Box[a] = Box(a) | Empty
type Wrap = Wrap({ name: string, token: string<secret> })
`;

/** Code on line 9, below `world`, and what is found. */
const cases: readonly (readonly [string, readonly string[]])[] = [
  ['func f() -> () ! {IO} = put(key())', ['TC_LABEL_001 9:29']],
  ['func f() -> () ! {IO} = println(key())', []],
  ['func f() -> () ! {IO} { let x = key(); let y = "key: ${x}"; put(y) }', ['TC_LABEL_001 9:65']],
  ['func f() -> () ! {IO} = put(show((key(), 1)))', ['TC_LABEL_001 9:29']],
  ['func f() -> () ! {IO} = put(if key() == "k" then "yes" else "no")', []],
  ['func f(b: bool) -> () ! {IO} = put(if b then key() else "no")', ['TC_LABEL_001 9:36']],
  ['func f(b: bool) -> () ! {IO} = put(match b { true => "a", _ => key() })', ['TC_LABEL_001 9:36']],
  ['func f(u: User) -> () ! {IO} = put(u.name)', []],
  ['func f(u: User) -> () ! {IO} = put(u.token)', ['TC_LABEL_001 9:36']],
  ['func f(u: User) -> () ! {IO} = put(show(u))', ['TC_LABEL_001 9:36']],
  ['func f(u: User) -> User = { u | token: "x" }', []],
  ['func f(w: Wrap) -> () ! {IO} { put(w.name); put(w.token) }', ['TC_LABEL_001 9:49']],
  ['func f(c: Cred) -> () ! {IO} = match c { Cred(k, n) => { put(n); put(k) } }', ['TC_LABEL_001 9:70']],
  ['func f() -> () ! {IO} = match Box(key()) { Box(x) => put(x), Empty => () }', ['TC_LABEL_001 9:58']],
  ['func f() -> () ! {IO} = match (key(), "a") { (x, y) => { put(y); put(x) } }', ['TC_LABEL_001 9:70']],
  ['func f() -> () ! {IO} = match keys() { k :: _ => put(k), [] => () }', ['TC_LABEL_001 9:54']],
  ['func f() -> () ! {IO} = match { a: key(), b: "x" } { { a, b } => { put(b); put(a) } }', ['TC_LABEL_001 9:80']],
  ['func f() -> () ! {IO} { let say = \\s. put(s); say("a"); say(key()) }', ['TC_LABEL_001 9:43']],
  ['func f() -> () -> () ! {IO} = \\_. put(key())', ['TC_LABEL_001 9:39']],
  ['func f(s: string) -> () ! {IO} = put(s)\nfunc g() -> () ! {IO} = f(key())', ['TC_LABEL_001 10:27']],
  [
    'func f(a: string, b: string, n: int) -> () ! {IO} = if n == 0 then put(b) else f(b, a, n - 1)\nfunc g() -> () ! {IO} = f(key(), "", 3)',
    ['TC_LABEL_001 10:27'],
  ],
  ['func f(s: string) -> string = s\nfunc g() -> () ! {IO} = put(f(key()))', ['TC_LABEL_001 10:29']],
  ['func f(s: string) -> string ! {IO} = "x"\nfunc g() -> () ! {IO} = put(f(key()))', []],
  ['func f(put2: (string{not a}) -> (), s: string<a>) -> () = put2(s)', ['TC_LABEL_001 9:64']],
  ['func f() -> string = key()', ['TC_LABEL_002 9:22']],
  ['func f() -> string<secret> = key()', []],
  ['func f() -> string<other> = key()', ['TC_LABEL_002 9:29']],
  ['func f() -> string ! {Declassify} = key()', []],
  ['func f() -> string ! {Declassify} = key()\nfunc g() -> () ! {IO, Declassify} = put(f())', []],
  ['func f() -> string ! {Declassify} = key()\nfunc g() -> () ! {IO} = put(f())', ['TC009 10:29']],
  ['func f() -> () { let t: string = key(); () }', ['TC_LABEL_002 9:34']],
  ['func f() -> () { let t: string<secret> = key(); () }', []],
  ['func f() -> () { let t: string{not secret} = key(); () }', ['TC_LABEL_001 9:46']],
  ['func f() -> string<secret> = "raised"', []],
  ['let k: string<secret> = "k"\nfunc f() -> () ! {IO} = put(k)', ['TC_LABEL_001 10:29']],
  ['func f() = key()\nfunc g() -> () ! {IO} = put(f())', ['TC_LABEL_001 10:29']],
];
for (const [text, findings] of cases) {
  test(`${JSON.stringify(text)} gives ${findings.join(', ') || 'no finding'}`, () =>
    assert.deepEqual(checkText(world + text).diagnostics.map(place), findings));
}

test('labels follow values through the functions of the library', () => {
  const text = (body: string) =>
    `import std/list (map, forEachE)\nimport std/string (toUpper, length)\n${world}func f() -> () ! {IO} = ${body}`;
  const found = (body: string) => checkText(text(body)).diagnostics.map(({ code }) => code);
  for (const body of [
    'put(toUpper(key()))',
    'put(show(length(key())))',
    'forEachE(\\k. put(k), keys())',
    'forEachE(put, keys())',
    'put(show(map(\\k. "<${k}>", keys())))',
  ])
    assert.deepEqual(found(body), ['TC_LABEL_001'], body);
  assert.deepEqual(found('forEachE(\\k. put("x"), keys())'), []);
});

test('what a function of another module refuses and carries is known', () => {
  const { diagnostics } = checkFiles({
    'm.ail':
      'module m\nimport n (relay, open, User)\nfunc f(u: User) -> () ! {IO} { relay(u.name); relay(u.token) }\nfunc g(u: User) -> string = u.token\n',
    'n.ail':
      'module n\nexport type User = { name: string, token: string<secret> }\nfunc put(s: string{not secret}) -> () ! {IO} = println(s)\nexport func relay(s: string) -> () ! {IO} = put(s)\nexport func open(s: string<secret>) -> string ! {Declassify} = s\n',
  });
  assert.deepEqual(diagnostics.map(place), ['TC_LABEL_001 3:53', 'TC_LABEL_002 4:29']);
});

const written: readonly (readonly [string, string, RegExp])[] = [
  ['func f(s: string<secretKey>) -> int = 1', 'PAR_LABEL_NAME 2:18', /<secret_key>/],
  ['func f(s: string{not A}) -> int = 1', 'PAR_REFINE_NAME 2:22', /\{not a\}/],
  ['func f(s: string<a><b>) -> int = 1', 'PAR_LABEL_MULTIPLE 2:21', /<a> or <b>/],
  ['func f(s: string{not a}{not b}) -> int = 1', 'PAR_REFINE_MULTIPLE 2:29', /\{not a\} or \{not b\}/],
];
for (const [text, finding, hint] of written) {
  test(`${JSON.stringify(text)} is ${finding}`, () => {
    const { diagnostics } = checkText(text);
    assert.deepEqual(diagnostics.map(place), [finding]);
    assert.match(diagnostics[0]?.suggestion ?? '', hint);
  });
}

test('a type may have a label and refuse another', () => {
  assert.deepEqual(checkText('func f(s: string<a>{not b}) -> int<a> = 1').diagnostics, []);
});

test('interfaces print labels', () => {
  assert.equal(
    typeOf('export func f(a: string<secret>, b: [int{not x}]) -> int<x> = 1', 'f'),
    '(string<secret>,[int{not x}])->int<x>',
  );
});

test('messages say which label, where it arrives and how to go on', () => {
  const [first] = checkText(`${world}func f() -> () ! {IO} = put(key())`).diagnostics;
  assert.match(
    first?.message ?? '',
    /label `secret` reaches argument 1 of put, which refuses it \(string\{not secret\}\)/,
  );
  assert.match(first?.suggestion ?? '', /Declassify/);
});
