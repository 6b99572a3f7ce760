import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rehearse } from '../../../src/ailang/cli/run/rehearsal.js';

test('the rehearsal program is admitted and runs to its end', () => {
  assert.equal(rehearse(), true);
});
