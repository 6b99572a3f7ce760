import { defaultProver, proverPresent } from '../../contracts/default-prover.js';
import type { FunctionResult, VerifyOptions } from '../../contracts/types.js';
import { verify } from '../../contracts/verify.js';
import type { CoreProgram } from '../../core/types.js';
import type { CheckResult } from '../../interfaces.js';
import { UsageError } from './context.js';
import { durationMs } from './duration.js';

/** For all functions of one file: a daemon's effect has ten seconds, and a report that is late is no report. */
const totalMs = 7000;
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

/** @param total for all functions, in ms. @throws UsageError for a duration or a depth that is none */
export function verifyOptions(flags: ContractFlags, total = totalMs): VerifyOptions {
  const timeoutMs = flags.timeout === undefined ? defaultTimeoutMs : durationMs('timeout', flags.timeout);
  const depth = flags['verify-recursive-depth'];
  if (depth !== undefined && !/^\d{1,2}$/.test(depth))
    throw new UsageError(`--verify-recursive-depth takes a number from 0 to 99, not ${JSON.stringify(depth)}`);
  return {
    timeoutMs,
    totalMs: Math.max(total, timeoutMs),
    recursiveDepth: depth === undefined ? defaultDepth : Number(depth),
    strictOverflow: flags['strict-overflow'] === true,
  };
}

/** Proves the contracts of a checked program. @returns null when it has errors, or no solver is available */
export function proveContracts(checked: CheckResult, options: VerifyOptions): readonly FunctionResult[] | null {
  if (checked.program === null) return null;
  // Without contracts there is nothing to load a solver for.
  if (!hasContracts(checked.program)) return proverPresent(process.env) ? uncontracted(checked.program) : null;
  const started = performance.now();
  const prover = defaultProver(process.env);
  if (prover === null) return null;
  // Loading the solver is a part of the time that the caller gives.
  const totalMs = options.totalMs - (performance.now() - started);
  return verify(checked.modules, checked.program, prover, { ...options, totalMs });
}

const rootFunctions = ({ modules, root }: CoreProgram) => modules.find(({ path }) => path === root)?.functions ?? [];

const hasContracts = (program: CoreProgram): boolean =>
  rootFunctions(program).some(({ clauses }) => clauses.length > 0);

const uncontracted = (program: CoreProgram): readonly FunctionResult[] =>
  rootFunctions(program)
    .filter(({ exported }) => exported)
    .map(({ name, position }) => ({ function: name, position, verdict: { status: 'uncontracted' }, duration: 0 }));
