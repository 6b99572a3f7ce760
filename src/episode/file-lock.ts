import { mkdirSync, rmdirSync } from 'node:fs';
import { dirname } from 'node:path';
import lockfile from 'proper-lockfile';
import { WorldError } from '../errors.js';
import { lockFileSystem } from './lock-file-system.js';
import { isGone, readOwner, writeOwner } from './lock-owner.js';

export interface FileLockOptions {
  /** Milliseconds to wait for another holder. Default 5,000. */
  readonly waitMs?: number;
  /** Milliseconds without a sign of life after which a lock counts as left behind. Default 10,000. */
  readonly staleMs?: number;
}

const RETRY_MS = 50;
/** Locks of this process: one signed by our own pid that is not among them was left by an earlier process. */
const held = new Set<string>();

/**
 * Takes the lock `<path>.lock`, whose holder is named in `<path>.owner`. One left by a process that was killed is taken
 * over at once. The lock keeps other programs out of the worktree during an effect; what the log says never rests on it.
 * @throws WorldError `worktree-locked` naming the holder, `worktree-lock-failed`
 */
export async function lockFile(path: string, options: FileLockOptions = {}): Promise<() => Promise<void>> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const release = await take(path, options, 0).catch((error: unknown) => {
    if (!isHeld(error)) throw explain(path, error);
    discardOwnerless(path);
    const retries = Math.ceil((options.waitMs ?? 5_000) / RETRY_MS);
    return take(path, options, retries).catch((last: unknown) => {
      throw explain(path, last);
    });
  });
  const free = async () => {
    held.delete(path);
    await release().catch(() => undefined);
  };
  held.add(path);
  try {
    writeOwner(path);
  } catch (error) {
    await free();
    throw explain(path, error);
  }
  return free;
}

function take(path: string, options: FileLockOptions, retries: number): Promise<() => Promise<void>> {
  return lockfile.lock(path, {
    lockfilePath: `${path}.lock`,
    realpath: false,
    fs: lockFileSystem,
    stale: options.staleMs ?? 10_000,
    retries: { retries, factor: 1, minTimeout: RETRY_MS, maxTimeout: RETRY_MS },
    // A lock lost while we hold it (a suspended machine) must not take the daemon down: see above.
    onCompromised: () => undefined,
  });
}

function discardOwnerless(path: string): void {
  const owner = readOwner(path);
  if (owner === null || !(isGone(owner) || (owner.pid === process.pid && !held.has(path)))) return;
  try {
    rmdirSync(`${path}.lock`);
  } catch {
    // Someone else was faster.
  }
}

function isHeld(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ELOCKED';
}

function explain(path: string, error: unknown): WorldError {
  if (!isHeld(error)) {
    return new WorldError('worktree-lock-failed', `the worktree lock ${path}.lock cannot be taken`, { cause: error });
  }
  const owner = readOwner(path);
  const name = owner === null ? 'another program' : `process ${owner.pid} on ${owner.host}`;
  return new WorldError('worktree-locked', `the worktree is locked by ${name}`, {
    hint: `Wait until it ends. If nothing runs any more, remove ${path}.lock`,
    data: { lock: `${path}.lock`, owner: name },
    cause: error,
  });
}
