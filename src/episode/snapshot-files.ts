import {
  closeSync,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  type Stats,
} from 'node:fs';
import { WorldError } from '../errors.js';

/** The file operations of a walk. All synchronous: a stat costs microseconds, a promise for it twenty times that. */
export interface SnapshotFiles {
  readdir(path: string): Dirent[];
  lstat(path: string): Stats | undefined;
  readlink(path: string): Buffer;
  /** Opens with `flags`, reads everything, closes. */
  read(path: string, flags: number): { readonly stat: Stats; readonly bytes: Buffer };
}

/** The worktree on the real disk. */
export const diskFiles: SnapshotFiles = {
  readdir: (path) => readdirSync(path, { withFileTypes: true }),
  lstat: (path) => lstatSync(path, { throwIfNoEntry: false }),
  readlink: (path) => readlinkSync(path, { encoding: 'buffer' }),
  read(path, flags) {
    const file = openSync(path, flags);
    try {
      // The stat taken before the read: a later change has a later stamp and is found next time.
      const stat = fstatSync(file);
      return { stat, bytes: readFileSync(file) };
    } finally {
      closeSync(file);
    }
  },
};

/**
 * What the action gives; null when the file vanished or became something else under the walk.
 * @throws WorldError `worktree-unreadable`, which names the path
 */
export function unlessVanished<T>(path: string, action: () => T): T | null {
  try {
    return action();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return null;
    throw new WorldError(
      'worktree-unreadable',
      `the worktree file ${JSON.stringify(path)} cannot be read (${String(code)})`,
      { hint: 'Make it readable for the user the daemon runs as, or have git ignore it.', cause: error },
    );
  }
}
