import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { systemError } from './system-error.js';

/** An opened directory. Whoever holds it reaches entries of that very directory, whatever its path means meanwhile. */
export interface Directory {
  /** A path for one system call on an entry; the call must not follow a link in the last component. */
  at(name: string): string;
  /** @throws ENOTDIR or ELOOP when the entry is a link or no directory */
  child(name: string): Directory;
  /** Makes sure that a file opened through `at` lies here. @throws ELOOP */
  confirm(fd: number, name: string): void;
  close(): void;
}

const byDescriptor = process.platform === 'linux' && existsSync('/proc/self/fd');

/** @throws the system's error when it is no directory */
export function openRoot(path: string): Directory {
  return byDescriptor ? descriptorDirectory(path, 0) : pathDirectory(realpathSync(path));
}

/** Not among Node's constants; the value is that of every Linux on x86 and ARM. Needs no read permission. */
const O_PATH = 0o10000000;

function descriptorDirectory(path: string, noFollow: number): Directory {
  const fd = openSync(path, O_PATH | constants.O_DIRECTORY | noFollow);
  const at = (name: string): string => `/proc/self/fd/${fd}/${name}`;
  return {
    at,
    child: (name) => descriptorDirectory(at(name), constants.O_NOFOLLOW),
    confirm: () => {},
    close: () => closeSync(fd),
  };
}

/**
 * For systems without descriptor paths: every step is checked by lstat, and what was opened is compared with what the
 * checked path names. A swap in between is found, but a file may have been created (empty) where it does not belong.
 */
function pathDirectory(path: string): Directory {
  if (!lstatSync(path).isDirectory()) throw systemError('ENOTDIR');
  return {
    at: (name) => join(path, name),
    child: (name) => pathDirectory(join(path, name)),
    confirm(fd, name) {
      const opened = fstatSync(fd, { bigint: true });
      const named = lstatSync(join(path, name), { bigint: true });
      if (realpathSync(path) !== path || opened.dev !== named.dev || opened.ino !== named.ino)
        throw systemError('ELOOP');
    },
    close: () => {},
  };
}

/** The portable way, whatever the system: for tests. */
export const openRootByPath = (path: string): Directory => pathDirectory(realpathSync(path));
