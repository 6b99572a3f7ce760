import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { report } from './project.js';

const statuses = (body: string): string[] => report(body).tests.map((one) => `${one.name}: ${one.status}`);

test('inline tests compare the call with the expected value', () => {
  const found = report(`pure func add(x: int, y: int) -> int
  tests [((1, 2), 3), ((2, 2), 5)]
{ x + y }`);
  assert.deepEqual(
    found.tests.map(({ name, status, error, location }) => [name, status, error, location]),
    [
      ['add test 1', 'pass', undefined, 'm.ail:3:10'],
      ['add test 2', 'fail', 'expected 5, got 4', 'm.ail:3:23'],
    ],
  );
});

test('tests without input, with one, with a unit parameter, with structures', () => {
  const body = `
import std/option (Option, Some, None)
import std/string (length)
type Shape = Dot | Box({ w: int, h: float }) deriving (Eq)
func none() -> int tests [((), 4)] { 4 }
func unit(u: ()) -> int tests [((), 5)] { 5 }
func pair(p: (int, string)) -> int tests [((1, "ab"), 3)] { match p { (n, s) => n + length(s) } }
func grow(s: Shape) -> Option[[Shape]] tests [(Dot, None), (Box({ w: 1, h: 2.0 }), Some([Dot]))] {
  match s { Dot => None, _ => Some([Dot]) }
}
func double(x: float) -> float tests [(1, 2)] { x * 2.0 }`;
  assert.ok(
    statuses(body).every((line) => line.endsWith('pass')),
    statuses(body).join('\n'),
  );
  assert.equal(statuses(body).length, 6);
});

test('top-level tests are boolean expressions, with assert', () => {
  const found = report(`
test "holds" = 1 + 1 == 2
test "fails" = 1 + 1 == 3
test "asserts" = { assert 1 == 1; assert 1 == 2, "one is not two"; true }`);
  assert.deepEqual(
    found.tests.map((one) => one.status),
    ['pass', 'fail', 'fail'],
  );
  assert.equal(found.tests[1]?.error, 'the condition is false');
  assert.match(found.tests[2]?.error ?? '', /one is not two/);
});

describe('a test that goes wrong fails and leaves the others alone', () => {
  const after = 'test "after" = true';
  test('a run-time error', () => {
    const found = report(`func f(x: int) -> int tests [(0, 1)] { 1 / x }\n${after}`);
    assert.match(found.tests[0]?.error ?? '', /division by zero/i);
    assert.equal(found.tests[1]?.status, 'pass');
  });
  test('endless recursion', () => {
    const found = report(`func f(x: int) -> int tests [(0, 1)] { 1 + f(x) }\n${after}`);
    assert.match(found.tests[0]?.error ?? '', /RT_REC_003/);
    assert.equal(found.tests[1]?.status, 'pass');
  });
  test('an endless loop ends at the bound', () => {
    const limits = { milliseconds: 150, maxDepth: 1000, totalMilliseconds: 60_000 };
    const body = `func f(x: int) -> int tests [(0, 1)] { f(x + 1) }\nproperty "p" (x: int) = f(x) == 0\n${after}`;
    const found = report(body, { limits, clock: { now: () => performance.now() } });
    assert.equal(found.tests[0]?.error, 'it did not end within 150 ms');
    assert.equal(found.properties[0]?.error, 'it did not end within 150 ms');
    assert.equal(found.properties[0]?.tests_run, 1);
    assert.equal(found.tests[1]?.status, 'pass');
  });
  test('an effect, which is never granted', () => {
    const found = report(
      `import std/fs (readFile)\nfunc f() -> string ! {FS} tests [((), "")] { readFile("m.ail") }\n${after}`,
    );
    assert.match(found.tests[0]?.error ?? '', /'FS' requires capability/);
    assert.equal(found.tests[1]?.status, 'pass');
  });
  test('a module value that fails makes every test fail', () => {
    const found = report(`let zero = 0\nlet bad = 1 / zero\n${after}`);
    assert.equal(found.tests[0]?.status, 'fail');
    assert.match(found.tests[0]?.error ?? '', /division by zero/i);
  });
});

test('tests that the time of the whole run does not reach fail and say so', () => {
  const limits = { milliseconds: 200, maxDepth: 1000, totalMilliseconds: 100 };
  const body = 'func f(x: int) -> int tests [(0, 1), (1, 1)] { f(x + 1) }\ntest "late" = true';
  const found = report(body, { limits, clock: { now: () => performance.now() } });
  assert.match(found.tests[0]?.error ?? '', /^it did not end within \d+ ms$/);
  for (const late of found.tests.slice(1)) assert.match(late.error ?? '', /^not run: .* 100 ms of the whole run$/);
  assert.equal(found.failed_tests, 3);
});

test('a file that does not parse is one failed test `parse`, an ill-typed one `check`', () => {
  assert.deepEqual(statuses('func f( = 1'), ['parse: fail']);
  const found = report('func f() -> int { "a" }');
  assert.deepEqual([found.tests[0]?.name, found.tests[0]?.status, found.success], ['check', 'fail', false]);
  assert.match(found.tests[0]?.error ?? '', /m\.ail:2:/);
});
