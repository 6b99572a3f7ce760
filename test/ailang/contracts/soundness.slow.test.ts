import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { SolverSession } from '../../../src/ailang/contracts/solve/session.js';
import { prove, runCall } from './proving.js';
import { expressions, prelude } from './random-functions.js';

const session = new SolverSession();
after(() => session.close());

const minutes = Number(process.env.MINUTES ?? 1);
const options = { numRuns: 1_000_000, interruptAfterTimeLimit: minutes * 60_000, markInterruptAsFailure: false };

/** Takes from each list in turn, with another stride each, so that the rows are mixed. */
const mixed = (columns: readonly (readonly string[])[], rows: number): string[] =>
  Array.from({ length: rows }, (_, row) =>
    columns.map((column, index) => column[(row * (2 * index + 1) + (row >> 3)) % column.length]).join(', '),
  );
const parameters = 'a: int, b: int, xs: [int], s: string, o: Option[int], t: Shape, p: P, w: W';
const inputs = mixed(
  [
    ['-9', '-2', '-1', '0', '1', '2', '5', '40'],
    ['-3', '-1', '0', '1', '2', '3'],
    ['[]', '[2]', '[-1, 0]', '[3, 3, -7]', '[0, 1, 2, 3, 4]'],
    ['""', '"ab2a"', '"😀a"', '"\\u{10FFFF}"', '"-"', '"\\u{30000}z"', '"a"'],
    ['None', 'Some(0)', 'Some(-3)', 'Some(4)'],
    ['Dot', 'Line(3)', 'Line(-1)', 'Box(2, Dot)', 'Box(-2, Line(5))', 'Box(1, Box(1, Dot))'],
    ['{ a: 0, b: true, n: "" }', '{ a: -5, b: false, n: "a" }', '{ a: 2, b: true, n: "ab" }'],
    ['W({ v: 0, w: 1 })', 'W({ v: -2, w: 3 })', 'W({ v: 6, w: 3 })'],
  ],
  96,
);
const floats = ['0.0', '(-0.0)', '1.0', '(-1.0)', '0.1', '(1.0 / 0.0)', '(-1.0 / 0.0)', '(0.0 / 0.0)', '1e308', '3.7'];
const floatInputs = floats.flatMap((x) => floats.map((y) => `${x}, ${y}`));

interface Claim {
  readonly type: string;
  readonly body: string;
  readonly requires: string;
  readonly ensures: string;
}

/** A proof without a bound holds for every input that is tried, and the call of a counterexample fails. */
function agrees(types: string, tried: readonly string[], { type, body, requires, ensures }: Claim): void {
  const text = `module m\n${prelude}pure func admitted(${types}) -> bool = ${requires}\npure func f(${types}) -> ${type}\n  requires { ${requires} }\n  ensures { ${ensures} }\n{ ${body} }\n`;
  const verdict = prove(session, 'm.ail', text, { timeoutMs: 500 }).find((one) => one.function === 'f')?.verdict;
  if (verdict?.status === 'verified' && verdict.boundedDepth === null) {
    const calls = tried.map((args) => `if admitted(${args}) then match f(${args}) { _ => true } else true`);
    const outcome = runCall('m.ail', text, `[${calls.join(', ')}]`);
    assert.notEqual(outcome.kind, 'failed', `verified, and fails: ${JSON.stringify(outcome)}\n${text}`);
  }
  if (verdict?.status === 'counterexample') {
    const { call } = verdict.counterexample;
    assert.equal(runCall('m.ail', text, call).kind, 'failed', `${call} does not fail\n${text}`);
  }
  // Of characters that the solver has no name for it knows less than a run.
  if (verdict?.status === 'unknown' && !`${body}${requires}${ensures}`.includes('charCode'))
    assert.ok(!verdict.reason.includes('does not fail'), `the encoding and the run differ\n${text}`);
  assert.notEqual(verdict?.status, 'error', `${JSON.stringify(verdict)}\n${text}`);
}

const { int, list, option, shape, text, truth, float, order } = expressions;
const kinds = { int, '[int]': list, 'Option[int]': option, Shape: shape, string: text, bool: truth } as const;

const requires = fc.constantFrom(
  'true',
  'a > 0',
  'b != 0',
  'a >= 0 && b > 0',
  'length(xs) > 0',
  'S.length(s) > 1',
  'charCode(s) > 50',
  'forall i: 0..length(xs) => nth_or(xs, i, 0) > 0',
);

const claims = fc.constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[])).chain((type) => {
  const size = { int: 'result', '[int]': 'length(result)', string: 'S.length(result)' }[type as string];
  const bounds = fc.tuple(fc.constantFrom('<', '>=', '!='), int, truth);
  return fc.record({
    type: fc.constant(type),
    body: kinds[type],
    requires,
    ensures: fc.oneof(
      truth,
      fc.tuple(fc.constantFrom('==', '!='), kinds[type]).map(([relation, other]) => `result ${relation} ${other}`),
      bounds.map(([relation, bound, or]) => (size === undefined ? or : `${size} ${relation} ${bound} || ${or}`)),
    ),
  });
});

test('what is verified of random functions holds when they run', () => {
  fc.assert(
    fc.property(claims, (claim) => agrees(parameters, inputs, claim)),
    options,
  );
});

test('what is verified of random functions on floats holds when they run', () => {
  const requires = fc.constantFrom('true', 'x > 0.0', '!isNaN(x)', 'x < y', 'x == y');
  const relation = fc.constantFrom('<', '>=', '==', '!=');
  fc.assert(
    fc.property(float, order, relation, float, requires, (body, or, is, other, admitted) =>
      agrees('x: float, y: float', floatInputs, {
        type: 'float',
        body,
        requires: admitted,
        ensures: `result ${is} ${other} || ${or}`,
      }),
    ),
    options,
  );
});
