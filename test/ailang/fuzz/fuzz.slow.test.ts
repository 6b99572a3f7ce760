import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzz } from './fuzz.js';

/** `AILANG_FUZZ_SECONDS`, a minute without; `AILANG_FUZZ_SEED` repeats a run. */
test('broken programs and noise, for long', (t) => {
  const seconds = Number(process.env.AILANG_FUZZ_SECONDS ?? 60);
  const seed = Number(process.env.AILANG_FUZZ_SEED ?? Date.now() % 2 ** 31);
  const figures = fuzz(seed, seconds * 1_000);
  t.diagnostic(`seed ${seed}: ${JSON.stringify(figures)}`);
  assert.ok(figures.peakRss < 1_024, `${figures.peakRss} MiB`);
});
