import type { EffectVariable } from '../effects/row.js';
import type { Builtin } from '../std/types.js';
import { Cursor, ParseStop } from '../syntax/cursor.js';
import { lex } from '../syntax/lexer.js';
import { parseType } from '../syntax/parse-type.js';
import { Source } from '../syntax/source.js';
import { EqRecords } from '../types/classes.js';
import { TypeReader, TypeVariables } from '../types/convert.js';
import { Reporter } from '../types/report.js';
import { collect } from '../types/scheme.js';
import type { Scheme, TypeVariable } from '../types/type.js';
import { Unifier } from '../types/unify.js';
import type { CheckedModule } from './checked-module.js';
import { ModuleScope, type TypeEntry, type ValueEntry } from './scope.js';

/** Thrown when a library text changed since it was checked; the check starts again with an empty library. */
export class LibraryChanged extends Error {}

/** The checked standard library and the types of the primitives: made once per process and table of primitives. */
export class Library {
  readonly eqRecords = new EqRecords();
  readonly #checked = new Map<string, { readonly text: string; readonly module: CheckedModule }>();
  readonly #builtins: ReadonlyMap<string, Builtin>;
  readonly #entries = new Map<string, ValueEntry | null>();

  constructor(builtins: readonly Builtin[]) {
    this.#builtins = new Map(builtins.map((builtin) => [builtin.name, builtin]));
  }

  get(path: string, text: string): CheckedModule | null {
    const known = this.#checked.get(path);
    if (known === undefined) return null;
    if (known.text !== text) throw new LibraryChanged(path);
    return known.module;
  }

  add(path: string, text: string, module: CheckedModule): void {
    this.#checked.set(path, { text, module });
  }

  /** A primitive by name; `types` finds the type names its signature mentions. */
  builtin(name: string, types: (module: string, name: string) => TypeEntry | null): ValueEntry | null {
    const known = this.#entries.get(name);
    if (known !== undefined) return known;
    const builtin = this.#builtins.get(name);
    const entry: ValueEntry | null =
      builtin === undefined ? null : { k: 'builtin', name, scheme: builtinScheme(builtin, types) };
    this.#entries.set(name, entry);
    return entry;
  }
}

const libraries = new WeakMap<readonly Builtin[], Library>();

export function libraryFor(builtins: readonly Builtin[]): Library {
  const known = libraries.get(builtins);
  if (known !== undefined) return known;
  return renewLibrary(builtins);
}

export function renewLibrary(builtins: readonly Builtin[]): Library {
  const library = new Library(builtins);
  libraries.set(builtins, library);
  return library;
}

/** @throws Error when the table of primitives is wrong: a type that does not parse or names an unknown type */
function builtinScheme(builtin: Builtin, types: (module: string, name: string) => TypeEntry | null): Scheme {
  const source = new Source(builtin.name, builtin.type);
  const cursor = new Cursor(source, lex(source.text).tokens);
  const unifier = new Unifier(new EqRecords());
  unifier.level = 1;
  const reporter = new Reporter(source, () => null);
  const scope = new ModuleScope(builtin.module, () => null);
  scope.type = (name) => types(builtin.module, name);
  try {
    const type = new TypeReader(scope, reporter, unifier).read(parseType(cursor), new TypeVariables('flexible', 1));
    const problem = cursor.diagnostics[0] ?? reporter.errors[0];
    if (problem !== undefined) throw new Error(`primitive ${builtin.name}: ${problem.message}`);
    const variables = new Set<TypeVariable>();
    const effects = new Set<EffectVariable>();
    collect(type, variables, effects, unifier);
    return { type, variables: [...variables], effectVariables: [...effects] };
  } catch (error) {
    if (error instanceof ParseStop)
      throw new Error(`primitive ${builtin.name}: ${cursor.diagnostics[0]?.message ?? 'bad type'}`);
    throw error;
  }
}
