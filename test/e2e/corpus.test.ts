import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { threadLimits } from '../../src/ailang/cli/run/limits.js';
import { corpusCopy } from './corpus-runs.js';

test('every program of the corpus gives its expected output, run in one thread', async (t) => {
  const thread = new Worker(new URL('./corpus-thread.js', import.meta.url), {
    workerData: corpusCopy(t),
    resourceLimits: threadLimits,
  });
  const [failures] = (await once(thread, 'message')) as [string[]];
  assert.deepEqual(failures, []);
});
