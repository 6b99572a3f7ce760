import { randomBytes } from 'node:crypto';
import type { EffectHost } from '../../interfaces.js';
import type { FileGuard } from '../../policy/fileguard/fileguard.js';
import type { Policy } from '../../policy/policy.js';
import { lineReader, type WriteOutput } from './console.js';
import { guardedFs } from './guarded-fs.js';

/** Effects this build can perform; under a policy Net, too. The others are refused before a program starts. */
export const performable: readonly string[] = ['Clock', 'Declassify', 'Debug', 'Env', 'FS', 'IO', 'Rand'];

/** What a policy admits and this build cannot do yet; null when everything can be done. */
export function unperformable(caps: readonly string[], able: readonly string[] = performable): string | null {
  const missing = caps.filter((cap) => !able.includes(cap));
  return missing.length === 0
    ? null
    : `the embedded toolchain has no adapter for ${missing.join(', ')} — run without it or use the official binary`;
}

export interface HostOptions {
  readonly caps: readonly string[];
  readonly budgets: Readonly<Record<string, number>>;
  readonly fs: NonNullable<EffectHost['fs']>;
  readonly net?: NonNullable<EffectHost['net']>;
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Takes what the program prints. */
  readonly write: WriteOutput;
}

/** The effects of a program whose policy was resolved. */
export const policyHost = (
  policy: Policy,
  guard: FileGuard,
  net: NonNullable<EffectHost['net']>,
  argv: readonly string[],
  write: WriteOutput,
): EffectHost =>
  effectHost({
    write,
    caps: policy.caps,
    budgets: policy.budgets,
    fs: guardedFs(policy, guard),
    net,
    argv,
    environment: { ...process.env },
  });

/** Exactly the granted capabilities, counted against the operator's budgets. */
export function effectHost({ caps, budgets, fs, net, argv, environment, write }: HostOptions): EffectHost {
  const granted = (cap: string): boolean => caps.includes(cap);
  return {
    ...(granted('IO') ? { io: consoleIo(write) } : {}),
    ...(granted('FS') ? { fs } : {}),
    ...(granted('Net') && net !== undefined ? { net } : {}),
    ...(granted('Env')
      ? { env: { args: () => argv, get: (name) => environment[name] ?? null, pid: () => process.pid } }
      : {}),
    ...(granted('Clock') ? { clock: { now: () => Date.now(), sleep } } : {}),
    ...(granted('Rand') ? { rand: { bytes: (count) => randomBytes(count) } } : {}),
    charge: operatorBudget(budgets),
  };
}

function consoleIo(write: WriteOutput): NonNullable<EffectHost['io']> {
  const readLine = lineReader(0);
  return { write: (stream, bytes) => write(stream === 'stdout' ? 1 : 2, bytes), flush: () => {}, readLine };
}

function sleep(milliseconds: number): void {
  if (milliseconds > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** One unit per operation, for the whole run; 0 means that the first use fails. */
function operatorBudget(budgets: Readonly<Record<string, number>>): EffectHost['charge'] {
  const used = new Map<string, number>();
  return (effect) => {
    const limit = budgets[effect];
    if (limit === undefined) return;
    const count = (used.get(effect) ?? 0) + 1;
    if (count > limit)
      throw new Error(
        `E_BUDGET_OPERATOR: effect '${effect}' operator budget exhausted: limit=${limit} for the whole run\nHint: the policy's [budgets] table bounds ${effect}; do the work in fewer operations`,
      );
    used.set(effect, count);
  };
}
