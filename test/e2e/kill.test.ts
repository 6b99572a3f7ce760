import { test } from 'node:test';
import { killUnderLoad } from './kill.js';

test('a daemon killed 3 times under load loses and repeats nothing', async (t) => {
  await killUnderLoad(t, 3, Date.now());
});
