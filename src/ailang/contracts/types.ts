import type { Position } from '../diagnostic.js';

/** Why a function is outside what can be proven (ailang-language section 6). */
export type RejectionCode =
  | 'NO_CONTRACTS'
  | 'NOT_PURE'
  | 'RECURSIVE'
  | 'HIGHER_ORDER'
  | 'DEEP_PATTERNS'
  | 'UNENCODABLE_TYPE';

export interface Rejection {
  readonly code: RejectionCode;
  readonly message: string;
  readonly position: Position;
  readonly hint: string;
}

/** One parameter of a counterexample; `value` is written as in a program. */
export interface ModelEntry {
  readonly name: string;
  readonly sort: string;
  readonly value: string;
}

/** A call that was run and seen to fail. */
export interface Counterexample {
  readonly model: readonly ModelEntry[];
  /** The call as a program would write it: `withdraw(10, -3)`. */
  readonly call: string;
  /** What the run says, or for strict overflow what would wrap. */
  readonly violation: string;
}

/** What verification found out about one function. Durations in ms. */
export type Verdict =
  | {
      readonly status: 'verified';
      /** What the proof takes for granted beyond the contract; null for nothing. */
      readonly assuming: string | null;
      /** No call satisfies its requires, so that the proof is of nothing. */
      readonly vacuous: boolean;
      /** Only runs that recurse, or lists that are, at most this deep were looked at; null when all were. */
      readonly boundedDepth: number | null;
    }
  | { readonly status: 'counterexample'; readonly counterexample: Counterexample; readonly boundedDepth: number | null }
  | { readonly status: 'skipped'; readonly reason: string; readonly rejections: readonly Rejection[] }
  | { readonly status: 'unknown' | 'error'; readonly reason: string }
  | { readonly status: 'uncontracted' };

export interface FunctionResult {
  readonly function: string;
  readonly position: Position;
  readonly verdict: Verdict;
  readonly duration: number;
}

export interface VerifyOptions {
  /** Per function, in ms. */
  readonly timeoutMs: number;
  /** For all functions together, in ms; those left when it is used up are `unknown`. */
  readonly totalMs: number;
  /** How deep recursion and lists are followed where no induction succeeds; 0 refuses them. */
  readonly recursiveDepth: number;
  /** Also prove that no 64-bit operation wraps. */
  readonly strictOverflow: boolean;
}
