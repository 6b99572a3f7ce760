import type { EntryPoint } from '../core/types.js';
import type { Run, RunOptions, RunOutcome } from '../interfaces.js';
import { decodeArguments } from './arguments.js';
import { Effects } from './effects.js';
import { ProgramExit, RuntimeFailure, stackFailure } from './failure.js';
import { loadProgram } from './load.js';
import { show } from './show.js';
import type { Value } from './values.js';

/**
 * Runs a checked program to its end. It reaches the world through `options.host` alone. The default depth needs more
 * stack than a Node thread has: start the thread with `resourceLimits.stackSizeMb` (or `--stack-size`) raised; without,
 * a program that recurses deeply fails with RT_REC_003 earlier.
 */
export const run: Run = (options) => {
  const effects = new Effects(options.host);
  try {
    const result = evaluate(options, effects);
    if (options.printResult && result !== undefined) options.host.io?.write('stdout', Buffer.from(`${show(result)}\n`));
    return { kind: 'finished' };
  } catch (error) {
    return outcomeOf(error, options.maxDepth);
  } finally {
    for (const line of effects.debugLines) options.host.io?.write('stderr', Buffer.from(`${line}\n`));
    options.host.io?.flush();
  }
};

function evaluate(options: RunOptions, effects: Effects): Value {
  const entry = findEntry(options);
  const args = entry === null ? [] : decodeArguments(entry, options.argsJson);
  return loadProgram(options, entry?.name ?? null, effects)(args);
}

/** Null for a script, whose statements are its program. */
function findEntry({ program, entry }: RunOptions): EntryPoint | null {
  const found = program.entries.find((one) => one.name === entry);
  if (found !== undefined) return found;
  const root = program.modules.find((module) => module.path === program.root);
  if (root?.values.some((value) => value.name === null)) return null;
  const names = program.entries.map((one) => one.name).join(', ');
  throw new RuntimeFailure(
    'RUN_NO_ENTRY',
    `RUN_NO_ENTRY: entrypoint '${entry}' is not exported by ${program.root}${names === '' ? '' : `\nHint: exported: ${names}`}`,
  );
}

/** How a run ended that threw. */
export function outcomeOf(error: unknown, maxDepth: number): Exclude<RunOutcome, { kind: 'finished' }> {
  if (error instanceof ProgramExit) return { kind: 'exit', status: error.status };
  if (error instanceof RuntimeFailure) return failed(error);
  if (error instanceof RangeError && /call stack/.test(error.message)) return failed(stackFailure(maxDepth));
  if (error instanceof RangeError) return failed(new RuntimeFailure('RT007', `RT007: out of memory: ${error.message}`));
  // The only names generated code can read too early are values of the program.
  if (error instanceof ReferenceError) {
    return failed(new RuntimeFailure('RT_REC_001', 'RT_REC_001: a recursive value was read before it was initialised'));
  }
  return failed(
    new RuntimeFailure('INTERNAL', `internal error: ${error instanceof Error ? error.message : String(error)}`),
  );
}

const failed = ({ code, message }: RuntimeFailure) => ({ kind: 'failed', code, message }) as const;
