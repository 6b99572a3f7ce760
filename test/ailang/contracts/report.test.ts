import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runCommand } from '../../../src/ailang/cli/commands/table.js';
import { fileContext } from '../cli/context.js';

const context = fileContext({
  'mixed.ail': `module mixed
pure func good(x: int) -> int
  ensures { result > x }
{ x + 1 }
pure func bad(balance: int, amount: int) -> int
  ensures { result >= 0 }
{ balance - amount }
func impure(x: int) -> int
  ensures { result == x }
{ x }
pure func half(x: int) -> int
  requires { x > 0 }
{ x / 2 }
pure func forever(n: int) -> int
  ensures { result == 0 }
{ if n == 0 then 0 else forever(n - 1) }
export pure func free(x: int) -> int = x
`,
  'fine.ail':
    'module fine\npure func f(x: int) -> bool\n  ensures { result == (x > 3) }\n{ x >= 4 }\nfunc g(x: int) -> int\n  ensures { true }\n{ x }\n',
  'hard.ail':
    'module hard\npure func cubes(x: int, y: int, z: int) -> bool\n  ensures { result }\n{ x * x * x + y * y * y + z * z * z != 114 }\npure func easy(x: int) -> int\n  ensures { result == x }\n{ x }\n',
  'broken.ail': 'module broken\npure func f(x: int) -> int\n  ensures { result }\n{ x }\n',
});
const run = (...argv: readonly string[]) => runCommand(argv, context);
const report = (...argv: readonly string[]) => JSON.parse(run(...argv).stdout);

describe('ai-check', () => {
  test('lists functions with contracts, and fails for a counterexample', () => {
    const { stdout, exitCode } = run('ai-check', 'mixed.ail');
    const { check, verify } = JSON.parse(stdout);
    assert.equal(exitCode, 1);
    assert.deepEqual(check, { passed: true, error_count: 0, errors: [] });
    const { results, ...counts } = verify;
    assert.deepEqual(counts, { available: true, verified: 2, counterexample: 1, skipped: 2, errors: 0 });
    assert.deepEqual(
      results.map((result: { function: string; status: string }) => [result.function, result.status]),
      [
        ['good', 'verified'],
        ['bad', 'counterexample'],
        ['impure', 'skipped'],
        ['half', 'skipped'],
        ['forever', 'verified'],
      ],
    );
    const [good, bad, impure, half, forever] = results;
    assert.deepEqual(Object.keys(good), ['function', 'status', 'reason', 'duration']);
    assert.ok(Number.isInteger(good.duration) && good.duration > 1000);
    assert.match(good.reason, /assuming that no 64-bit integer operation wraps/);
    assert.deepEqual(
      bad.model.map((entry: object) => Object.keys(entry)),
      [
        ['name', 'sort', 'value'],
        ['name', 'sort', 'value'],
      ],
    );
    assert.deepEqual([bad.model[0].name, bad.model[0].sort], ['balance', 'int']);
    assert.equal(bad.call, `bad(${bad.model[0].value}, ${bad.model[1].value})`);
    assert.match(bad.reason, /^bad\(.*\) fails: contract violation: ensures of bad is false/);
    assert.deepEqual(Object.keys(impure.rejections[0]), ['Code', 'Message', 'Location', 'Hint']);
    assert.deepEqual([impure.rejections[0].Code, impure.rejections[0].Location], ['NOT_PURE', 'mixed.ail:8:6']);
    assert.equal(half.reason, 'no ensures clause (nothing to verify)');
    assert.equal(forever.bounded_depth, 2);
  });

  test('proofs and skipped functions are no failure', () => {
    assert.equal(run('ai-check', 'fine.ail').exitCode, 0);
    assert.deepEqual(report('ai-check', 'fine.ail').verify.skipped, 1);
  });

  test('a diverging goal ends at its timeout, says so, and leaves the others proven', () => {
    const { stdout, exitCode } = run('ai-check', '--timeout', '700ms', 'hard.ail');
    const { verify } = JSON.parse(stdout);
    assert.equal(exitCode, 1);
    assert.deepEqual([verify.errors, verify.verified], [1, 1]);
    const [cubes] = verify.results;
    assert.deepEqual([cubes.status, cubes.reason], ['unknown', 'solver timeout (0.7s)']);
    assert.ok(cubes.duration > verify.results[1].duration);
  });

  test('check --verify is another spelling', () => {
    assert.deepEqual(report('check', '--verify', 'fine.ail').check, report('ai-check', 'fine.ail').check);
    assert.equal(report('check', '--verify', 'fine.ail').verify.verified, 1);
  });

  test('nothing is verified when the check fails', () => {
    const { check, verify } = report('ai-check', 'broken.ail');
    assert.equal(check.passed, false);
    assert.deepEqual(verify, { available: false, verified: 0, counterexample: 0, skipped: 0, errors: 0, results: [] });
  });

  test('the depth of recursion is given, or refused', () => {
    const forever = (depth: string) =>
      report('ai-check', '--verify-recursive-depth', depth, 'mixed.ail').verify.results.at(-1);
    assert.equal(forever('7').bounded_depth, 7);
    assert.deepEqual([forever('0').status, forever('0').rejections[0].Code], ['skipped', 'RECURSIVE']);
  });

  for (const args of [
    ['--timeout', '5'],
    ['--timeout', '0s'],
    ['--timeout', 'soon'],
    ['--verify-recursive-depth', '-1'],
    ['--verify-recursive-depth', 'x'],
  ])
    test(`${args.join(' ')} is refused`, () => assert.equal(run('ai-check', args.join('='), 'fine.ail').exitCode, 2));
});

describe('verify', () => {
  test('tells a reader', () => {
    const { stdout, exitCode } = run('verify', 'mixed.ail');
    assert.equal(exitCode, 1);
    assert.match(stdout, /✓ VERIFIED good \(mixed\.ail:2:11\)\n {4}assuming that no 64-bit integer operation wraps\n/);
    assert.match(
      stdout,
      /✗ VIOLATION bad \(mixed\.ail:5:11\)\n {4}balance: int = -?\d+\n {4}amount: int = -?\d+\n {4}bad\(.*\) fails: /,
    );
    assert.match(stdout, /- SKIPPED impure .*\n {4}impure is not declared pure \(NOT_PURE\)\n {4}Hint: /);
    assert.match(stdout, /- NO CONTRACT free/);
    assert.match(stdout, /\n2 verified, 1 with a counterexample, 2 skipped, 0 undecided\n$/);
  });

  test('--json lists uncontracted functions too', () => {
    const { results } = report('verify', '--json', 'mixed.ail');
    assert.equal(results.at(-1).status, 'uncontracted');
  });

  test('--strict-overflow also proves that nothing wraps', () => {
    const { results } = report('verify', '--json', '--strict-overflow', 'mixed.ail');
    const [good] = results;
    assert.equal(good.status, 'counterexample');
    assert.equal(good.call, 'good(9223372036854775807)');
  });

  test('type errors and missing files are told on standard error', () => {
    assert.match(run('verify', 'broken.ail').stderr, /^Error: broken\.ail:3:/);
    assert.equal(run('verify', 'none.ail').exitCode, 1);
  });
});
