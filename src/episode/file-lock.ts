import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import lockfile from 'proper-lockfile';
import { WorldError } from '../errors.js';

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
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const retries = Math.ceil((options.waitMs ?? 5_000) / RETRY_MS);
  const release = await lockfile
    .lock(path, {
      lockfilePath: `${path}.lock`,
      realpath: false,
      stale: options.staleMs ?? 10_000,
      retries: { retries, factor: 1, minTimeout: RETRY_MS, maxTimeout: RETRY_MS },
      // A lock lost while we hold it (a suspended machine) must not take the daemon down: see above.
      onCompromised: () => undefined,
    })
    .catch(async (error: unknown) => {
      throw await explain(path, error);
    });
  await writeFile(`${path}.owner`, `pid ${process.pid}\n`, { mode: 0o600 });
  return async () => {
    await release().catch(() => undefined);
  };
}

async function explain(path: string, error: unknown): Promise<WorldError> {
  const held = error instanceof Error && 'code' in error && error.code === 'ELOCKED';
  const owner = (await readFile(`${path}.owner`, 'utf8').catch(() => '')).trim() || 'another program';
  if (!held) {
    return new WorldError('worktree-lock-failed', `the worktree lock ${path}.lock cannot be taken`, { cause: error });
  }
  return new WorldError('worktree-locked', `the worktree is locked by ${owner}`, {
    hint: `Wait until it ends. If nothing runs any more, remove ${path}.lock`,
    data: { lock: `${path}.lock`, owner },
    cause: error,
  });
}
