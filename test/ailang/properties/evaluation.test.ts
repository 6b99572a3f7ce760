import { test } from 'node:test';
import { assertAgreement } from './evaluation.js';

test('1000 generated programs give what the reference evaluator gives', () => {
  assertAgreement(1000);
});
