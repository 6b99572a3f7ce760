import { setTimeout as sleep } from 'node:timers/promises';
import { WorldError } from '../errors.js';
import type { Durability, FileSystem } from '../git/file-system.js';
import { type InstalledPack, writePack } from '../git/pack.js';
import { compareAndSwapRef, readRef, removeStaleRefLock } from '../git/ref.js';
import type { GitObject, GitOid, Repository } from '../git/types.js';
import { logRef } from './log-ref.js';

export interface SealOptions {
  readonly fs: FileSystem;
  readonly durability: Durability;
  /** Told of every pack, for merging. */
  readonly packWritten: (pack: InstalledPack) => void;
}

/** The commit of an entry and every object the repository needs for it. */
export interface ChainedCommit {
  readonly commit: GitOid;
  readonly objects: readonly GitObject[];
}

/** Most entries of one pack. */
export const groupSize = 64;
/** No git command holds the lock of one ref this long, ms. */
export const staleLockMs = 2000;

/**
 * Makes a group of chained entries part of the repository: one pack, then the ref from `expected` to the last commit.
 * @throws WorldError `ref-moved` when the ref is elsewhere, `pack-write-failed`, `ref-locked`, `ref-write-failed`
 */
export async function sealGroup(
  repository: Repository,
  group: readonly ChainedCommit[],
  expected: GitOid | null,
  options: SealOptions,
): Promise<GitOid | null> {
  const last = group.at(-1);
  if (last === undefined) return expected;
  const objects = new Map<GitOid, GitObject>();
  for (const entry of group) for (const object of entry.objects) objects.set(object.oid, object);
  const pack = await writePack(repository, [...objects.values()], options);
  try {
    await moveRef(repository, expected, last.commit, options);
  } finally {
    // A `.keep` that stays is swept at the next start; the entry is in the log all the same.
    await pack.release().catch(() => undefined);
  }
  options.packWritten(pack);
  return last.commit;
}

async function moveRef(
  repository: Repository,
  expected: GitOid | null,
  next: GitOid,
  options: SealOptions,
): Promise<void> {
  const { fs, durability } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      return await compareAndSwapRef(repository, logRef, expected, next, {
        fs,
        durability,
        lockTimeoutMs: staleLockMs,
      });
    } catch (error) {
      const code = error instanceof WorldError ? error.code : '';
      // A failed write may have happened all the same.
      if (code === 'ref-write-failed' && (await readRef(repository, logRef, fs).catch(() => null)) === next) return;
      if (code !== 'ref-locked' || attempt === 3) throw error;
      await removeStaleRefLock(repository, logRef, staleLockMs);
      await sleep(20);
    }
  }
}

/** The ref is not where the log left it. */
export function foreignMove(cause: unknown): WorldError {
  const data = cause instanceof WorldError ? cause.data : {};
  return new WorldError('log-foreign-move', `something else moved ${logRef}; nothing of it was overwritten`, {
    hint:
      'What this daemon acknowledged is kept in the journal (world/journal in the git directory). ' +
      `Look at: git log ${logRef} - then put the ref back, or run: ailang-worldd doctor --repair`,
    data,
    cause,
  });
}
