import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceHost } from '../interfaces.js';
import { FileGuard } from '../policy/fileguard/fileguard.js';
import { GuardError } from '../policy/fileguard/guard-error.js';

/** The operator's read-only package cache, `<vendor>/<name>/<version>/…`. Nothing is ever fetched into it. */
export interface PackageCache extends SourceHost {
  readonly directory: string;
  /** Versions of `vendor/name` that are there, oldest first. */
  versions(name: string): readonly string[];
}

/** Where the cache is: AILANG_PACKAGE_ROOT, else below the home directory; null without either. */
export function packageRootOf(environment: Readonly<Record<string, string | undefined>>): string | null {
  if (environment.AILANG_PACKAGE_ROOT) return environment.AILANG_PACKAGE_ROOT;
  return environment.HOME ? join(environment.HOME, '.ailang', 'cache', 'registry') : null;
}

/** The cache in a directory; null when there is none. Links that lead out of it are not followed. */
export function openPackageCache(directory: string | null): (PackageCache & { close(): void }) | null {
  if (directory === null || !existsSync(directory)) return null;
  const guard = orNothing(null, () => new FileGuard(directory, () => null));
  if (guard === null) return null;
  return {
    directory,
    read: (path) => orNothing(null, () => guard.readFile(path, maxFileBytes).toString('utf8')),
    versions: (name) =>
      orNothing([], () =>
        guard.listDir(name).filter((entry) => guard.stat(`${name}/${entry}`, 'lstat') === 'directory'),
      ).sort(byVersion),
    close: () => guard.close(),
  };
}

function orNothing<T, N>(nothing: N, work: () => T): T | N {
  try {
    return work();
  } catch (error) {
    if (error instanceof GuardError) return nothing;
    throw error;
  }
}

/** The cache that this process was given. */
export const operatorPackages = (): ReturnType<typeof openPackageCache> => openPackageCache(packageRootOf(process.env));

const maxFileBytes = 8 * 1024 * 1024;

/** `1.9.0` before `1.10.0`, and `2.0.0-rc.1` before `2.0.0`. */
export function byVersion(a: string, b: string): number {
  const [numberA = '', ...labelA] = a.split('-');
  const [numberB = '', ...labelB] = b.split('-');
  const numbers = numberA.localeCompare(numberB, 'en', { numeric: true });
  if (numbers !== 0) return numbers;
  if (labelA.length === 0 || labelB.length === 0) return labelB.length - labelA.length;
  return labelA.join('-').localeCompare(labelB.join('-'), 'en', { numeric: true });
}
