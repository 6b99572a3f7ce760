import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { SolverSession } from '../../../src/ailang/contracts/solve/session.js';
import { packageRoot } from '../../../src/ailang/package-root.js';
import { prove, runCall, verdictOf } from './proving.js';

const session = new SolverSession();
after(() => session.close());

/** A proven program, and one operator of it broken. */
const mutations: readonly (readonly [file: string, name: string, from: string, to: string])[] = [
  ['add_positive', 'addPositive', '{ a + b }', '{ a - b }'],
  ['clamp', 'clamp', 'x < low then', 'x <= high then'],
  ['absolute', 'absolute', 'if x < 0', 'if x > 0'],
  ['divide_checked', 'divide', '{ a / b }', '{ a % b }'],
  ['parity', 'isEven', '{ n / 2 * 2 == n }', '{ n / 2 * 2 != n }'],
  ['boolean_laws', 'xor', '&& !(a && b)', '|| !(a && b)'],
  ['enum_cycle', 'next', 'Green => Yellow }', 'Green => Green }'],
  ['record_update', 'deposit', 'balance + amount } }', 'balance - amount } }'],
  ['tuple_swap', 'order', 'if a <= b then', 'if a >= b then'],
  ['option_result', 'safeDivide', 'if b == 0 then', 'if b == 1 then'],
  ['string_functions', 'prefixed', '"> ${text}"', '"${text}> "'],
  ['list_literals', 'push', '{ x :: xs }', '{ xs ++ xs }'],
  ['sum_by_induction', 'sumTo', 'n + sumTo', 'n * sumTo'],
  ['factorial', 'factorial', 'n * factorial', 'n - factorial'],
  ['list_length_by_induction', 'count', '1 + count', '2 + count'],
  ['tree_size', 'height', '1 + (if l > r', '2 + (if l > r'],
];

describe('one broken operator turns a proof into a counterexample', () => {
  for (const [file, name, from, to] of mutations) {
    test(`${file}: ${from} becomes ${to}`, () => {
      const text = readFileSync(join(packageRoot(), 'test', 'contracts', `${file}.ail`), 'utf8');
      const mutant = text.replace(from, () => to);
      assert.notEqual(mutant, text);
      const verdict = prove(session, `${file}.ail`, mutant).find((one) => one.function === name)?.verdict;
      assert.equal(verdict?.status, 'counterexample', JSON.stringify(verdict));
      assert.equal(runCall(`${file}.ail`, mutant, verdict.counterexample.call).kind, 'failed');
    });
  }
});

describe('nothing that can fail is called verified', () => {
  const traps: readonly (readonly [what: string, text: string])[] = [
    ['a false ensures on endless recursion', 'pure func f(n: int) -> int\n  ensures { false }\n{ f(n) }'],
    [
      'a contract that contradicts its own requires outside of it',
      'pure func g(n: int) -> int\n  requires { n >= 0 }\n  ensures { result == 0, n >= 0 }\n{ if n == 0 then 0 else g(n - 1) }\npure func f(n: int) -> int\n  ensures { result == 0 }\n{ g(n) }',
    ],
    [
      'a failure deep in a recursive callee without contract',
      'pure func g(n: int) -> int = if n > 1000 then 1 / 0 else if n < 0 then 0 else g(n + 1)\npure func f(n: int) -> int\n  ensures { true }\n{ g(n) }',
    ],
    [
      'a false callee contract',
      'pure func g(n: int) -> int\n  ensures { false }\n{ g(n - 1) }\npure func f(n: int) -> int\n  ensures { false }\n{ g(n) }',
    ],
    [
      'a quantifier whose body fails',
      'pure func f(n: int) -> int\n  ensures { forall i: 0..n => 10 / (i - 3) <= 10 }\n{ n }',
    ],
    ['NaN', 'pure func f(x: float) -> bool\n  ensures { result }\n{ x == x }'],
    [
      'the least int is its own negation only when ints wrap',
      'pure func f(x: int) -> int\n  ensures { result != 0 }\n{ x * x + x }',
    ],
  ];
  for (const [what, text] of traps) {
    test(what, () => {
      const verdict = verdictOf(session, text, 'f', { timeoutMs: 2000 });
      const proof = verdict.status === 'verified' && verdict.boundedDepth === null;
      assert.ok(!proof, JSON.stringify(verdict));
    });
  }
});
