/** One package of an `ailang.lock`. */
export interface LockedPackage {
  /** `vendor/name` */
  readonly name: string;
  readonly version: string;
  /** Where a path dependency lies, relative to the lock file; null for one of the cache. */
  readonly path: string | null;
  /** Modules others may import, `vendor/name/module`; null when all. */
  readonly exports: readonly string[] | null;
}

const segment = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/**
 * The packages of a lock file, which is JSON: `{"schema": "ailang.lock/v1", "packages": [{"name", "version", …}]}`.
 * @throws Error with what is wrong
 */
export function readLock(text: string): ReadonlyMap<string, LockedPackage> {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new Error('it is not JSON');
  }
  const packages = isObject(document) ? document.packages : undefined;
  if (!Array.isArray(packages)) throw new Error('it has no list of packages');
  return new Map(packages.map((entry) => [nameOf(entry), locked(entry)]));
}

function nameOf(entry: unknown): string {
  const name = isObject(entry) ? entry.name : undefined;
  if (typeof name !== 'string' || name.split('/').length !== 2 || !name.split('/').every((part) => segment.test(part)))
    throw new Error('a package has no name of the form vendor/name');
  return name;
}

function locked(entry: unknown): LockedPackage {
  const name = nameOf(entry);
  const { version, source, path, exports } = isObject(entry) ? entry : {};
  if (typeof version !== 'string' || !segment.test(version)) throw new Error(`the package ${name} has no version`);
  return {
    name,
    version,
    path: source === 'path' && typeof path === 'string' ? path : null,
    exports: Array.isArray(exports) && exports.length > 0 ? exports.map(String) : null,
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
