import { test } from 'node:test';
import { assertSurvives } from './fuzz/campaign.js';

test('a minute of random texts leaves the front end standing', async (t) => {
  await assertSurvives(60, (text) => t.diagnostic(text));
});
