import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decide } from '../../src/broker/decide.js';
import type { Grant } from '../../src/log/types.js';
import { grant } from './doubles.js';

const ask = { effect: 'E', scope: 'worktree', cost: 1, now: 100 };
const whole = (given: Grant) => given.budget;
const labels = (grants: readonly Grant[]) => {
  const decision = decide(ask, grants, whole);
  return decision.allowed ? 'allowed' : decision.label;
};

test('effect name, scope, expiry and budget are judged in this order', () => {
  assert.equal(labels([]), 'denied:effect-name');
  assert.equal(labels([grant('X', 0, { scope: 'other', expiresAt: 0 })]), 'denied:effect-name');
  assert.equal(labels([grant('E', 0, { scope: 'other', expiresAt: 0 })]), 'denied:scope');
  assert.equal(labels([grant('E', 0, { expiresAt: 0 })]), 'denied:expired');
  assert.equal(labels([grant('E', 0)]), 'denied:budget');
  assert.equal(labels([grant('E', 1)]), 'allowed');
});

test('a grant is dead at the very second of its expiry', () => {
  assert.equal(labels([grant('E', 1, { expiresAt: 100 })]), 'denied:expired');
  assert.equal(labels([grant('E', 1, { expiresAt: 101 })]), 'allowed');
});

test('the first allowing grant wins, whatever was denied before it', () => {
  const decision = decide(ask, [grant('E', 0), grant('E', 7), grant('E', 9)], whole);
  assert.deepEqual(decision, { allowed: true, budgetBefore: 7 });
});

test('of several denials the furthest is reported, the first of its rank', () => {
  const near = grant('X', 1);
  const far = grant('E', 0, { expiresAt: 200 });
  const decision = decide(ask, [near, far, grant('E', 0), grant('E', 3, { scope: 's' })], whole);
  assert.ok(!decision.allowed && decision.grant === far);
  assert.equal(decide(ask, [], whole).budgetBefore, 0);
});

test('allowed means one grant passes every check', () => {
  const any = fc.record({
    effect: fc.constantFrom('E', 'F'),
    scope: fc.constantFrom('worktree', 's'),
    budget: fc.integer({ min: 0, max: 2 }),
    expiresAt: fc.constantFrom(0, 100, 101),
  });
  fc.assert(
    fc.property(fc.array(any), (grants) => {
      const passes = grants.some(
        (g) => g.effect === 'E' && g.scope === 'worktree' && g.expiresAt > 100 && g.budget >= 1,
      );
      assert.equal(decide(ask, grants, whole).allowed, passes);
    }),
  );
});
