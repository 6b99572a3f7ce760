import type { OperatorAct } from '../../log/types.js';
import { parseJson } from '../parse-json.js';
import type { EffectFacts } from './entry-facts.js';

type Allowance = Extract<OperatorAct, { act: 'genesis' | 'tools' }>['allowance'];

/** What a run asked for, and the policy its result says it ran under. */
export interface RunFacts {
  readonly effect: string;
  readonly caps: readonly string[];
  /** Null when it did not run. */
  readonly policy: { readonly caps: readonly string[]; readonly netAllow: readonly string[] } | null;
}

const BASE = ['FS', 'IO'];
const RUNS = ['Ailang.Run', 'Ailang.RunEnv', 'Ailang.RunNet'];

/** Null for an effect that is no run. */
export function runFacts({ record, request }: EffectFacts, result: Buffer | undefined): RunFacts | null {
  if (!RUNS.includes(record.effect)) return null;
  const { caps } = (parseJson(request.payload) ?? {}) as { caps?: unknown };
  const { policy } = (parseJson(result) ?? {}) as { policy?: { caps?: unknown; net_allow?: unknown } | null };
  const ran = record.allowed && !record.failed && policy != null;
  return {
    effect: record.effect,
    caps: caps === undefined ? BASE : texts(caps),
    policy: ran ? { caps: texts(policy.caps), netAllow: texts(policy.net_allow) } : null,
  };
}

/**
 * How a run went beyond what the operator allowed, or null (world-formats 19.2): its effect is the one of its
 * capabilities, and it ran with those and no others, each allowed, and reached only the pairs that were named.
 */
export function beyondAllowance(run: RunFacts, allowance: Allowance): { expected: string; found: string } | null {
  const effect = run.caps.includes('Env') ? 'Ailang.RunEnv' : run.caps.includes('Net') ? 'Ailang.RunNet' : 'Ailang.Run';
  if (run.effect !== effect) return { expected: `${effect} for ${run.caps.join(', ')}`, found: run.effect };
  if (run.policy === null) return null;
  const allowed = [...BASE, ...(allowance?.caps ?? [])];
  const cap = run.policy.caps.find((name) => !allowed.includes(name));
  if (cap !== undefined) return { expected: `at most ${allowed.join(', ')}`, found: `a run with ${cap}` };
  const asked = [...run.caps, 'FS'];
  const extra = run.policy.caps.find((name) => !asked.includes(name));
  if (extra !== undefined) return { expected: `at most ${run.caps.join(', ')}`, found: `a run with ${extra}` };
  const pairs = run.caps.includes('Net') ? (allowance?.netAllow ?? []) : [];
  const pair = run.policy.netAllow.find((name) => !pairs.includes(name));
  return pair === undefined ? null : { expected: `at most ${pairs.join(', ') || 'no network'}`, found: pair };
}

/** Names of a list; what is no list of names is one name that nobody allows. */
function texts(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value.map(String) : [JSON.stringify(value)];
}
