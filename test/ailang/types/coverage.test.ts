import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkText, place } from '../checking.js';

const types = 'type T = A | B(int) | C(bool, T)\n';

/** Arms of `match x`, the type of x, and what is missing. */
const uncovered: readonly (readonly [string, string, string])[] = [
  ['A => 1', 'T', 'B(_)'],
  ['A => 1, B(_) => 2', 'T', 'C(_, _)'],
  ['A => 1, B(_) => 2, C(true, _) => 3, C(false, A) => 4', 'T', 'C(false, B(_))'],
  ['A => 1, B(3) => 2, C(_, _) => 3', 'T', 'B(_)'],
  ['true => 1', 'bool', 'false'],
  ['(true, _) => 1, (_, false) => 2', '(bool, bool)', '(false, true)'],
  ['[] => 0, [x] => x', '[int]', '_ :: _ :: _'],
  ['x :: _ => x', '[int]', '[]'],
  ['1 => 1, 2 => 2', 'int', 'all values of type int'],
  ['{ a: true } => 1, { b: false } => 2', '{ a: bool, b: bool }', '{a: false, b: true}'],
];
for (const [arms, type, missing] of uncovered) {
  test(`match on ${type} with ${arms} misses ${missing}`, () => {
    const { diagnostics, warnings, program } = checkText(`${types}func f(x: ${type}) -> int = match x { ${arms} }`);
    assert.deepEqual(diagnostics, []);
    assert.equal(warnings[0]?.code, 'TC_MATCH_003');
    assert.ok(warnings[0]?.message.includes(`does not cover ${missing}`), warnings[0]?.message);
    assert.notEqual(program, null, 'it stays runnable');
  });
}

for (const [arms, type] of [
  ['A => 1, B(_) => 2, C(_, _) => 3', 'T'],
  ['[] => 0, [x, ...rest] => x', '[int]'],
  ['(a, b) => 1', '(int, int)'],
  ['() => 1', '()'],
  ['n if n > 0 => 1, _ => 2', 'int'],
  ['{ a } => 1', '{ a: bool, b: bool }'],
] as const) {
  test(`match on ${type} with ${arms} is covered`, () => {
    assert.deepEqual(checkText(`${types}func f(x: ${type}) -> int = match x { ${arms} }`).warnings, []);
  });
}

test('an arm no value reaches is named', () => {
  const { warnings } = checkText('func f(x: bool) -> int = match x {\n  true => 1,\n  false => 2,\n  _ => 3\n}');
  assert.deepEqual(warnings.map(place), ['TC_MATCH_004 5:3']);
});

test('a guarded arm covers nothing', () => {
  const { warnings } = checkText('func f(x: bool) -> int = match x { true => 1, false if 1 > 0 => 2 }');
  assert.match(warnings[0]?.message ?? '', /does not cover false \(arms with a guard/);
});

test('nothing is said of arms where it is not asked for', () => {
  const text = 'func f(x: bool) -> int = match x { true => 1, true => 2 }';
  assert.equal(checkText(text).warnings.length, 2);
  const { warnings, program } = checkText(text, { coverage: false });
  assert.deepEqual(warnings, []);
  assert.notEqual(program, null);
});
