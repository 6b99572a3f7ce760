import { closeSync, fstatSync, lstatSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { SnapshotFiles } from './snapshot.js';

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
