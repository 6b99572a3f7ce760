import type { EpisodeId, JsonObject, Sha256Ref } from '../log/types.js';

/** Which AILANG runs; recorded in the log, re-checked before use. */
export interface ToolchainIdentity {
  readonly name: 'embedded' | 'official';
  /** As `ailang version` says it, such as `v0.52.1`. */
  readonly version: string;
  /** `tool` in results, `interpreter` in entry headers. */
  readonly ref: Sha256Ref;
}

/** The policy file of an episode, rendered and written by the episode, outside the worktree. */
export interface EpisodePolicy {
  readonly episode: EpisodeId;
  /** Absolute path of the TOML file. */
  readonly file: string;
  /** SHA-256 of the file's bytes, 64 hex digits: `policy_digest`. */
  readonly digest: string;
  /** Real path of the worktree: `fs_sandbox`, and the working directory of every child. */
  readonly sandbox: string;
}

/** The policy of one exact capability set, with what the toolchain must report about it and a run tells. */
export interface RunPolicy extends EpisodePolicy {
  readonly securityMode: 'restricted' | 'trusted_host';
  /** Admitted capabilities, sorted. */
  readonly caps: readonly string[];
  /** Loopback `IP:PORT` literals; empty without Net. */
  readonly netAllow: readonly string[];
}

/** One request to `ailang policy-tool` (ailang-cli 1.1). */
export type PolicyToolRequest = JsonObject & { readonly op: string };

/** ailang-cli 1.2, with the omitted members filled in by the adapter. */
export interface PolicyToolResponse {
  readonly ok: boolean;
  readonly refused?: string;
  readonly content?: string;
  readonly argv?: readonly string[];
  readonly exit_code?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly summary?: JsonObject;
}

export interface RunRequest {
  readonly path: string;
  readonly args_json?: string;
  readonly stdin?: string;
  readonly argv?: readonly string[];
}

/** How `ailang run --policy` ended, before any interpretation. */
export interface RunResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The port the daemon calls. Methods reject only when no answer could be had (child died, deadline, digest changed):
 * the broker records that as a failed effect. A refusal is an answer.
 */
export interface Toolchain {
  readonly identity: ToolchainIdentity;
  /**
   * Has the toolchain read a policy, before its first use: of an episode, or of a run with other capabilities.
   * @throws WorldError `policy-unusable`, `policy-mismatch` when its summary is not exactly the policy that was rendered
   */
  openEpisode(policy: RunPolicy): Promise<void>;
  policyTool(policy: EpisodePolicy, request: PolicyToolRequest, deadlineMs: number): Promise<PolicyToolResponse>;
  run(policy: EpisodePolicy, request: RunRequest, deadlineMs: number): Promise<RunResult>;
  closeEpisode(policy: EpisodePolicy): Promise<void>;
  close(): Promise<void>;
}
