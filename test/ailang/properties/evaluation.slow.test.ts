import { test } from 'node:test';
import { assertAgreement } from './evaluation.js';

test('10000 generated programs give what the reference evaluator gives', () => {
  assertAgreement(10_000);
});
