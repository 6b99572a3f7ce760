import { lstatSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FileGuard } from '../../policy/fileguard/fileguard.js';
import { systemErrorCode } from '../../policy/fileguard/system-error.js';
import type { SourceTree } from '../../testing/find-files.js';

/** Finds source files below a guarded root. */
export function guardedTree(guard: FileGuard): SourceTree {
  return {
    kind: (path) => guard.stat(path, 'lstat'),
    list: (path) => guard.listDir(path),
  };
}

/** Finds source files below a directory, as the user could himself. */
export function plainTree(directory: string): SourceTree {
  return {
    kind(path) {
      try {
        const entry = lstatSync(resolve(directory, path));
        if (entry.isFile()) return 'file';
        return entry.isDirectory() ? 'directory' : 'other';
      } catch (error) {
        if (['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error))) return null;
        throw error;
      }
    },
    list: (path) => readdirSync(resolve(directory, path)),
  };
}

/** A root without files. */
export const emptyTree: SourceTree = { kind: () => null, list: () => [] };
