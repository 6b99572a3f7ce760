import type { EpisodeId, Snapshot } from '../log/types.js';
import type { EpisodePolicy, RunPolicy } from '../toolchain/types.js';

/** An open episode's worktree on disk. */
export interface EpisodeWorktree {
  readonly episode: EpisodeId;
  /** Real path of the worktree's root. */
  readonly root: string;
  readonly policy: EpisodePolicy;
  /**
   * The policy for a run with exactly these capabilities: written and confirmed by the toolchain before its first use.
   * @throws WorldError `capability-not-enabled` when the operator has not enabled one of them
   */
  runPolicy(caps: readonly string[]): Promise<RunPolicy>;
  /** Takes the worktree's file lock (other programs may hold it); the returned function releases it. */
  lock(): Promise<() => Promise<void>>;
  /**
   * The worktree as `git add -A` would see it. Hashes only what changed since the last call.
   * @param changed the one file that can have changed since the last snapshot; without it every file is looked at
   */
  snapshot(changed?: string): Promise<Snapshot>;
  /** The log holds this snapshot's objects now; later snapshots need not carry them. */
  persisted(snapshot: Snapshot): void;
}
