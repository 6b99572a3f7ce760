import { defaultProver } from '../../contracts/default-prover.js';
import type { FunctionResult, VerifyOptions } from '../../contracts/types.js';
import { verify } from '../../contracts/verify.js';
import type { CheckResult } from '../../interfaces.js';
import { UsageError } from './context.js';

/** For all functions of one file, so that a command ends before those who wait for it give up. */
const totalMs = 20_000;
const defaultTimeoutMs = 5000;
const defaultDepth = 2;

export const contractFlags = {
  timeout: 'string',
  'verify-recursive-depth': 'string',
  'strict-overflow': 'boolean',
} as const;

export interface ContractFlags {
  readonly timeout?: string;
  readonly 'verify-recursive-depth'?: string;
  readonly 'strict-overflow'?: boolean;
}

/** @throws UsageError for a duration or a depth that is none */
export function verifyOptions(flags: ContractFlags): VerifyOptions {
  const timeoutMs = flags.timeout === undefined ? defaultTimeoutMs : durationMs(flags.timeout);
  const depth = flags['verify-recursive-depth'];
  if (depth !== undefined && !/^\d{1,2}$/.test(depth))
    throw new UsageError(`--verify-recursive-depth takes a number from 0 to 99, not ${JSON.stringify(depth)}`);
  return {
    timeoutMs,
    totalMs: Math.max(totalMs, timeoutMs),
    recursiveDepth: depth === undefined ? defaultDepth : Number(depth),
    strictOverflow: flags['strict-overflow'] === true,
  };
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A duration such as `5s`, `1m30s` or `500ms`. */
function durationMs(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  const total = parts.reduce((sum, [, count, unit]) => sum + Number(count) * (unitMs[unit ?? ''] ?? 0), 0);
  if (parts.map(([part]) => part).join('') !== text || total <= 0)
    throw new UsageError(`--timeout takes a duration such as 5s, not ${JSON.stringify(text)}`);
  return total;
}

/** Proves the contracts of a checked program. @returns null when no solver is available */
export function proveContracts(checked: CheckResult, options: VerifyOptions): readonly FunctionResult[] | null {
  if (checked.program === null) return null;
  const prover = defaultProver(process.env);
  if (prover === null) return null;
  return verify(checked.modules, checked.program, prover, options);
}
