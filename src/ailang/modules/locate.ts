import type { CheckOptions } from '../interfaces.js';
import { type LockedPackage, readLock } from './package-lock.js';
import { normalizePath, resolveImport } from './paths.js';

/** A file an import may mean. `place` is how it is shown, `headers` what its module line may say. */
export interface Candidate {
  readonly headers: readonly string[];
  readonly place: string;
  readonly read: () => string | null;
}

/** What an import means before anything of it is read. */
export type Location =
  | { readonly k: 'std'; readonly path: string }
  /** `path` is the module's name in the program. */
  | {
      readonly k: 'file';
      readonly path: string;
      readonly candidates: readonly Candidate[];
    }
  | { readonly k: 'refused'; readonly code: string; readonly message: string; readonly hint: string };

const refused = (code: string, message: string, hint: string): Location => ({ k: 'refused', code, message, hint });

/** Finds the files of modules: the library's, the project's, and those of packages (ailang-language 3.1). */
export class Locator {
  /** Where module paths of the project count from, `''` or `sub/`. */
  base = '';
  #lock: ReadonlyMap<string, LockedPackage> | Error | null | undefined;
  #lockDirectory = '';

  constructor(
    readonly options: CheckOptions,
    /** Of the entry file, `''` or `sub/`. */
    readonly directory: string,
  ) {}

  /** @param importer the program's name of the module with the import */
  locate(written: string, importer: string): Location {
    if (written.startsWith('pkg/')) return this.#package(normalizePath(written), written, importer);
    const path = resolveImport(written, importer);
    if (path === null)
      return refused(
        'LDR001',
        `module not found: ${written} leads out of the project`,
        'Write the path from the root of the project: import a/b/c (name).',
      );
    if (path.startsWith('std/')) return { k: 'std', path };
    if (importer.startsWith('pkg/')) return this.#withinPackage(path, written, importer);
    const clash = this.#clash(path);
    if (clash !== null)
      return refused(
        'MOD013',
        `the project module ${path} has the name of the package ${clash}`,
        `Write import pkg/${path} (…) for the package, or rename the module.`,
      );
    const places = [...new Set([`${this.base}${path}.ail`, `${path}.ail`, `${this.directory}${path}.ail`])];
    const candidates = places.map((place) => ({
      place,
      headers: [path, place.slice(0, -'.ail'.length)],
      read: () => this.options.host.read(place),
    }));
    return { k: 'file', path, candidates };
  }

  /** The own modules of a package, with or without its name; never files of the project. */
  #withinPackage(path: string, written: string, importer: string): Location {
    const own = importer.split('/').slice(1, 3).join('/');
    if (path.startsWith('pkg/')) return this.#package(path, written, importer);
    return this.#package(path.startsWith(`${own}/`) ? `pkg/${path}` : `pkg/${own}/${path}`, written, importer);
  }

  #package(path: string, written: string, importer: string): Location {
    const [, vendor, short, ...rest] = path.split('/');
    if (vendor === undefined || short === undefined || rest.length === 0)
      return refused(
        'MOD005',
        `\`${written}\` names no module of a package`,
        'Write import pkg/vendor/name/module (name).',
      );
    const name = `${vendor}/${short}`;
    const lock = this.#packages();
    if (lock === null)
      return refused(
        'LDR001',
        `module not found: ${written} (there is no ailang.lock)`,
        'Packages come from a lock file of the project and a cache of the operator: copy the module into the project, or use the standard library.',
      );
    if (lock instanceof Error)
      return refused('LDR001', `module not found: ${written} (ailang.lock: ${lock.message})`, 'Repair ailang.lock.');
    const found = lock.get(name);
    if (found === undefined) {
      const known = [...lock.keys()].sort().join(', ');
      return refused(
        'LDR001',
        `module not found: ${written} (ailang.lock has no package ${name})`,
        known === '' ? 'It has no packages at all.' : `It has ${known}.`,
      );
    }
    const module = `${name}/${rest.join('/')}`;
    if (found.exports !== null && !found.exports.includes(module) && !importer.startsWith(`pkg/${name}/`))
      return refused(
        'LDR004',
        `the package ${name} does not export the module ${module}`,
        `It exports ${found.exports.map((one) => `pkg/${one}`).join(', ')}.`,
      );
    const candidate = this.#candidate(found, rest.join('/'));
    if (candidate === null)
      return refused(
        'LDR001',
        `module not found: ${written} (no package cache is available here)`,
        'Copy the module into the project, or use the standard library.',
      );
    return { k: 'file', path, candidates: [candidate] };
  }

  #candidate({ name, version, path }: LockedPackage, module: string): Candidate | null {
    const headers = [module, `${name}/${module}`, `pkg/${name}/${module}`];
    if (path !== null) {
      const place = normalizePath(`${this.#lockDirectory}${path}/${module}.ail`);
      return { place, headers, read: () => this.options.host.read(place) };
    }
    const cache = this.options.packages;
    if (cache === undefined || cache === null) return null;
    const file = `${name}/${version}/${module}.ail`;
    return { place: `pkg/${file}`, headers, read: () => cache.read(file) };
  }

  /** The package whose name begins the path of a project module. */
  #clash(path: string): string | null {
    const name = path.split('/').slice(0, 2).join('/');
    const lock = this.#packages();
    return lock !== null && !(lock instanceof Error) && lock.has(name) && path !== name ? name : null;
  }

  /** The lock file nearest above the entry, read once. */
  #packages(): ReadonlyMap<string, LockedPackage> | Error | null {
    if (this.#lock !== undefined) return this.#lock;
    this.#lock = null;
    const parts = this.directory.split('/').slice(0, -1);
    for (let length = parts.length; length >= 0; length--) {
      this.#lockDirectory = parts
        .slice(0, length)
        .map((part) => `${part}/`)
        .join('');
      const text = this.options.host.read(`${this.#lockDirectory}ailang.lock`);
      if (text === null) continue;
      try {
        this.#lock = readLock(text);
      } catch (error) {
        this.#lock = error instanceof Error ? error : new Error(String(error));
      }
      break;
    }
    return this.#lock;
  }
}
