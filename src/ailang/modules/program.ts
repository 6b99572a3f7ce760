import type { CoreModule } from '../core/types.js';
import type { Diagnostic } from '../diagnostic.js';
import type { CheckOptions } from '../interfaces.js';
import type { File } from '../syntax/ast.js';
import { type Parsed, parseFile } from '../syntax/parse-file.js';
import { Source } from '../syntax/source.js';
import { EqRecords } from '../types/classes.js';
import type { Reporter } from '../types/report.js';
import { byPlace, checkModule } from './check-module.js';
import type { CheckedModule } from './checked-module.js';
import type { Library } from './library.js';
import { type Location, Locator } from './locate.js';
import { normalizePath } from './paths.js';
import { type Exports, ModuleScope, type TypeEntry, type ValueEntry } from './scope.js';
import { stdImportHint, stdModulesExporting } from './std-index.js';
import { sugarErrors } from './strict-syntax.js';

const preludeTypes: readonly (readonly [string, string, readonly string[]])[] = [
  ['std/option', 'Option', ['Some', 'None']],
  ['std/result', 'Result', ['Ok', 'Err']],
];

/** Loads and checks a root module with everything it imports. */
export class Program {
  readonly errors: Diagnostic[] = [];
  readonly warnings: Diagnostic[] = [];
  readonly sources: { path: string; text: string }[] = [];
  /** Checked modules, each after those it refers to. */
  readonly #modules = new Map<string, CheckedModule>();
  /** Modules being checked, outermost first, for LDR002. */
  readonly #loading: string[] = [];
  readonly #scopes = new Map<string, ModuleScope>();
  readonly #eqRecords: EqRecords;
  readonly #locator: Locator;

  constructor(
    readonly options: CheckOptions,
    readonly library: Library,
  ) {
    this.#eqRecords = new EqRecords(library.eqRecords);
    const path = normalizePath(options.file);
    this.#locator = new Locator(options, path.slice(0, path.lastIndexOf('/') + 1));
  }

  /** The root module, null when its file cannot be read or parsed. */
  loadRoot(): CheckedModule | null {
    const path = normalizePath(this.options.file);
    const text = this.options.host.read(this.options.file);
    if (text === null) {
      this.errors.push({
        code: 'LDR001',
        message: `file not found: ${this.options.file}`,
        position: null,
        suggestion: 'Check the path; it is relative to the root of the project.',
      });
      return null;
    }
    this.sources.push({ path, text });
    const expected = path.replace(/\.ail$/, '');
    // A library module is the one every program shares: its types are compared by identity.
    if (this.options.std(expected) === text) return this.#std(expected);
    const source = new Source(path, text);
    const parsed = parseFile(source);
    const { file } = parsed;
    const name = file.module?.path ?? expected;
    if (name.startsWith('std/')) return this.#refuseLibraryPath(name, source, file.module?.start ?? 0);
    if (file.module !== null) this.#checkPath(name, expected, source, file.module.start);
    const checked = this.#check(name, source, parsed, true);
    this.errors.push(...checked.errors);
    this.warnings.push(...checked.warnings);
    return checked;
  }

  /** A module of the program under a library path would be taken for the one its imports mean. */
  #refuseLibraryPath(name: string, source: Source, start: number): null {
    this.errors.push({
      code: 'MOD013',
      message: `the module path \`${name}\` belongs to the standard library`,
      position: source.position(start),
      suggestion: `Move the file out of std/ and write a path such as module ${name.replace(/^std\//, 'lib/')}.`,
    });
    return null;
  }

  /** The module path is the file path, counted from the root, from a directory with an `ailang.toml`, or from its `src`. */
  #checkPath(name: string, expected: string, source: Source, start: number): void {
    if (name === expected) return;
    if (expected.endsWith(`/${name}`)) {
      const base = expected.slice(0, expected.length - name.length);
      const manifests = [base, base.replace(/(^|\/)src\/$/, '$1')].map((place) => `${place}ailang.toml`);
      if (this.options.relaxModules === true || manifests.some((place) => this.options.host.read(place) !== null)) {
        this.#locator.base = base;
        return;
      }
    }
    if (this.options.relaxModules === true) return;
    const message = `module \`${name}\` is in the file ${source.file}, where \`${expected}\` is expected`;
    this.errors.push({
      code: 'MOD010',
      message,
      position: source.position(start),
      suggestion: `Write module ${expected}, or move the file to ${name}.ail.`,
    });
  }

  get checked(): readonly CheckedModule[] {
    return [...this.#modules.values()];
  }

  /** Core of all modules the root reaches, in dependency order. */
  core(root: CheckedModule): CoreModule[] | null {
    const order: CoreModule[] = [];
    const seen = new Set<string>();
    const visit = (module: CheckedModule): boolean => {
      if (seen.has(module.path)) return true;
      seen.add(module.path);
      if (module.core === null) return false;
      for (const path of module.core.imports) {
        const other = this.#modules.get(path);
        if (other === undefined || !visit(other)) return false;
      }
      order.push(module.core);
      return true;
    };
    return visit(root) ? order : null;
  }

  #check(path: string, source: Source, parsed: Parsed, root: boolean): CheckedModule {
    const { file } = parsed;
    const scope: ModuleScope = new ModuleScope(path, (name) => this.#outerValue(name, entry));
    const entry = root && (file.module === null || exportsMain(file));
    this.#scopes.set(path, scope);
    this.#loading.push(path);
    if (entry) this.#prelude(scope);
    const checked = checkModule({
      path,
      source,
      file,
      scope,
      parsed,
      eqRecords: path.startsWith('std/') ? this.library.eqRecords : this.#eqRecords,
      tests: root && this.options.tests === true,
      coverage: this.options.coverage !== false,
      nodeTypes: this.options.nodeTypes === true && !path.startsWith('std/'),
      whereDefined: (name) => stdImportHint(name, this.options.std),
      isStdModule: (name) => this.options.std(`std/${name}`) !== null,
      exportedBy: (module, name) => stdModulesExporting(name, this.options.std).includes(module),
      load: (name, start, reporter) => this.#import(name, path, start, reporter),
    });
    this.#loading.pop();
    const sugar = this.options.strictSyntax === true && !path.startsWith('std/') ? sugarErrors(source, file) : [];
    const module =
      sugar.length === 0 ? checked : { ...checked, errors: [...checked.errors, ...sugar].sort(byPlace), core: null };
    this.#modules.set(path, module);
    return module;
  }

  #prelude(scope: ModuleScope): void {
    for (const [module, type, constructors] of preludeTypes) {
      const exports = this.#std(module)?.exports;
      const entry = exports?.types.get(type);
      if (entry !== undefined) scope.prelude.types.set(type, entry);
      for (const name of constructors) {
        const value = exports?.values.get(name);
        if (value !== undefined) scope.prelude.values.set(name, value);
      }
    }
  }

  /** `println` everywhere, `print` in entry modules, then the primitives. */
  #outerValue(name: string, entry: boolean): ValueEntry | null {
    if ((name === 'println' || (name === 'print' && entry)) && !this.#loading.includes('std/io')) {
      const found = this.#std('std/io')?.exports.values.get(name);
      if (found !== undefined) return found;
    }
    return this.library.builtin(name, (module, type) => this.#builtinType(module, type));
  }

  #builtinType(module: string, name: string): TypeEntry | null {
    const own = this.#scopes.get(module)?.types.get(name);
    if (own !== undefined) return own;
    const [found] = stdModulesExporting(name, this.options.std)
      .filter((path) => path === module)
      .concat(stdModulesExporting(name, this.options.std));
    if (found === undefined) return null;
    return this.#scopes.get(found)?.types.get(name) ?? this.#std(found)?.exports.types.get(name) ?? null;
  }

  #std(path: string): CheckedModule | null {
    const loaded = this.#modules.get(path);
    if (loaded !== undefined) return loaded;
    const text = this.options.std(path);
    if (text === null || this.#loading.includes(path)) return null;
    const known = this.library.get(path, text);
    if (known !== null) {
      this.#modules.set(path, known);
      for (const name of known.core?.imports ?? []) this.#std(name);
      return known;
    }
    const source = new Source(`${path}.ail`, text);
    const parsed = parseFile(source);
    const module = this.#check(path, source, parsed, false);
    this.errors.push(...module.errors);
    if (module.errors.length === 0) this.library.add(path, text, module);
    return module;
  }

  #import(written: string, importer: string, start: number, reporter: Reporter): Exports | null {
    const location = this.#locator.locate(written, importer);
    if (location.k === 'refused') {
      reporter.error(location.code, start, location.message, location.hint);
      return null;
    }
    const { path } = location;
    if (this.#isCycle(path, start, reporter)) return null;
    if (location.k === 'file') return this.#loadFile(location, written, start, reporter)?.exports ?? null;
    const module = this.#std(path);
    if (module === null)
      reporter.error('LDR001', start, `module not found: ${path}`, unknownStdHint(path, this.options.std));
    return module?.exports ?? null;
  }

  #isCycle(path: string, start: number, reporter: Reporter): boolean {
    if (!this.#loading.includes(path)) return false;
    const cycle = [...this.#loading.slice(this.#loading.indexOf(path)), path].join(' → ');
    const message = `modules import each other in a cycle: ${cycle}`;
    const itself = this.#loading.at(-1) === path;
    const hint = itself
      ? 'A module does not import itself: remove the import.'
      : 'Move what both need into a third module.';
    reporter.error('LDR002', start, message, hint);
    return true;
  }

  #loadFile(
    { path, candidates }: Extract<Location, { k: 'file' }>,
    written: string,
    start: number,
    reporter: Reporter,
  ): CheckedModule | null {
    const loaded = this.#modules.get(path);
    if (loaded !== undefined) return loaded;
    for (const { place, headers, read } of candidates) {
      const text = read();
      if (text === null) continue;
      const source = new Source(place, text);
      const parsed = parseFile(source);
      const { file } = parsed;
      const header = file.module?.path ?? path;
      // The same file by another path, or the entry: one module.
      const name = !path.startsWith('pkg/') && headers.includes(header) ? header : path;
      if (this.#isCycle(name, start, reporter)) return null;
      const known = this.#modules.get(name);
      if (known !== undefined) return known;
      this.sources.push({ path: place, text });
      if (file.module === null && parsed.diagnostics.length === 0) {
        const hint = `Write module ${path} on its first line.`;
        reporter.error('MOD012', start, `the file ${place} declares no module`, hint);
        return null;
      }
      if (file.module !== null && !headers.includes(header) && this.options.relaxModules !== true)
        this.errors.push({
          code: 'MOD010',
          message: `module \`${header}\` is in the file ${place}, where \`${path}\` is expected`,
          position: source.position(file.module.start),
          suggestion: `Write module ${path}.`,
        });
      const module = this.#check(name, source, parsed, false);
      this.errors.push(...module.errors);
      this.warnings.push(...module.warnings);
      return module;
    }
    const std = this.options.std(`std/${path}`) === null ? null : `Did you mean std/${path}?`;
    const places = candidates.map(({ place }) => place).join(', ');
    const hint = path.startsWith('pkg/')
      ? 'The package has no such module, or this version of it is not in the cache.'
      : `Create ${path}.ail with module ${path} on its first line, or correct the path.`;
    reporter.error('LDR001', start, `module not found: ${written} (looked for ${places})`, std ?? hint);
    return null;
  }
}

function exportsMain(file: File): boolean {
  return file.declarations.some(
    (declaration) => declaration.k === 'function' && declaration.exported && declaration.name.text === 'main',
  );
}

function unknownStdHint(path: string, std: (module: string) => string | null): string {
  const short = path.slice('std/'.length);
  const guesses: Readonly<Record<string, string>> = {
    lists: 'list',
    strings: 'string',
    str: 'string',
    prelude: 'io',
    console: 'io',
    core: 'list',
    collections: 'list',
    maths: 'math',
    file: 'fs',
    random: 'rand',
    time: 'clock',
    http: 'net',
    dict: 'map',
    int: 'math',
    float: 'math',
    show: 'string',
  };
  const guess = Object.hasOwn(guesses, short) ? guesses[short] : undefined;
  if (guess !== undefined && std(`std/${guess}`) !== null) return `Did you mean std/${guess}?`;
  return 'The common modules are std/io, std/list, std/string, std/option, std/result, std/math, std/json, std/map, std/fs, std/env.';
}
