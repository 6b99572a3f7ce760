import { join } from 'node:path';
import { WorldError } from '../errors.js';
import { openRepository } from '../git/repository.js';
import type { GitOid, Repository } from '../git/types.js';
import type { EpisodeId } from '../log/types.js';
import type { RunPolicy, Toolchain } from '../toolchain/types.js';
import { lockFile } from './file-lock.js';
import { IgnoreRules } from './ignore-rules.js';
import { BASE_CAPS, type RunAllowance, writePolicy } from './policy.js';
import { objectsBelow, readSettings, trackedFilesReader } from './repository-facts.js';
import { SnapshotTaker } from './snapshot.js';
import { diskFiles } from './snapshot-files.js';
import type { EpisodeWorktree } from './types.js';
import { reopenWorktree, type WorktreeRequest } from './worktree.js';

export interface EpisodeRequest extends WorktreeRequest {
  readonly toolchain: Toolchain;
  readonly allowance: RunAllowance;
  /** The episode's newest recorded tree: its objects are in the repository. */
  readonly recordedTree: GitOid | null;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/**
 * Opens an episode whose worktree exists (`createWorktree` makes it): writes its policy, has the toolchain confirm it,
 * and gets ready to take snapshots.
 * @throws WorldError as `reopenWorktree` and `Toolchain.openEpisode`
 */
export async function openEpisode(request: EpisodeRequest): Promise<EpisodeWorktree> {
  const { episode, toolchain, allowance } = request;
  const root = await reopenWorktree(request);
  const repository = await openRepository(root);
  const policies = join(request.stateDir, 'policies');
  const confirmed = async (caps: readonly string[]) => {
    const policy = await writePolicy(policies, episode, root, caps, allowance);
    await toolchain.openEpisode(policy);
    return policy;
  };
  const base = await confirmed(BASE_CAPS);
  const taker = await snapshotTaker(request, repository, root);
  const variants = new Map<string, Promise<RunPolicy>>([[BASE_CAPS.join('.'), Promise.resolve(base)]]);

  return {
    episode,
    root,
    policy: base,
    async runPolicy(caps) {
      checkEnabled(caps, allowance);
      const key = [...caps].sort().join('.');
      const policy = variants.get(key) ?? confirmed(caps);
      variants.set(key, policy);
      // A variant that could not be confirmed is tried anew by the next run.
      policy.catch(() => variants.delete(key));
      return policy;
    },
    lock: () => lockFile(join(request.stateDir, 'locks', episode)),
    snapshot: (changed) => taker.snapshot(changed),
    persisted: (snapshot) => taker.persisted(snapshot),
  };
}

function checkEnabled(caps: readonly string[], allowance: RunAllowance): void {
  const refused = caps.find((cap) => !BASE_CAPS.includes(cap) && !allowance.caps.includes(cap));
  if (refused === undefined) return;
  const message = `capability "${refused}" is not enabled by the operator (serve --run-allow-caps)`;
  throw new WorldError('capability-not-enabled', message, { data: { capability: refused } });
}

async function snapshotTaker(request: EpisodeRequest, repository: Repository, root: string): Promise<SnapshotTaker> {
  const [settings, head, recorded] = await Promise.all([
    readSettings(repository, root),
    objectsBelow(root, 'HEAD'),
    request.recordedTree === null ? [] : objectsBelow(root, request.recordedTree),
  ]);
  return new SnapshotTaker({
    root,
    objectFormat: repository.objectFormat,
    fileMode: settings.fileMode,
    rules: IgnoreRules.of(settings.excludes, settings.ignoreCase),
    tracked: trackedFilesReader(repository, root),
    known: new Set([...head, ...recorded]),
    files: diskFiles,
    now: request.now,
    pause: () => new Promise((resolve) => setImmediate(resolve)),
  });
}

/** Open episodes of a daemon: each opened once, on first use. */
export interface Episodes {
  /** @throws WorldError as `openEpisode` */
  worktree(episode: EpisodeId): Promise<EpisodeWorktree>;
  /** Forgets an episode, whose worktree was removed for instance. */
  forget(episode: EpisodeId): void;
}

export function episodeRegistry(open: (episode: EpisodeId) => Promise<EpisodeWorktree>): Episodes {
  const opened = new Map<EpisodeId, Promise<EpisodeWorktree>>();
  return {
    worktree(episode) {
      const known = opened.get(episode) ?? open(episode);
      opened.set(episode, known);
      // A failure is not kept: the operator may have put it right by the next call.
      known.catch(() => opened.delete(episode));
      return known;
    },
    forget: (episode) => void opened.delete(episode),
  };
}
