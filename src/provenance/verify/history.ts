import type { GitOid } from '../../git/types.js';
import type { Leaf } from './tree-paths.js';

/** How bytes came into an episode's files. */
export type Origin =
  | { readonly by: 'base' }
  /** A write or edit: exactly the bytes its arguments name. */
  | { readonly by: 'call'; readonly entry: number; readonly tool: string }
  /** While a program of a call ran. */
  | { readonly by: 'program'; readonly entry: number; readonly tool: string }
  /** Outside of every call. */
  | { readonly by: 'drift'; readonly entry: number };

/** What a path became at one entry; `leaf` is null when it was removed. */
export interface Version {
  readonly entry: number;
  readonly leaf: Leaf | null;
  readonly origin: Origin;
}

/** The files of one episode through time: what it began with, and every later state of each path that changed. */
export class EpisodeHistory {
  readonly versions = new Map<string, Version[]>();
  /** Tree after each entry that has one, the newest only. */
  tree: GitOid;

  constructor(
    readonly episode: string,
    readonly opened: number,
    readonly base: GitOid,
    /** The commit the operator opened it at, as the act says. */
    readonly baseCommit: string,
  ) {
    this.tree = base;
  }

  add(path: string, version: Version): void {
    const known = this.versions.get(path);
    if (known === undefined) this.versions.set(path, [version]);
    else known.push(version);
  }
}

/** One entry of an episode as trailers name it. */
export interface EntryPoint {
  readonly entryHash: string;
  readonly episode: string | null;
  readonly call: boolean;
  readonly tree: GitOid | null;
}
