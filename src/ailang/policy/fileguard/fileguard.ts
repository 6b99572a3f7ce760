import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { posix } from 'node:path';
import type { Protection } from '../protect.js';
import { type Directory, openRoot } from './directory.js';
import { escapes, failed, GuardError, type Operation, ProtectedError, TooLargeError } from './guard-error.js';
import { rootRelative } from './lexical.js';
import { systemError, systemErrorCode, systemErrorText } from './system-error.js';
import { LeavesRoot, type Place, withPlace } from './walk.js';

export type EntryKind = 'file' | 'directory' | 'symlink' | 'other';

/** A component may be swapped between two steps of a walk; then the walk starts again. */
const attempts = 16;
const transient = new Set(['ELOOP', 'ENOTDIR']);
const { O_RDONLY, O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Files below one root directory, reached by directory descriptors and never by path strings (ailang-cli section 2).
 * Not covered, as in the original: hard links and bind mounts. Every method throws GuardError.
 */
export class FileGuard {
  readonly root: string;
  readonly #directory: Directory;
  readonly #protection: Protection;

  /** @throws GuardError `fileguard: open sandbox root "<dir>": …` */
  constructor(root: string, protection: Protection, open: (path: string) => Directory = openRoot) {
    this.root = cleaned(root);
    this.#protection = protection;
    try {
      this.#directory = open(this.root);
    } catch (error) {
      throw new GuardError(
        systemErrorCode(error),
        `fileguard: open sandbox root ${JSON.stringify(root)}: open ${root}: ${systemErrorText(error)}`,
      );
    }
  }

  close(): void {
    this.#directory.close();
  }

  /** @param cap most bytes to read, 0 for no limit. @throws TooLargeError */
  readFile(path: string, cap: number): Buffer {
    return this.#at('openat', path, true, (place) => {
      const fd = openRegular(place, O_RDONLY);
      try {
        const { size } = fstatSync(fd);
        if (cap > 0 && size > cap) throw new TooLargeError(path, cap);
        return readAll(fd, size, cap, path);
      } finally {
        closeSync(fd);
      }
    });
  }

  /** Judges the path as written, before anything is opened. @throws ProtectedError */
  checkWritable(path: string): void {
    this.#refuseProtected(path, rootRelative(this.root, path).split('/'));
  }

  /** Creates (mode 0644, no parents) or overwrites, not atomically. @throws ProtectedError */
  writeFile(path: string, content: Buffer, mode: 'truncate' | 'append' = 'truncate'): void {
    this.checkWritable(path);
    this.#at('openat', path, true, (place) => {
      this.#refuseProtected(path, place.components);
      const append = mode === 'append';
      const fd = openRegular(place, O_WRONLY | O_CREAT | (append ? O_APPEND : 0));
      try {
        if (!append) ftruncateSync(fd);
        for (let at = 0; at < content.length; ) at += writeSync(fd, content, at);
      } finally {
        closeSync(fd);
      }
    });
  }

  /** Null when nothing is there. `lstat` looks at a link in the last component itself. */
  stat(path: string, how: 'stat' | 'lstat' = 'stat'): EntryKind | null {
    try {
      return this.#at(how === 'stat' ? 'statat' : 'lstatat', path, how === 'stat', (place) => kind(entry(place)));
    } catch (error) {
      if (error instanceof GuardError && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
      throw error;
    }
  }

  /** Bytes of a regular file. */
  size(path: string): number {
    return this.#at('statat', path, true, (place) => entry(place).size);
  }

  /** Names, sorted by code unit. */
  listDir(path: string): string[] {
    return this.#at('openat', path, true, (place) => {
      const directory = place.name === '.' ? null : place.directory.child(place.name);
      try {
        return readdirSync((directory ?? place.directory).at('.')).sort();
      } finally {
        directory?.close();
      }
    });
  }

  mkdir(path: string, recursive: boolean): void {
    const parts = rootRelative(this.root, path).split('/');
    this.#refuseProtected(path, parts);
    const first = recursive ? 1 : parts.length;
    for (let length = first; length <= parts.length; length++) {
      const step = parts.slice(0, length).join('/');
      if (recursive && this.stat(step) === 'directory') continue;
      this.#at('mkdirat', step, true, (place) => {
        this.#refuseProtected(path, place.components);
        mkdirSync(place.directory.at(place.name), { mode: 0o755 });
      });
    }
  }

  /** A file, a link (not its target) or an empty directory. */
  remove(path: string): void {
    this.#at('unlinkat', path, false, (place) => {
      this.#refuseProtected(path, place.components);
      const target = place.directory.at(place.name);
      if (entry(place).isDirectory()) rmdirSync(target);
      else unlinkSync(target);
    });
  }

  rename(from: string, to: string): void {
    this.#at('renameat', from, false, (source) => {
      this.#refuseProtected(from, source.components);
      this.#at('renameat', to, false, (target) => {
        this.#refuseProtected(to, target.components);
        renameSync(source.directory.at(source.name), target.directory.at(target.name));
      });
    });
  }

  #refuseProtected(path: string, components: readonly string[]): void {
    const reason = this.#protection(components);
    if (reason !== null) throw new ProtectedError(path, reason);
  }

  #at<T>(operation: Operation, path: string, followLast: boolean, use: (place: Place) => T): T {
    const relative = rootRelative(this.root, path);
    for (let attempt = 1; ; attempt++) {
      try {
        return withPlace(this.#directory, relative, followLast, use);
      } catch (error) {
        if (error instanceof LeavesRoot) throw escapes(path, this.root, `: ${operation} ${relative}: ${error.message}`);
        if (attempt >= attempts || !transient.has(systemErrorCode(error))) throw failed(operation, relative, error);
      }
    }
  }
}

/** Never waits for a FIFO's other end and never opens a device for reading or writing. */
function openRegular(place: Place, flags: number): number {
  const fd = openSync(place.directory.at(place.name), flags | O_NOFOLLOW | O_NONBLOCK, 0o644);
  try {
    place.directory.confirm(fd, place.name);
    const stats = fstatSync(fd);
    if (stats.isDirectory()) throw systemError('EISDIR');
    if (!stats.isFile()) throw systemError('ENXIO');
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function readAll(fd: number, size: number, cap: number, path: string): Buffer {
  const chunks: Buffer[] = [];
  let total = 0;
  for (let room = size + 1; ; room = 65536) {
    const chunk = Buffer.allocUnsafe(room);
    const count = readSync(fd, chunk);
    if (count === 0) return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, count));
    total += count;
    // The file may grow while it is read.
    if (cap > 0 && total > cap) throw new TooLargeError(path, cap);
  }
}

const entry = (place: Place): Stats => lstatSync(place.directory.at(place.name));

const cleaned = (root: string): string => posix.normalize(root).replace(/(?<=.)\/+$/, '');

function kind(stats: Stats): EntryKind {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'symlink' : 'other';
}
