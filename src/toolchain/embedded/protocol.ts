import type { ChildRequest } from '../../ailang/cli/run/messages.js';
import type { CommandOutcome } from '../../ailang/policy/policy-tool.js';
import type { RunResult } from '../types.js';

/** How the helper works; its first message. */
export interface HelperSettings {
  /** The bundled `ailang` program that the command thread runs. */
  readonly program: string;
  /** Directory of the examples corpus; null is the shipped one. */
  readonly examples: string | null;
  /** Run children kept ready. */
  readonly idleChildren: number;
  /** Z3 program that proves; null is the bundled one. */
  readonly z3Program: string | null;
}

/** What the daemon asks of the helper, as JSON lines over its descriptor 3. `deadlineMs` counts from arrival. */
export type HelperRequest =
  | { readonly kind: 'settings'; readonly settings: HelperSettings }
  | { readonly kind: 'warm'; readonly id: number }
  | {
      readonly kind: 'command';
      readonly id: number;
      readonly argv: readonly string[];
      readonly root: string | null;
      readonly deadlineMs: number;
    }
  | {
      readonly kind: 'run';
      readonly id: number;
      readonly request: ChildRequest;
      readonly stdin: string;
      readonly deadlineMs: number;
    };

export type HelperReply =
  | { readonly id: number; readonly kind: 'warm'; readonly pids: readonly number[] }
  | { readonly id: number; readonly kind: 'command'; readonly outcome: CommandOutcome }
  | { readonly id: number; readonly kind: 'run'; readonly result: RunResult }
  | { readonly id: number; readonly kind: 'failed'; readonly message: string };
