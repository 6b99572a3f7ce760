import type { Invoker } from '../invocation/types.js';
import type { CredentialId, SessionState, WorldLog } from '../log/types.js';
import type { ToolchainIdentity } from '../toolchain/types.js';

/** How a bearer header was judged (world-formats 3). */
export type SessionResolution =
  | { readonly outcome: 'live'; readonly session: SessionState }
  | { readonly outcome: 'absent' | 'malformed' | 'unknown' | 'expired' };

/** What the HTTP surfaces are given. They know protocols and no effects. */
export interface SurfaceContext {
  readonly log: WorldLog;
  readonly invoker: Invoker;
  readonly toolchain: ToolchainIdentity;
  /** Absolute path of the repository's common directory, for `/v1/health`. */
  readonly repository: string;
  readonly version: string;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly random: (bytes: number) => Buffer;
  /** Judges the value of an `Authorization` header; undefined when there is none. */
  resolveSession(authorization: string | undefined): SessionResolution;
  /** One line for the operator (stderr). Never a token. */
  report(line: string): void;
}

export interface MintedSession {
  readonly token: string;
  readonly credentialId: CredentialId;
}
