import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../../src/ailang/check.js';
import { builtins } from '../../../src/ailang/std/builtins.js';
import { stdSource } from '../../../src/ailang/std/source.js';
import { place } from '../checking.js';

function strict(text: string) {
  const host = { read: (path: string) => (path === 'm.ail' ? `module m\n${text}` : null) };
  return check({ file: 'm.ail', host, std: stdSource, builtins, strictSyntax: true });
}

const cases: readonly (readonly [string, readonly string[]])[] = [
  ['func f(x: int) -> [int] = x :: []', ['SUGAR_CONS 2:29']],
  ['func f(x: int) -> [int] = ::(x, [])', []],
  ['func f(x: [int]) -> int = match x { a :: b => a, _ => 0 }', ['SUGAR_CONS_PATTERN 2:37']],
  ['func f(x: [int]) -> int = match x { ::(a, b) => a, _ => 0 }', []],
  ['func g() -> int = 1\nfunc f() -> int = g()', ['SUGAR_CALL0 3:19']],
  ['func g() -> int = 1\nfunc f() -> int = g(())', []],
  ['func f(g: int -> int) -> int = g(1)', ['SUGAR_ARROWTYPE 2:11']],
  ['func f(g: (int) -> int) -> int = g(1)', []],
  ['type T = A([int] -> int)', ['SUGAR_ARROWTYPE 2:12']],
  ['import std/list (map)\nfunc f(xs: [int]) -> [int] = map(\\x. x + 1, xs)', []],
  [
    'func f(g: int -> [int]) -> string = g(1 :: [])',
    ['SUGAR_ARROWTYPE 2:11', 'TC001 2:37', 'TC001 2:39', 'SUGAR_CONS 2:41'],
  ],
];
for (const [text, findings] of cases) {
  test(`strict syntax finds ${findings.join(', ') || 'nothing'} in ${JSON.stringify(text)}`, () => {
    const { diagnostics, program } = strict(text);
    assert.deepEqual(diagnostics.map(place), findings);
    assert.equal(program === null, findings.length > 0);
  });
}
