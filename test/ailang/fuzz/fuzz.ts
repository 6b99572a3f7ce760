import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/ailang/package-root.js';
import { Random } from '../../../src/ailang/testing/random.js';
import { BrokenTexts } from './broken-text.js';
import { endure, shown } from './endurance.js';

/** Processor time for an input of ordinary size, in milliseconds. */
const longest = 2_000;

export interface Figures {
  readonly inputs: number;
  /** Processor time of the slowest input, in milliseconds. */
  readonly worst: number;
  /** Of the process, in MiB. */
  readonly peakRss: number;
}

/** Checks broken texts for a while. @throws Error naming the seed and the text at the first that fails */
export function fuzz(seed: number, milliseconds: number): Figures {
  const programs = ['test/corpus', 'test/contracts', 'test/diagnostics', 'src/ailang/std'].flatMap(programsBelow);
  const texts = new BrokenTexts(programs, new Random(seed));
  const end = Date.now() + milliseconds;
  let inputs = 0;
  let worst = 0;
  while (inputs === 0 || Date.now() < end) {
    const text = texts.next();
    inputs++;
    try {
      worst = Math.max(worst, endure(text, longest));
    } catch (cause) {
      throw new Error(`seed ${seed}, input ${inputs}: ${String(cause)}\n${shown(text)}`, { cause });
    }
  }
  return { inputs, worst: Math.round(worst), peakRss: Math.round(process.resourceUsage().maxRSS / 1024) };
}

function programsBelow(directory: string): string[] {
  const root = join(packageRoot(), directory);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ail'))
    .sort()
    .map((name) => readFileSync(join(root, name), 'utf8'));
}
