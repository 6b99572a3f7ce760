import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as int from '../../../src/ailang/eval/integers.js';

const position = { file: 'a.ail', line: 3, column: 7 };
const wide = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -70n, max: 70n }),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, -(2n ** 53n), -(2n ** 31n), 2n ** 31n),
);
const cut = (value: bigint): bigint => BigInt.asIntN(64, value);

const operations: Readonly<Record<string, readonly [(a: int_, b: int_) => int_, (a: bigint, b: bigint) => bigint]>> = {
  add: [int.add, (a, b) => a + b],
  sub: [int.sub, (a, b) => a - b],
  mul: [int.mul, (a, b) => a * b],
  and: [int.and, (a, b) => a & b],
  or: [int.or, (a, b) => a | b],
  xor: [int.xor, (a, b) => a ^ b],
  div: [(a, b) => (b === 0 ? 0 : int.div(a, b, position)), (a, b) => (b === 0n ? 0n : a / b)],
  mod: [(a, b) => (b === 0 ? 0 : int.mod(a, b, position)), (a, b) => (b === 0n ? 0n : a % b)],
};
type int_ = number | bigint;

/** A number exactly where a number is exact, and no negative zero: equality and arithmetic rest on it. */
function assertOneForm(value: int_): void {
  assert.ok(Object.is(value, int.wrap(BigInt(value))), `${typeof value} ${value}`);
}

for (const [name, [ours, exact]] of Object.entries(operations)) {
  test(`${name} is 64-bit two's complement arithmetic in one form per value`, () => {
    fc.assert(
      fc.property(wide, wide, (a, b) => {
        const result = ours(int.wrap(a), int.wrap(b));
        assert.equal(BigInt(result), cut(exact(a, b)));
        assertOneForm(result);
      }),
      { numRuns: 500 },
    );
  });
}

test('shifts, complement and negation agree with bigints', () => {
  fc.assert(
    fc.property(wide, fc.integer({ min: 0, max: 70 }), (a, count) => {
      const value = int.wrap(a);
      const results: readonly (readonly [int_, bigint])[] = [
        [int.shl(value, count), cut(a << BigInt(count))],
        [int.shr(value, count), a >> BigInt(count)],
        [int.shrLogical(value, count), cut(BigInt.asUintN(64, a) >> BigInt(count))],
        [int.complement(value), ~a],
        [int.neg(value), cut(-a)],
      ];
      for (const [result, exact] of results) {
        assert.equal(BigInt(result), exact);
        assertOneForm(result);
      }
    }),
    { numRuns: 500 },
  );
});

test('the least integer divided by -1 wraps', () => {
  const least = int.wrap(-(2n ** 63n));
  assert.equal(int.div(least, -1, position), least);
  assert.equal(int.mod(least, -1, position), 0);
});

test('a zero divisor is RT001 with operation and place', () => {
  assert.throws(() => int.div(1, 0, position), { code: 'RT001', message: 'RT001: division by zero at a.ail:3:7' });
  assert.throws(() => int.mod(1, 0, position), { code: 'RT001', message: 'RT001: modulo by zero at a.ail:3:7' });
});

test('a float becomes an integer by truncation, saturating', () => {
  const cases = [
    [2.9, 2],
    [-2.9, -2],
    [NaN, 0],
    [1e300, 2n ** 63n - 1n],
    [-1e300, -(2n ** 63n)],
    [2 ** 60, 2n ** 60n],
  ] as const;
  for (const [value, expected] of cases) assert.equal(int.fromDouble(value), expected);
});
