import type { CommittedEntry, JsonObject, SessionState, SurfaceName } from '../log/types.js';
import type { ToolDescriptor } from '../tools/types.js';

export interface Call {
  readonly surface: SurfaceName;
  /** Resolved and live. */
  readonly session: SessionState;
  /** 1–128 of `A-Za-z0-9._-`. MCP mints 64 random hex digits; A2A passes the caller's. */
  readonly taskId: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** A2A's optional pin of the tool's source. */
  readonly transitionFn?: string;
}

export interface Completed {
  /** Exactly the committed output, parsed and as bytes. */
  readonly output: JsonObject;
  readonly outputBytes: Buffer;
  readonly invocationId: string;
  readonly entry: CommittedEntry;
  /** True when a resent task id was answered from the log. */
  readonly reconciled: boolean;
}

/** Why a call has no committed result (world-behaviour 4; world-formats 6). */
export type InvocationFailureKind =
  | 'invalid-call'
  | 'unknown-tool'
  | 'transition-mismatch'
  | 'in-flight'
  | 'id-used'
  | 'not-committed'
  | 'unconfirmed'
  | 'world-absent'
  | 'unsupported-effect'
  | 'execution'
  | 'output'
  | 'deadline'
  | 'capacity'
  | 'effects-unrecorded';

export interface Invoker {
  /** Tools this session may see now, in byte order of their ids. */
  visibleTools(session: SessionState): readonly ToolDescriptor[];
  /** @throws InvocationFailure */
  invoke(call: Call): Promise<Completed>;
  /** Resolves when no call is in flight; new calls are refused from now on. */
  drain(): Promise<void>;
}
