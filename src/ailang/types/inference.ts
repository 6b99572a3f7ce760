import type { Row } from '../effects/row.js';
import { resolveRow } from '../effects/row.js';
import type { ModuleScope, ValueEntry } from '../modules/scope.js';
import type { Expr, ExprOf, Name, Parameter, Pattern, TypeExpr } from '../syntax/ast.js';
import { type TypeReader, TypeVariables } from './convert.js';
import { describeMismatch } from './mismatch.js';
import type { Reporter } from './report.js';
import { monomorphic } from './scheme.js';
import type { Scheme, Type, TypeConstructor, TypeVariable, VariantInfo } from './type.js';
import { forget, type Unifier } from './unify.js';

/** What a name or a qualified name `M.x` means; `local` is a parameter, let or pattern variable. */
export type Resolution = { readonly k: 'local' } | ValueEntry;

/** Effects a body uses, with where each came from. */
export interface EffectUse {
  readonly row: Row;
  readonly start: number;
  readonly by: string;
}

/** What inference leaves behind for elaboration: one entry per node that needs it. */
export interface Facts {
  readonly resolutions: Map<Expr, Resolution>;
  readonly types: Map<Expr | Pattern, Type>;
  readonly patterns: Map<Pattern, VariantInfo>;
  /** Field accesses through a one-constructor wrapper. */
  /** Written types of lets and lambdas, as read. */
  readonly written: Map<TypeExpr, Type>;
  /** Whether the module writes a flow label. */
  labelled: boolean;
  readonly unwrapped: Set<Expr>;
  /** Record updates through a one-constructor wrapper, with its type. */
  readonly wrappers: Map<Expr, TypeConstructor>;
  /** The type of every expression, pattern and binding name; null unless asked for. */
  nodes: Map<Expr | Pattern | Name, Type> | null;
}

/** The state of inferring one module. */
export class Inference {
  readonly facts: Facts = {
    resolutions: new Map(),
    types: new Map(),
    patterns: new Map(),
    unwrapped: new Set(),
    wrappers: new Map(),
    nodes: null,
    written: new Map(),
    labelled: false,
  };
  readonly locals = new Map<string, Scheme>();
  /** Types of integer literals and arithmetic, to be defaulted when the declaration ends. */
  readonly numbers: TypeVariable[] = [];
  variables: TypeVariables;
  /** Whether arms that are missing or never reached are looked for. */
  coverage = true;
  /** Names of the non-recursive lets being inferred, for the hint that let is not recursive. */
  readonly defining: string[] = [];
  /** The functions being checked, and how they use each other: what a signature demands is known only afterwards. */
  group: ReadonlySet<string> = new Set();
  readonly recursiveUses: { variable: TypeVariable; type: Type; start: number; name: string }[] = [];
  /** The written parameters of the module's functions. */
  readonly parameters = new Map<string, readonly Parameter[]>();
  /** The chain of one operator being inferred, `a + b + c`, and its part to the left. */
  chain: { readonly top: ExprOf<'binary'>; readonly left: Expr } | null = null;
  #uses: EffectUse[] = [];

  constructor(
    readonly scope: ModuleScope,
    readonly unifier: Unifier,
    readonly reader: TypeReader,
    readonly reporter: Reporter,
  ) {
    this.variables = new TypeVariables('flexible', 1);
  }

  fresh(): TypeVariable {
    return this.unifier.fresh();
  }

  number(literal: boolean): TypeVariable {
    const variable = this.fresh();
    variable.classes.add('Num');
    variable.literal = literal;
    this.numbers.push(variable);
    return variable;
  }

  /** A written type, remembered for the flow of labels. */
  read(type: TypeExpr): Type {
    const found = this.reader.read(type, this.variables);
    this.facts.written.set(type, found);
    return found;
  }

  /** Runs with names bound on top of the current ones. */
  withLocals<T>(bindings: Iterable<readonly [string, Scheme]>, run: () => T): T {
    const before: [string, Scheme | undefined][] = [];
    for (const [name, scheme] of bindings) {
      before.push([name, this.locals.get(name)]);
      this.locals.set(name, scheme);
    }
    try {
      return run();
    } finally {
      for (const [name, scheme] of before.reverse()) {
        if (scheme === undefined) this.locals.delete(name);
        else this.locals.set(name, scheme);
      }
    }
  }

  withTypes<T>(bindings: Iterable<readonly [string, Type]>, run: () => T): T {
    return this.withLocals(
      [...bindings].map(([name, type]) => [name, monomorphic(type)] as const),
      run,
    );
  }

  /** Runs one level deeper, so that what is created inside can be generalised. */
  deeper<T>(run: () => T): T {
    this.unifier.level++;
    try {
      return run();
    } finally {
      this.unifier.level--;
    }
  }

  uses(row: Row, start: number, by: string): void {
    if (row.labels.length + row.variables.length > 0) this.#uses.push({ row, start, by });
  }

  /** The effects used while running. */
  collectEffects<T>(run: () => T): [T, readonly EffectUse[]] {
    const before = this.#uses;
    this.#uses = [];
    try {
      const value = run();
      return [value, this.#uses];
    } finally {
      this.#uses = before;
    }
  }

  /** `(because of the then branch at 3:5)` */
  because({ what, start }: Origin): string {
    const { line, column } = this.reporter.source.position(start);
    return `(because of ${what} at ${line}:${column})`;
  }

  /** Makes `actual` fit `expected`; an error naming the place when it does not, and the place that demands it. */
  fit(actual: Type, expected: Type, start: number, where: string, hint?: string, from?: Origin | null): boolean {
    const mismatch = this.unifier.subsume(actual, expected);
    if (mismatch === null) return true;
    const text = describeMismatch(mismatch, actual, expected, where);
    const message = from === undefined || from === null ? text.message : `${text.message} ${this.because(from)}`;
    this.reporter.error(text.code, start, message, hint ?? text.suggestion);
    forget(mismatch);
    return false;
  }
}

/** What demands a type, and where it stands. */
export interface Origin {
  readonly what: string;
  readonly start: number;
}

/** The union of the rows in use. */
export function joinUses(uses: readonly EffectUse[]): Row {
  const joined = resolveRow({ labels: [], variables: uses.flatMap((use) => use.row.variables) });
  return {
    labels: [...new Set([...joined.labels, ...uses.flatMap((use) => use.row.labels)])],
    variables: joined.variables,
  };
}
