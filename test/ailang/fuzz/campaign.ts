import assert from 'node:assert/strict';
import { Worker } from 'node:worker_threads';
import { fuzzInput } from './input.js';

export interface Campaign {
  readonly seed: number;
  /** How long inputs are drawn, in seconds; the extremes run in any case. */
  readonly seconds: number;
}

export interface CampaignResult {
  readonly inputs: number;
  /** The input that took the most processor time. */
  readonly worst: { readonly milliseconds: number; readonly name: string };
  readonly failure: { readonly index: number; readonly name: string; readonly problem: string } | null;
}

/** No input may take longer, on a machine however busy, in milliseconds. */
const hang = 30_000;
/** The heap all inputs share, in MiB. */
const heap = 1024;

/** Lets the front end read random texts in a thread of its own, so that a hang or a full heap is a failure like others. */
export async function fuzz(campaign: Campaign): Promise<CampaignResult> {
  const progress = new SharedArrayBuffer(4);
  const at = new Int32Array(progress);
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: { ...campaign, progress },
    resourceLimits: { maxOldGenerationSizeMb: heap },
  });
  let last = -1;
  let since = performance.now();
  const stopped = await new Promise<CampaignResult | string>((settle) => {
    const watch = setInterval(() => {
      const now = Atomics.load(at, 0);
      if (now !== last) [last, since] = [now, performance.now()];
      else if (performance.now() - since > hang) settle(`no end after ${hang} ms`);
    }, 200);
    worker.once('message', (result: CampaignResult) => settle(result));
    worker.once('error', (error) => settle(String(error)));
    worker.once('exit', () => clearInterval(watch));
  });
  await worker.terminate();
  if (typeof stopped !== 'string') return stopped;
  const index = Atomics.load(at, 0);
  const { name } = fuzzInput(campaign.seed, index);
  return { inputs: index, worst: { milliseconds: 0, name: '' }, failure: { index, name, problem: stopped } };
}

/** `AILANG_FUZZ_SECONDS` and `AILANG_FUZZ_SEED` change how long and what is drawn. */
export async function assertSurvives(seconds: number, log: (text: string) => void): Promise<void> {
  const seed = Number(process.env.AILANG_FUZZ_SEED ?? Date.now() % 1_000_000);
  const campaign = { seed, seconds: Number(process.env.AILANG_FUZZ_SECONDS ?? seconds) };
  const { inputs, worst, failure } = await fuzz(campaign);
  const peak = Math.round(process.resourceUsage().maxRSS / 1024);
  log(
    `seed ${seed}: ${inputs} inputs, the slowest ${Math.round(worst.milliseconds)} ms (${worst.name}), at most ${peak} MiB`,
  );
  if (failure === null) return;
  const { text } = fuzzInput(seed, failure.index);
  const shown = text.length > 3000 ? `${text.slice(0, 3000)}… (${text.length} characters)` : text;
  assert.fail(`seed ${seed}, input ${failure.index}, ${failure.name}: ${failure.problem}\n${shown}`);
}
