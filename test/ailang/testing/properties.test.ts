import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Report, report } from './project.js';

const withSeed = (seed: number, more: Record<string, string> = {}) => ({
  environment: { AILANG_TEST_SEED: String(seed), ...more },
});
const only = (found: Report) => found.properties[0];
const counterexample = (body: string, seed: number): string | undefined =>
  only(report(body, withSeed(seed)))?.failing_input;

test('a property that holds is tried a hundred times, or as often as set', () => {
  const body = 'property "sum" (x: int, y: int) = x + y == y + x';
  assert.deepEqual([only(report(body))?.status, only(report(body))?.tests_run], ['pass', 100]);
  assert.equal(only(report(body, withSeed(1, { AILANG_TEST_RUNS: '7' })))?.tests_run, 7);
});

/** Each row: what is claimed, and the simplest case against it, whatever the seed. */
const minimal: readonly (readonly [string, string, string])[] = [
  ['an int', 'property "p" (x: int) = x < 10', 'x = 10'],
  ['a negative int', 'property "p" (x: int) = x > 0 - 5', 'x = -5'],
  ['two ints, one of which does not matter', 'property "p" (x: int, y: int) = x < 50', 'x = 50, y = 0'],
  ['a list', 'import std/list (length)\nproperty "p" (xs: [int]) = length(xs) < 3', 'xs = [0, 0, 0]'],
  ['an element of a list', 'import std/list (any)\nproperty "p" (xs: [int]) = not any(\\x. x > 20, xs)', 'xs = [21]'],
  ['a string', 'import std/string (length)\nproperty "p" (s: string) = length(s) < 2', 's = "aa"'],
  ['a bool', 'property "p" (a: bool, b: bool) = a == b || not a', 'a = true, b = false'],
  ['a tuple', 'property "p" (p: (int, bool)) = match p { (n, _) => n < 3 }', 'p = (3, false)'],
  ['a record', 'property "p" (r: { age: int, name: string }) = r.age < 4', 'r = { age: 4, name: "" }'],
  [
    'an option',
    'import std/option (Option, Some, None)\nproperty "p" (o: Option[int]) = match o { Some(n) => n < 2, None => true }',
    'o = Some(2)',
  ],
  [
    'a tree',
    `type Tree[a] = Leaf | Node(Tree[a], a, Tree[a])
func size(t: Tree[int]) -> int = match t { Leaf => 0, Node(l, _, r) => size(l) + 1 + size(r) }
property "p" (t: Tree[int]) = size(t) < 1`,
    't = Node(Leaf, 0, Leaf)',
  ],
  ['a float', 'property "p" (x: float) = x < 3.0', 'x = 3.0'],
];

describe('shrinking finds the simplest counterexample', () => {
  for (const [name, body, expected] of minimal)
    test(name, () => {
      for (const seed of [1, 2, 3]) assert.equal(counterexample(body, seed), expected, `seed ${seed}`);
    });
});

test('a run-time error counts as a failure and is shrunk too', () => {
  const found = only(report('property "p" (x: int) = 10 / (if x > 6 then 0 else 1) == 10', withSeed(1)));
  assert.equal(found?.failing_input, 'x = 7');
  assert.match(found?.error ?? '', /division by zero/i);
});

test('an inline property sees the function', () => {
  const found = report(`func half(x: int) -> int
  properties [forall(x: int) => half(x) * 2 == x, forall(b: bool) => b || not b]
{ x / 2 }`);
  assert.deepEqual(
    found.properties.map(({ name, status, location }) => [name, status, location]),
    [
      ['half property 1', 'fail', 'm.ail:3:15'],
      ['half property 2', 'pass', 'm.ail:3:51'],
    ],
  );
  assert.equal(found.properties[0]?.failing_input, 'x = 1');
});

test('the same seed draws the same cases, another seed others', () => {
  const body = 'property "p" (x: int, s: string) = x % 97 != 13';
  const tried = (seed: number) => only(report(body, withSeed(seed, { AILANG_TEST_RUNS: '5000' })))?.tests_run;
  assert.equal(tried(5), tried(5));
  assert.ok(new Set([1, 2, 3, 4, 5, 6].map(tried)).size > 1);
});

test('without a set seed one is drawn and reported', () => {
  const found = report('property "p" (x: int) = true', { environment: {}, randomSeed: () => 4242 });
  assert.equal(found.seed, 4242);
});

test('integers stay in the set range, also while shrinking', () => {
  const range = withSeed(1, { AILANG_TEST_MIN_INT: '5', AILANG_TEST_MAX_INT: '9' });
  assert.equal(only(report('property "p" (x: int) = x >= 5 && x <= 9', range))?.status, 'pass');
  assert.equal(only(report('property "p" (x: int) = false', range))?.failing_input, 'x = 5');
});

test('lists and strings stay within the set size', () => {
  const body = 'import std/list (length)\nproperty "p" (xs: [int]) = length(xs) <= 4';
  assert.equal(only(report(body, withSeed(1, { AILANG_TEST_MAX_SIZE: '4' })))?.status, 'pass');
  assert.equal(only(report(body, withSeed(1, { AILANG_TEST_MAX_SIZE: '5' })))?.status, 'fail');
});

test('a type no value can be drawn of is skipped with the reason', () => {
  const found = only(report('property "p" (f: int -> int) = true'));
  assert.equal(found?.status, 'skip');
  assert.match(found?.error ?? '', /int.*int.* cannot be drawn/);
  assert.equal(only(report('type Endless = Endless(Endless)\nproperty "p" (e: Endless) = true'))?.status, 'skip');
});
