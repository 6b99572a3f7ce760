import { test } from 'node:test';
import { assertSurvives } from './fuzz/campaign.js';

test('whatever the text, the front end answers with findings that have a place', async (t) => {
  await assertSurvives(5, (text) => t.diagnostic(text));
});
