import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deepTexts } from './deep-texts.js';
import { endure } from './endurance.js';
import { fuzz } from './fuzz.js';
import { heavyTexts } from './heavy-texts.js';

/** Processor time for a text of millions of characters, in milliseconds: far from quadratic. */
const longestForGiants = 10_000;

for (const [what, text] of [...deepTexts(), ...heavyTexts()])
  test(`${what}: an answer in bounded time`, () => void endure(text, longestForGiants));

test('broken programs and noise give errors with a place and a hint, in bounded time and space', (t) => {
  const seed = Number(process.env.AILANG_FUZZ_SEED ?? Date.now() % 2 ** 31);
  const figures = fuzz(seed, 5_000);
  t.diagnostic(`seed ${seed}: ${JSON.stringify(figures)}`);
  assert.ok(figures.peakRss < 1_024, `${figures.peakRss} MiB`);
});
