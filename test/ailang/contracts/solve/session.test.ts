import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SolverSession } from '../../../../src/ailang/contracts/solve/session.js';
import { atEnd } from '../../../cleanup.js';

/** A sum of three cubes that is not found by trying. */
const diverging =
  '(declare-const x Int)(declare-const y Int)(declare-const z Int)(assert (= 114 (+ (* x x x) (* y y y) (* z z z))))';
const easy = '(declare-const x Int)(assert (< 3 x 5))';

describe('the solver session', () => {
  const session = new SolverSession();
  test('decides, and gives the values that were asked for', (t) => {
    atEnd(t, () => session.close());
    assert.equal(session.load(), null);
    const answer = session.solve(easy, ['x'], 5000);
    assert.equal(answer.kind, 'sat');
    assert.match(answer.kind === 'sat' ? answer.output : '', /\(\(x 4\)\)/);
    assert.deepEqual(session.solve('(assert false)', [], 5000), { kind: 'unsat' });
  });

  test('a diverging problem ends at its timeout, and the next one is decided', (t) => {
    atEnd(t, () => session.close());
    assert.deepEqual(session.solve(diverging, [], 300), { kind: 'unknown', reason: 'solver timeout' });
    assert.equal(session.solve(easy, [], 5000).kind, 'sat');
  });

  test('text that is no problem is an error, and the next problem is decided', (t) => {
    atEnd(t, () => session.close());
    assert.equal(session.solve('(assert (= x 1))', [], 1000).kind, 'error');
    assert.equal(session.solve(easy, [], 5000).kind, 'sat');
  });

  test('a program that cannot be loaded is no solver', () => {
    const broken = new SolverSession('/nonexistent/ailang.js');
    const reason = broken.load();
    assert.notEqual(reason, null);
    assert.equal(broken.solve(easy, [], 100).kind, 'error');
    broken.close();
  });
});
