import { parentPort, workerData } from 'node:worker_threads';
import { renderDiagnostic } from '../../../src/ailang/render-diagnostic.js';
import { corpusModules } from '../../e2e/corpus-program.js';
import { checkFiles } from '../checking.js';
import type { Campaign, CampaignResult } from './campaign.js';
import { extremeCount, fuzzInput } from './input.js';

/** Runs inputs until the time is over or one of them fails; tells the number of the one it is at. */
const { seed, seconds, progress } = workerData as Campaign & { readonly progress: SharedArrayBuffer };
const at = new Int32Array(progress);
const modules = Object.fromEntries(corpusModules());
const end = performance.now() + seconds * 1000;

/** Processor time an input may take, in milliseconds: that of a 2 MB text, with room for another machine. */
const slow = 5000;

let worst = { milliseconds: 0, name: '' };
let failure: CampaignResult['failure'] = null;
let index = 0;
for (; index < extremeCount || performance.now() < end; index++) {
  Atomics.store(at, 0, index);
  const { name, text } = fuzzInput(seed, index);
  const begin = process.cpuUsage();
  try {
    examine(text);
  } catch (error) {
    failure = { index, name, problem: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    break;
  }
  const { user, system } = process.cpuUsage(begin);
  const milliseconds = (user + system) / 1000;
  if (milliseconds > worst.milliseconds) worst = { milliseconds, name };
  if (milliseconds > slow) {
    failure = { index, name, problem: `it takes ${Math.round(milliseconds)} ms` };
    break;
  }
}
parentPort?.postMessage({ inputs: index, worst, failure } satisfies CampaignResult);

/** @throws Error when the front end throws or says something that is no finding */
function examine(text: string): void {
  const { diagnostics, warnings, program, sources } = checkFiles({ 'm.ail': text, ...modules }, true);
  if ((program === null) !== diagnostics.length > 0)
    throw new Error(`${diagnostics.length} errors, and ${program === null ? 'no' : 'a'} program`);
  const lines = text.normalize('NFC').split('\n');
  for (const found of [...diagnostics, ...warnings]) {
    const { code, message, position } = found;
    const line = position?.file === 'm.ail' ? lines[position.line - 1] : '';
    const inside =
      position === null ||
      (line !== undefined && position.column >= 1 && (line === '' || position.column <= line.length + 1));
    if (!/^[A-Z][A-Z0-9_]+$/.test(code) || message === '' || !inside)
      throw new Error(`not a finding: ${JSON.stringify(found).slice(0, 500)}`);
    if (message.length + (found.suggestion ?? '').length > 5000)
      throw new Error(`a finding of ${message.length} characters: ${code}`);
    renderDiagnostic(found, sources);
  }
}
