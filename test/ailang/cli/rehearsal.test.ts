import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rehearsal } from '../../../src/ailang/cli/run/rehearsal.js';

test('the rehearsal program is admitted and runs to its end', () => {
  const net = { request: () => assert.fail('the rehearsal makes no request') };
  for (const part of rehearsal(net)) assert.equal(part(), true);
});
