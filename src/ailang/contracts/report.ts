import type { FunctionResult, Rejection, Verdict } from './types.js';

/** The `verify` part of an `ai-check` report (ailang-cli section 6). */
export interface VerifyReport {
  readonly available: boolean;
  readonly verified: number;
  readonly counterexample: number;
  readonly skipped: number;
  /** Results that are `error` or `unknown`. */
  readonly errors: number;
  readonly results: readonly object[];
}

/** No solver, or the type check failed. */
export const notVerified: VerifyReport = {
  available: false,
  verified: 0,
  counterexample: 0,
  skipped: 0,
  errors: 0,
  results: [],
};

export function verifyReport(results: readonly FunctionResult[]): VerifyReport {
  const count = (...statuses: readonly string[]): number =>
    results.filter(({ verdict }) => statuses.includes(verdict.status)).length;
  return {
    available: true,
    verified: count('verified'),
    counterexample: count('counterexample'),
    skipped: count('skipped'),
    errors: count('error', 'unknown'),
    results: results.filter(({ verdict }) => verdict.status !== 'uncontracted').map(resultRecord),
  };
}

/** Whether a report means failure: something is refuted or undecided. */
export const hasFindings = ({ counterexample, errors }: VerifyReport): boolean => counterexample + errors > 0;

/** `duration` in integer nanoseconds. */
export function resultRecord({ function: name, verdict, duration }: FunctionResult): object {
  const nanoseconds = Math.round(duration * 1e6);
  switch (verdict.status) {
    case 'verified':
      return {
        function: name,
        status: verdict.status,
        ...noted(proofNote(verdict)),
        duration: nanoseconds,
        ...bounded(verdict.boundedDepth),
      };
    case 'counterexample':
      return {
        function: name,
        status: verdict.status,
        reason: `${verdict.counterexample.call} fails: ${verdict.counterexample.violation}`,
        model: verdict.counterexample.model,
        call: verdict.counterexample.call,
        duration: nanoseconds,
        ...bounded(verdict.boundedDepth),
      };
    case 'skipped':
      return {
        function: name,
        status: verdict.status,
        reason: verdict.reason,
        rejections: verdict.rejections.map(rejectionRecord),
        duration: nanoseconds,
      };
    case 'unknown':
    case 'error':
      return { function: name, status: verdict.status, reason: verdict.reason, duration: nanoseconds };
    case 'uncontracted':
      return { function: name, status: verdict.status, duration: nanoseconds };
  }
}

/** What a reader of a proof should know beside it; null for nothing. */
export function proofNote({ assuming, vacuous }: Extract<Verdict, { status: 'verified' }>): string | null {
  const notes = [
    ...(vacuous ? ['no call satisfies its requires'] : []),
    ...(assuming === null ? [] : [`assuming that ${assuming}`]),
  ];
  return notes.length === 0 ? null : notes.join(', ');
}

const noted = (note: string | null): object => (note === null ? {} : { reason: note });
const bounded = (depth: number | null): object => (depth === null ? {} : { bounded_depth: depth });

function rejectionRecord({ code, message, position, hint }: Rejection): object {
  return {
    Code: code,
    Message: message,
    Location: `${position.file}:${position.line}:${position.column}`,
    Hint: hint,
  };
}
