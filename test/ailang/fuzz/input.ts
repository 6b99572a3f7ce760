import { allSources } from '../format/sources.js';
import { extremes } from './extremes.js';
import { flipBytes, mutateTokens, noise } from './mutate.js';
import { Random } from './random.js';

export interface FuzzInput {
  /** What it is, for a report. */
  readonly name: string;
  readonly text: string;
}

const sources = allSources().filter(({ text }) => text.length < 20_000);
const heavy = Object.entries(extremes);

/** The first inputs of every campaign are the extremes, whatever the seed. */
export const extremeCount = heavy.length;

/** The input with this number; seed and number alone determine it. */
export function fuzzInput(seed: number, index: number): FuzzInput {
  const extreme = heavy[index];
  if (extreme !== undefined) return { name: extreme[0], text: extreme[1]() };
  const random = new Random(seed, index);
  const { path, text } = random.pick(sources);
  const kind = random.below(10);
  if (kind === 0) return { name: 'noise', text: noise(random) };
  if (kind < 3) return { name: `bytes of ${path}`, text: flipBytes(random, text) };
  return { name: `tokens of ${path}`, text: mutateTokens(random, text, random.pick(sources).text) };
}
