import { readlinkSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Directory } from './directory.js';
import { otherSpelling } from './spelling.js';
import { systemError, systemErrorCode } from './system-error.js';

/** Where a path leads: an entry of an opened directory. */
export interface Place {
  readonly directory: Directory;
  /** `.` for the directory itself. */
  readonly name: string;
  /** From the root, links resolved; what write protection is judged by. */
  readonly components: readonly string[];
}

/** The path leaves the root. */
export class LeavesRoot extends Error {
  constructor() {
    super('path escapes from parent');
  }
}

const maxLinks = 40;

/**
 * Walks a cleaned relative path component by component from an opened root, resolving relative links by hand. Nothing
 * is ever looked up by a path string that somebody else could bend, and an absolute link is an escape even when it
 * points back inside.
 * @throws LeavesRoot, or an error of the system
 */
export function withPlace<T>(root: Directory, path: string, followLast: boolean, use: (place: Place) => T): T {
  const opened: { readonly directory: Directory; readonly name: string }[] = [];
  const pending = path.split('/').filter((part) => part !== '' && part !== '.');
  const here = (): Directory => opened.at(-1)?.directory ?? root;
  let links = 0;
  const expand = (target: string): void => {
    if (isAbsolute(target)) throw new LeavesRoot();
    links += 1;
    if (links > maxLinks) throw systemError('ELOOP');
    pending.unshift(...target.split('/').filter((part) => part !== '' && part !== '.'));
  };
  try {
    for (;;) {
      const name = pending.shift();
      const names = opened.map((level) => level.name);
      if (name === undefined) return use({ directory: here(), name: '.', components: names });
      if (name === '..') {
        const left = opened.pop();
        if (left === undefined) throw new LeavesRoot();
        left.directory.close();
        continue;
      }
      const last = pending.length === 0;
      const entry = last && !followLast ? { spelling: name, target: null } : look(here(), name);
      if (entry.target !== null) expand(entry.target);
      else if (last) return use({ directory: here(), name: entry.spelling, components: [...names, entry.spelling] });
      else opened.push({ directory: here().child(entry.spelling), name: entry.spelling });
    }
  } finally {
    for (const level of opened) level.directory.close();
  }
}

/** The entry's spelling on the disk and, when it is a link, its target. A missing entry keeps the name asked for. */
function look(directory: Directory, name: string): { readonly spelling: string; readonly target: string | null } {
  try {
    return { spelling: name, target: readlinkSync(directory.at(name)) };
  } catch (error) {
    const code = systemErrorCode(error);
    // EINVAL: there is an entry, and it is no link. (A NUL in the name is no system call at all.)
    if (code === 'EINVAL' && !name.includes('\0')) return { spelling: name, target: null };
    if (code !== 'ENOENT') throw error;
    const spelling = otherSpelling(directory, name);
    return spelling === null || spelling === name ? { spelling: name, target: null } : look(directory, spelling);
  }
}
