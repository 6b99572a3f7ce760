import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer, Solver } from '../../../../src/ailang/contracts/solve/answer.js';
import { CachedSolver } from '../../../../src/ailang/contracts/solve/cache.js';
import { SolverSession } from '../../../../src/ailang/contracts/solve/session.js';
import { atEnd } from '../../../cleanup.js';
import { proveWith } from '../proving.js';

/** Counts what reaches the solver behind it. */
class Counted implements Solver {
  asked = 0;
  constructor(readonly solver: Solver) {}
  solve(problem: string, values: readonly string[], timeoutMs: number): Answer {
    this.asked += 1;
    return this.solver.solve(problem, values, timeoutMs);
  }
}

const proven = `pure func inc(x: int) -> int
  requires { x >= 0 }
  ensures { result > x }
{ x + 1 }
pure func sum(n: int) -> int
  requires { n >= 0 }
  ensures { result >= n }
{ if n == 0 then 0 else n + sum(n - 1) }
`;
const hard =
  'pure func f(x: int, y: int, z: int) -> bool\n  ensures { result }\n{ x * x * x + y * y * y + z * z * z != 114 }\n';

test('an unchanged module is proven again without the solver, a changed function with it', (t) => {
  const session = new SolverSession();
  atEnd(t, () => session.close());
  const counted = new Counted(session);
  const solver = new CachedSolver(counted);
  const statuses = (text: string, timeoutMs = 60_000) =>
    proveWith({ solver, session }, 'm.ail', `module m\n${text}`, { timeoutMs }).map(({ verdict }) => verdict.status);
  assert.deepEqual(statuses(proven), ['verified', 'verified']);
  const first = counted.asked;
  assert.ok(first > 0);
  assert.deepEqual(statuses(proven), ['verified', 'verified']);
  assert.equal(counted.asked, first);
  assert.deepEqual(statuses(`-- Moved down by a comment.\n${proven}`), ['verified', 'verified']);
  assert.equal(counted.asked, first);
  assert.deepEqual(statuses(proven.replace('{ x + 1 }', '{ x + 2 }')), ['verified', 'verified']);
  assert.ok(counted.asked > first);
  const before = counted.asked;
  assert.deepEqual(statuses(hard, 200), ['unknown']);
  const between = counted.asked;
  assert.deepEqual(statuses(hard, 200), ['unknown']);
  assert.ok(between > before && counted.asked > between, 'what was not decided in its time is asked again');
});
