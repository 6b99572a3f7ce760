import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import lockfile from 'proper-lockfile';
import { WorldError } from '../errors.js';
import { lockFileSystem } from './lock-file-system.js';

export interface FileLockOptions {
  /** Milliseconds to wait for another holder. Default 5,000. */
  readonly waitMs?: number;
  /** Milliseconds without a sign of life after which a lock counts as left behind. Default 10,000. */
  readonly staleMs?: number;
}

const RETRY_MS = 50;

/**
 * Takes the lock `<path>.lock`, whose holder is named in `<path>.owner`. The lock keeps other programs out of the
 * worktree during an effect; what the log says never rests on it.
 * @throws WorldError `worktree-locked` naming the holder
 */
export async function lockFile(path: string, options: FileLockOptions = {}): Promise<() => Promise<void>> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const retries = Math.ceil((options.waitMs ?? 5_000) / RETRY_MS);
  const release = await lockfile
    .lock(path, {
      lockfilePath: `${path}.lock`,
      realpath: false,
      fs: lockFileSystem,
      stale: options.staleMs ?? 10_000,
      retries: { retries, factor: 1, minTimeout: RETRY_MS, maxTimeout: RETRY_MS },
      // A lock lost while we hold it (a suspended machine) must not take the daemon down: see above.
      onCompromised: () => undefined,
    })
    .catch((error: unknown) => {
      throw explain(path, error);
    });
  writeFileSync(`${path}.owner`, `pid ${process.pid}\n`, { mode: 0o600 });
  return async () => {
    await release().catch(() => undefined);
  };
}

function explain(path: string, error: unknown): WorldError {
  if (!(error instanceof Error && 'code' in error && error.code === 'ELOCKED')) {
    return new WorldError('worktree-lock-failed', `the worktree lock ${path}.lock cannot be taken`, { cause: error });
  }
  const owner = ownerOf(path);
  return new WorldError('worktree-locked', `the worktree is locked by ${owner}`, {
    hint: `Wait until it ends. If nothing runs any more, remove ${path}.lock`,
    data: { lock: `${path}.lock`, owner },
    cause: error,
  });
}

function ownerOf(path: string): string {
  try {
    return readFileSync(`${path}.owner`, 'utf8').trim() || 'another program';
  } catch {
    return 'another program';
  }
}
