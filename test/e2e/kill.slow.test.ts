import { test } from 'node:test';
import { killUnderLoad } from './kill.js';

test('a daemon killed at 50 random instants under load loses and repeats nothing', async (t) => {
  await killUnderLoad(t, 50, Date.now());
});
