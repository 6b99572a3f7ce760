import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { SolverSession } from '../../../src/ailang/contracts/solve/session.js';
import { prove, runCall } from './proving.js';

const session = new SolverSession();
after(() => session.close());

const imports = `import std/list (length, nth_or, take, drop, reverse, contains)
import std/string (substring, find, startsWith, endsWith, charAt, charCode, compare)
import std/string as S
`;

/** Random expressions by type, over the parameters `a: int, b: int, xs: [int], s: string`. */
const { int, list, text, truth } = fc.letrec<{ int: string; list: string; text: string; truth: string }>((tie) => {
  const all = (build: (...parts: string[]) => string, ...kinds: ('int' | 'list' | 'text' | 'truth')[]) =>
    fc.tuple(...kinds.map((kind) => tie(kind))).map((parts) => build(...(parts as string[])));
  const operator = (...names: string[]) => fc.constantFrom(...names);
  const binary = (names: readonly string[], kind: 'int' | 'text' | 'truth') =>
    fc.tuple(operator(...names), tie(kind), tie(kind)).map(([name, x, y]) => `(${x} ${name} ${y})`);
  const depth = { maxDepth: 3, depthSize: 'small' } as const;
  return {
    int: fc.oneof(
      depth,
      fc.constantFrom('a', 'b', '0', '1', '2', '3', '7'),
      binary(['+', '-', '*', '/', '%'], 'int'),
      all((c, x, y) => `(if ${c} then ${x} else ${y})`, 'truth', 'int', 'int'),
      all((x) => `(let v = ${x} in v * 2 - a)`, 'int'),
      all((xs) => `length(${xs})`, 'list'),
      all((xs, i, d) => `nth_or(${xs}, ${i}, ${d})`, 'list', 'int', 'int'),
      all((xs, d) => `(match ${xs} { [] => ${d}, [x] => x, x :: _ => x + 1 })`, 'list', 'int'),
      all((s) => `S.length(${s})`, 'text'),
      all((s, p) => `find(${s}, ${p})`, 'text', 'text'),
      all((s) => `charCode(${s})`, 'text'),
      all((s, p) => `compare(${s}, ${p})`, 'text', 'text'),
      all((x) => `(match ${x} { 0 => 1, n if n > 2 => n - 1, n => n })`, 'int'),
    ),
    list: fc.oneof(
      depth,
      fc.constantFrom('xs', '[a, b]', '[1]'),
      all((x, xs) => `(${x} :: ${xs})`, 'int', 'list'),
      all((xs, ys) => `(${xs} ++ ${ys})`, 'list', 'list'),
      all((n, xs) => `take(${n}, ${xs})`, 'int', 'list'),
      all((n, xs) => `drop(${n}, ${xs})`, 'int', 'list'),
    ),
    text: fc.oneof(
      depth,
      fc.constantFrom('s', '""', '"a"', '"ab"'),
      all((s, i, j) => `substring(${s}, ${i}, ${j})`, 'text', 'int', 'int'),
      all((s, i) => `charAt(${s}, ${i})`, 'text', 'int'),
      all((x, s) => `"\${${x}}-\${${s}}"`, 'int', 'text'),
    ),
    truth: fc.oneof(
      depth,
      binary(['<', '<=', '==', '!=', '>', '>='], 'int'),
      binary(['&&', '||'], 'truth'),
      binary(['<', '=='], 'text'),
      all((c) => `(!${c})`, 'truth'),
      all((xs, x) => `contains(${xs}, ${x})`, 'list', 'int'),
      all((s, p) => `startsWith(${s}, ${p})`, 'text', 'text'),
      all((s, p) => `endsWith(${s}, ${p})`, 'text', 'text'),
    ),
  };
});

const inputs = [-9, -2, -1, 0, 1, 2, 5].flatMap((a) =>
  [-3, 0, 1, 2].flatMap((b) => [`${a}, ${b}, [], ""`, `${a}, ${b}, [${b}, 2, -1], "ab${b}a"`]),
);

/** Whether some of the inputs fails, all in one run. */
const someFails = (text: string): boolean =>
  runCall('m.ail', text, `[${inputs.map((input) => `f(${input}) == f(${input})`).join(', ')}]`).kind === 'failed';

function agrees(type: string, body: string, ensures: string): void {
  const text = `module m\n${imports}pure func f(a: int, b: int, xs: [int], s: string) -> ${type}\n  ensures { ${ensures} }\n{ ${body} }\n`;
  const [result] = prove(session, 'm.ail', text, { timeoutMs: 400 });
  assert.ok(result !== undefined);
  const { verdict } = result;
  if (verdict.status === 'verified') assert.ok(!someFails(text), `verified, and fails:\n${text}`);
  if (verdict.status === 'counterexample') {
    const { call } = verdict.counterexample;
    assert.equal(runCall('m.ail', text, call).kind, 'failed', `${call} does not fail:\n${text}`);
  }
  if (verdict.status === 'unknown' && verdict.reason.includes('does not fail'))
    assert.fail(`the encoding and the run differ:\n${text}`);
  assert.ok(verdict.status !== 'error', JSON.stringify(verdict));
}

const options = {
  numRuns: Number(process.env.RUNS ?? 20),
  interruptAfterTimeLimit: Number(process.env.LIMIT ?? 15_000),
} as const;

const typed = fc.oneof(
  fc.tuple(fc.constant('int'), int, int),
  fc.tuple(fc.constant('string'), text, text),
  fc.tuple(fc.constant('bool'), truth, truth),
  fc.tuple(fc.constant('[int]'), list, list),
);

test('a run computes what the encoding says: two expressions are equal, or differ, where the solver says so', () => {
  fc.assert(
    fc.property(typed, fc.constantFrom('==', '!='), ([type, body, other], relation) =>
      agrees(type, body, `result ${relation} ${other}`),
    ),
    options,
  );
});

test('proofs of random contracts agree with runs', () => {
  fc.assert(
    fc.property(int, truth, (body, claim) => agrees('int', body, `${claim} || result < a + 100 || result > b`)),
    options,
  );
});
