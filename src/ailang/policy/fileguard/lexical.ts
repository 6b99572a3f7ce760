import { posix } from 'node:path';
import { escapes } from './guard-error.js';

const absolute = /^([/\\]|[A-Za-z]:)/;

/**
 * The first step of confinement, by text alone: the path from the root, cleaned; `.` for the root itself. A leading
 * `..` survives for the walk to refuse. What is absolute on any system is absolute here.
 * @param root cleaned absolute path
 * @throws GuardError when an absolute path is not below the root
 */
export function rootRelative(root: string, path: string): string {
  if (!absolute.test(path)) return clean(path);
  const whole = clean(path);
  if (whole === root) return '.';
  const prefix = root.endsWith('/') ? root : `${root}/`;
  if (!whole.startsWith(prefix)) throw escapes(path, root);
  return whole.slice(prefix.length);
}

/** Go's filepath.Clean. */
export function clean(path: string): string {
  const normal = posix.normalize(path);
  return normal.length > 1 ? normal.replace(/\/+$/, '') : normal;
}
