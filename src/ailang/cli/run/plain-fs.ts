import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { resolve } from 'node:path';
import type { EffectHost } from '../../interfaces.js';
import { systemErrorText } from '../../policy/fileguard/system-error.js';

/** The FS effect of a run without a policy: the user's own files, relative to the working directory. */
export function plainFs(cwd: string): NonNullable<EffectHost['fs']> {
  const at = (path: string): string => resolve(cwd, path);
  return {
    readFile: (path) => explained('open', path, () => readFileSync(at(path))),
    writeFile: (path, content, append) =>
      explained('open', path, () => (append ? appendFileSync : writeFileSync)(at(path), content)),
    stat: (path) => {
      const stats = statSync(at(path), { throwIfNoEntry: false });
      if (stats === undefined) return null;
      if (stats.isFile()) return 'file';
      return stats.isDirectory() ? 'directory' : 'other';
    },
    listDir: (path) => explained('open', path, () => readdirSync(at(path)).sort()),
    mkdir: (path, recursive) => explained('mkdir', path, () => void mkdirSync(at(path), { recursive })),
    remove: (path) =>
      explained('remove', path, () => (lstatSync(at(path)).isDirectory() ? rmdirSync : unlinkSync)(at(path))),
    rename: (from, to) => explained('rename', from, () => renameSync(at(from), at(to))),
  };
}

function explained<T>(operation: string, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`${operation} ${path}: ${systemErrorText(error)}`);
  }
}
