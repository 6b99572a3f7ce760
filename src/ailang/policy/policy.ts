export type SecurityMode = 'restricted' | 'trusted_host';

/** Bytes; 0 is no limit (only under trusted_host). Keys in the order of the `policy:` line. */
export interface PolicyLimits {
  readonly max_source_bytes: number;
  readonly max_module_graph_bytes: number;
  readonly max_output_bytes: number;
  readonly max_fs_transfer_bytes: number;
}

/** A policy file that was read, decoded and found consistent (ailang-cli section 3). */
export interface Policy {
  /** As it was named. */
  readonly path: string;
  /** SHA-256 of the file's bytes, 64 hex digits. */
  readonly digest: string;
  readonly securityMode: SecurityMode;
  /** Sorted. */
  readonly caps: readonly string[];
  /** As written in the file; empty when FS is not admitted. */
  readonly fsSandbox: string;
  readonly fsDenyWrite: readonly string[];
  readonly netAllow: readonly string[];
  readonly netAllowHttp: boolean;
  readonly processAllow: readonly string[];
  /** Null: the default set. */
  readonly cliAllow: readonly string[] | null;
  /** Operations a run may perform, by effect name; absent is unlimited. */
  readonly budgets: Readonly<Record<string, number>>;
  readonly timeoutMs: number;
  readonly limits: PolicyLimits;
  readonly aiProvider: string;
  readonly entry: string;
}

/** A policy that cannot be used. The message begins `policy: <path>: ` (or says that the file cannot be read). */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';
}
