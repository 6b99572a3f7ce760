import type { CoreModule } from '../core/types.js';
import type { Diagnostic } from '../diagnostic.js';
import type { CheckOptions } from '../interfaces.js';
import type { File } from '../syntax/ast.js';
import { parseFile } from '../syntax/parse-file.js';
import { Source } from '../syntax/source.js';
import type { Reporter } from '../types/report.js';
import { checkModule } from './check-module.js';
import type { CheckedModule } from './checked-module.js';
import type { Library } from './library.js';
import { normalizePath, resolveImport } from './paths.js';
import { type Exports, ModuleScope, type TypeEntry, type ValueEntry } from './scope.js';
import { stdImportHint, stdModulesExporting } from './std-index.js';

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
  readonly #failed = new Set<string>();
  #base = '';
  #directory = '';

  constructor(
    readonly options: CheckOptions,
    readonly library: Library,
  ) {}

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
    const source = new Source(path, text);
    const { file, diagnostics } = parseFile(source);
    this.errors.push(...diagnostics);
    if (diagnostics.length > 0) return null;
    const expected = path.replace(/\.ail$/, '');
    const name = file.module?.path ?? expected;
    if (file.module !== null) this.#checkPath(name, expected, source, file.module.start);
    const slash = path.lastIndexOf('/');
    this.#directory = slash === -1 ? '' : path.slice(0, slash + 1);
    const checked = this.#check(name, source, file, true);
    this.errors.push(...checked.errors);
    this.warnings.push(...checked.warnings);
    return checked;
  }

  /** The module path is the file path, counted from the root or from the nearest `ailang.toml` above the file. */
  #checkPath(name: string, expected: string, source: Source, start: number): void {
    if (name === expected) return;
    if (expected.endsWith(`/${name}`)) {
      const base = expected.slice(0, expected.length - name.length);
      if (this.options.relaxModules === true || this.options.host.read(`${base}ailang.toml`) !== null) {
        this.#base = base;
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

  #check(path: string, source: Source, file: File, root: boolean): CheckedModule {
    const scope: ModuleScope = new ModuleScope(path, (name) => this.#outerValue(name, entry));
    const entry = root && (file.module === null || exportsMain(file));
    this.#scopes.set(path, scope);
    this.#loading.push(path);
    if (entry) this.#prelude(scope);
    const module = checkModule({
      path,
      source,
      file,
      scope,
      eqRecords: this.library.eqRecords,
      tests: root && this.options.tests === true,
      whereDefined: (name) => stdImportHint(name, this.options.std),
      isStdModule: (name) => this.options.std(`std/${name}`) !== null,
      load: (name, start, reporter) => this.#import(name, path, start, reporter),
    });
    this.#loading.pop();
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
    const { file, diagnostics } = parseFile(source);
    const module = this.#check(path, source, file, false);
    this.errors.push(...diagnostics, ...module.errors);
    if (diagnostics.length + module.errors.length === 0) this.library.add(path, text, module);
    return module;
  }

  #import(written: string, importer: string, start: number, reporter: Reporter): Exports | null {
    if (written.startsWith('pkg/')) {
      reporter.error(
        'LDR001',
        start,
        `module not found: ${written}`,
        'Packages are not available here: copy the module into the project, or use the standard library.',
      );
      return null;
    }
    const path = resolveImport(written, importer);
    if (path === null) {
      reporter.error(
        'LDR001',
        start,
        `module not found: ${written} leads out of the project`,
        'Write the path from the root of the project: import a/b/c (name).',
      );
      return null;
    }
    if (this.#loading.includes(path)) {
      const cycle = [...this.#loading.slice(this.#loading.indexOf(path)), path].join(' → ');
      reporter.error(
        'LDR002',
        start,
        `modules import each other in a cycle: ${cycle}`,
        'Move what both need into a third module.',
      );
      return null;
    }
    if (path.startsWith('std/')) {
      const module = this.#std(path);
      if (module === null)
        reporter.error('LDR001', start, `module not found: ${path}`, unknownStdHint(path, this.options.std));
      return module?.exports ?? null;
    }
    return this.#loadFile(path, written, start, reporter)?.exports ?? null;
  }

  #loadFile(path: string, written: string, start: number, reporter: Reporter): CheckedModule | null {
    const loaded = this.#modules.get(path);
    if (loaded !== undefined) return loaded;
    if (this.#failed.has(path)) return null;
    const places = [...new Set([`${this.#base}${path}.ail`, `${path}.ail`, `${this.#directory}${path}.ail`])];
    for (const place of places) {
      const text = this.options.host.read(place);
      if (text === null) continue;
      this.sources.push({ path: place, text });
      const source = new Source(place, text);
      const { file, diagnostics } = parseFile(source);
      this.errors.push(...diagnostics);
      if (diagnostics.length > 0) {
        this.#failed.add(path);
        return null;
      }
      if (file.module === null) {
        reporter.error(
          'MOD012',
          start,
          `the file ${place} declares no module`,
          `Write module ${path} on its first line.`,
        );
        return null;
      }
      if (file.module.path !== path && this.options.relaxModules !== true) {
        this.errors.push({
          code: 'MOD010',
          message: `module \`${file.module.path}\` is in the file ${place}, where \`${path}\` is expected`,
          position: source.position(file.module.start),
          suggestion: `Write module ${path}.`,
        });
      }
      const module = this.#check(path, source, file, false);
      this.errors.push(...module.errors);
      this.warnings.push(...module.warnings);
      return module;
    }
    const std = this.options.std(`std/${path}`) === null ? null : `Did you mean std/${path}?`;
    reporter.error(
      'LDR001',
      start,
      `module not found: ${written} (looked for ${places.join(', ')})`,
      std ?? `Create ${path}.ail with module ${path} on its first line, or correct the path.`,
    );
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
