import { check } from '../../../src/ailang/check.js';
import type { CoreProgram } from '../../../src/ailang/core/types.js';
import { run } from '../../../src/ailang/eval/run.js';
import type { EffectHost, RunOptions, RunOutcome } from '../../../src/ailang/interfaces.js';
import { builtins } from '../../../src/ailang/std/builtins.js';
import { stdSource } from '../../../src/ailang/std/source.js';

/** Core of a program text; fails with its diagnostics. */
export function compiled(text: string): CoreProgram {
  const host = { read: (path: string): string | null => (path === 'main.ail' ? text : null) };
  const result = check({ file: 'main.ail', host, std: stdSource, builtins, relaxModules: true });
  if (result.program === null) {
    throw new Error(
      result.diagnostics.map(({ code, message, position }) => `${code} ${position?.line}: ${message}`).join('\n'),
    );
  }
  return result.program;
}

export interface Ran {
  readonly outcome: RunOutcome;
  readonly stdout: string;
  readonly stderr: string;
  /** `FS readFile`, in order. */
  readonly charged: readonly string[];
}

export type Settings = Partial<Omit<RunOptions, 'program' | 'host'>> & { readonly host?: Partial<EffectHost> };

/** Runs Core with IO captured; other effects only where `host` has them. */
export function ran(program: CoreProgram, settings: Settings = {}): Ran {
  const written = { stdout: '', stderr: '' };
  const charged: string[] = [];
  const host: EffectHost = {
    io: {
      write: (stream, bytes) => {
        written[stream] += bytes.toString('utf8');
      },
      flush: () => undefined,
      readLine: () => null,
    },
    charge: (effect, operation) => {
      charged.push(`${effect} ${operation}`);
    },
    ...settings.host,
  };
  const defaults = { entry: 'main', argsJson: 'null', maxDepth: 10_000, verifyContracts: false, printResult: true };
  const outcome = run({ ...defaults, ...settings, program, host });
  return { outcome, ...written, charged };
}

export const runText = (text: string, settings?: Settings): Ran => ran(compiled(text), settings);
