import assert from 'node:assert/strict';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { Z3Program } from '../../../../src/ailang/contracts/solve/binary.js';
import { SolverSession } from '../../../../src/ailang/contracts/solve/session.js';
import { atEnd, temporaryDirectory } from '../../../cleanup.js';
import { ailang } from '../../cli/program.js';
import { proveWith, runCall } from '../proving.js';
import { realZ3 } from './z3-program.js';

/** A stand-in for `z3` that notes its arguments and the problem, and says what it is told. */
function fakeZ3(t: TestContext, says: string): { readonly path: string; readonly seen: () => string } {
  const directory = temporaryDirectory(t);
  const path = join(directory, 'z3');
  const log = join(directory, 'log');
  writeFileSync(path, `#!/bin/sh\n[ "$1" = --version ] && exit 0\necho "$@" >> ${log}\ncat "$3" >> ${log}\n${says}\n`);
  chmodSync(path, 0o755);
  return { path, seen: () => readFileSync(log, 'utf8') };
}

const diverging =
  '(declare-const x Int)(declare-const y Int)(declare-const z Int)(assert (= 114 (+ (* x x x) (* y y y) (* z z z))))';
const problem = '(declare-const x Int)(assert (= x 1))';

describe('a z3 program of the operator', () => {
  const table: readonly (readonly [string, object])[] = [
    ['echo unsat', { kind: 'unsat' }],
    ['echo unknown', { kind: 'unknown', reason: 'the solver could not decide' }],
    ['echo timeout', { kind: 'unknown', reason: 'solver timeout' }],
    ['echo what; exit 0', { kind: 'error', message: 'unexpected Z3 output: what' }],
    ['echo broken >&2; exit 3', { kind: 'error', message: 'Z3 error (exit 3): broken' }],
  ];
  for (const [says, answer] of table)
    test(says, (t) => assert.deepEqual(new Z3Program(fakeZ3(t, says).path).solve(problem, [], 2000), answer));

  test('is called with whole seconds and a script, which is removed', (t) => {
    const z3 = fakeZ3(t, 'echo sat; echo "((x 1))"');
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('ailang-z3-'));
    const answer = new Z3Program(z3.path).solve(problem, ['x'], 2900);
    assert.deepEqual(answer, { kind: 'sat', output: '\n((x 1))\n' });
    assert.match(z3.seen(), /^-smt2 -T:2 \S+goal\.smt2\n/);
    assert.match(z3.seen(), /\(assert \(= x 1\)\)\n\(check-sat\)\n\(get-value \(x\)\)/);
    assert.deepEqual(
      readdirSync(tmpdir()).filter((name) => name.startsWith('ailang-z3-')),
      before,
    );
  });

  test('a real one proves, refutes with values that fail, and ends at its time', (t) => {
    const session = new SolverSession();
    atEnd(t, () => session.close());
    const solver = new Z3Program(realZ3(t));
    assert.ok(solver.works());
    const prove = (text: string, timeoutMs = 90_000) =>
      proveWith({ solver, session }, 'm.ail', `module m\n${text}`, { timeoutMs, totalMs: 90_000 })[0]?.verdict;
    const good = prove(
      'pure func f(x: int, s: string) -> string\n  requires { x > 1 }\n  ensures { result != s }\n{ "${s}${x}" }',
    );
    assert.equal(good?.status, 'verified', JSON.stringify(good));
    const bad = 'pure func f(x: int, y: int) -> int\n  ensures { result != 1234 }\n{ x * 1000 + y }';
    const found = prove(bad);
    assert.ok(found?.status === 'counterexample', JSON.stringify(found));
    const { call } = found.counterexample;
    assert.equal(runCall('m.ail', `module m\n${bad}`, call).kind, 'failed', call);
    assert.deepEqual(solver.solve(diverging, [], 1000), { kind: 'unknown', reason: 'solver timeout' });
  });

  test('AILANG_Z3_PATH is the solver of ai-check', (t) => {
    const z3 = fakeZ3(t, 'echo unsat');
    const cwd = temporaryDirectory(t);
    writeFileSync(join(cwd, 'a.ail'), 'module a\npure func f(x: int) -> int\n  ensures { result != x }\n{ x * x }\n');
    const env = (path: string) => ({ AILANG_Z3_PATH: path, AILANG_RELAX_MODULES: '1' });
    const believed = ailang(['ai-check', 'a.ail'], { cwd, env: env(z3.path) });
    assert.equal(JSON.parse(believed.stdout).verify.verified, 1);
    assert.match(z3.seen(), /-T:/);
    const absent = ailang(['ai-check', 'a.ail'], { cwd, env: env('/nonexistent/z3') });
    assert.equal(absent.status, 0);
    assert.deepEqual(JSON.parse(absent.stdout).verify, {
      available: false,
      verified: 0,
      counterexample: 0,
      skipped: 0,
      errors: 0,
      results: [],
    });
  });
});
