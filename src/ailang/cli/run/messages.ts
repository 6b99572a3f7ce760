import type { MessagePort } from 'node:worker_threads';

/**
 * What the supervisor sends, in JSON lines over the child's descriptor 3: null when the child is ready, which does nothing
 * but take the way of the request that follows, so that the request finds it paved; then one run.
 */
export type ParentMessage = ChildRequest | null;

/** One run. */
export interface ChildRequest {
  /** Path of the policy as it was given, for the printed lines. */
  readonly policyPath: string;
  /** The policy's bytes as the supervisor judged them. */
  readonly policyText: string;
  /** As given, and what it is relative to. */
  readonly file: string;
  readonly cwd: string;
  readonly argsJson: string;
  readonly argv: readonly string[];
  /** `--verify-contracts`, `--no-print`, `--max-recursion-depth`. */
  readonly verifyContracts: boolean;
  readonly printResult: boolean;
  readonly maxDepth: number;
}

/** What the child says: `ready`, `rehearsed` if there was time, then one verdict, then `finished` when the program ran. */
export type ChildMessage =
  | { readonly kind: 'ready' | 'rehearsed' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'denied'; readonly document: string; readonly exitCode: number }
  | { readonly kind: 'admitted'; readonly line: string }
  | { readonly kind: 'finished'; readonly exitCode: number };

/** What the interpreting thread says to the child's other thread: its messages, and where it will ask for requests. */
export type ThreadMessage = ChildMessage | { readonly kind: 'network'; readonly port: MessagePort };
