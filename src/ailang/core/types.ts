import type { Position } from '../diagnostic.js';

/**
 * Core: what the checker hands to the evaluator. Names are resolved, sugar is gone, every construct is typed as far as
 * the evaluator needs. Values carry their type at run time (an int is never confused with a float), so type classes
 * are resolved by the value: the checker proves that the operation exists, `operand` is only a hint for speed.
 */
export type Operand = 'int' | 'float' | 'string' | 'bool' | 'dynamic';

export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | '&'
  | '^'
  | '<<'
  | '>>'
  | '::'
  | '++'
  | '&&'
  | '||';
export type UnaryOperator = '-' | '!' | '~';

export type Core =
  /** A 64-bit two's-complement value; already a float node where the type is float. */
  | { readonly k: 'int'; readonly value: bigint }
  | { readonly k: 'float'; readonly value: number }
  | { readonly k: 'string'; readonly value: string }
  | { readonly k: 'bool'; readonly value: boolean }
  | { readonly k: 'unit' }
  /** A parameter, let or pattern variable. Names may shadow; scope is lexical. */
  | { readonly k: 'local'; readonly name: string }
  /** A top-level function or value of a module. */
  | { readonly k: 'global'; readonly module: string; readonly name: string }
  /** A native primitive, `_str_len`, or a global such as `show`. */
  | { readonly k: 'builtin'; readonly name: string }
  /** A constructor; a value when arity is 0, else a function. */
  | { readonly k: 'constructor'; readonly type: string; readonly name: string; readonly arity: number }
  | { readonly k: 'lambda'; readonly parameters: readonly string[]; readonly body: Core }
  /** Calls with no written arguments pass one unit value only where the callee has the hidden unit parameter: here `args` is then empty. */
  | { readonly k: 'call'; readonly callee: Core; readonly args: readonly Core[]; readonly position: Position }
  | { readonly k: 'let'; readonly name: string; readonly value: Core; readonly body: Core }
  /** Mutually recursive; a binding that is no lambda is evaluated in order (RT_REC_001 when read too early). */
  | {
      readonly k: 'letrec';
      readonly bindings: readonly { readonly name: string; readonly value: Core }[];
      readonly body: Core;
    }
  | { readonly k: 'sequence'; readonly first: Core; readonly rest: Core }
  | { readonly k: 'if'; readonly condition: Core; readonly then: Core; readonly otherwise: Core }
  | { readonly k: 'match'; readonly scrutinee: Core; readonly arms: readonly CoreArm[]; readonly position: Position }
  | { readonly k: 'list' | 'tuple' | 'array'; readonly items: readonly Core[] }
  | { readonly k: 'record'; readonly fields: readonly { readonly name: string; readonly value: Core }[] }
  | {
      readonly k: 'update';
      readonly base: Core;
      readonly fields: readonly { readonly name: string; readonly value: Core }[];
    }
  /** `unwrap`: the base is a one-constructor ADT around one record. */
  | {
      readonly k: 'field';
      readonly base: Core;
      readonly name: string;
      readonly unwrap: boolean;
      readonly position: Position;
    }
  | {
      readonly k: 'binary';
      readonly operator: BinaryOperator;
      readonly operand: Operand;
      readonly left: Core;
      readonly right: Core;
      readonly position: Position;
    }
  | { readonly k: 'unary'; readonly operator: UnaryOperator; readonly operand: Operand; readonly value: Core }
  | { readonly k: 'interpolate'; readonly parts: readonly (string | Core)[] }
  /** Only in test bodies. */
  | { readonly k: 'assert'; readonly condition: Core; readonly message: string | null; readonly position: Position };

export interface CoreArm {
  readonly pattern: CorePattern;
  readonly guard: Core | null;
  readonly body: Core;
}

export type CorePattern =
  | { readonly k: 'wildcard' }
  | { readonly k: 'bind'; readonly name: string }
  | { readonly k: 'literal'; readonly value: Extract<Core, { k: 'int' | 'float' | 'string' | 'bool' | 'unit' }> }
  | { readonly k: 'constructor'; readonly type: string; readonly name: string; readonly args: readonly CorePattern[] }
  | { readonly k: 'cons'; readonly head: CorePattern; readonly tail: CorePattern }
  /** `rest` null: exact length. */
  | { readonly k: 'list'; readonly items: readonly CorePattern[]; readonly rest: CorePattern | null }
  | { readonly k: 'tuple'; readonly items: readonly CorePattern[] }
  | { readonly k: 'record'; readonly fields: readonly { readonly name: string; readonly pattern: CorePattern }[] };

export interface EffectBudget {
  readonly effect: string;
  readonly limit: number | null;
  readonly min: number | null;
}

export interface CoreClause {
  readonly kind: 'requires' | 'ensures';
  /** `result` is a local in `ensures`. */
  readonly predicate: Core;
  readonly text: string;
  readonly position: Position;
}

export interface CoreFunction {
  readonly name: string;
  readonly exported: boolean;
  /** Empty for the hidden unit parameter. */
  readonly parameters: readonly string[];
  readonly body: Core;
  readonly budgets: readonly EffectBudget[];
  readonly clauses: readonly CoreClause[];
  readonly position: Position;
}

/** A module-level `let`; evaluated in order when the module is loaded. `name` null: an expression of a script. */
export interface CoreValue {
  readonly name: string | null;
  readonly value: Core;
}

export interface CoreModule {
  /** `std/list`, `benchmark/solution`. */
  readonly path: string;
  readonly functions: readonly CoreFunction[];
  readonly values: readonly CoreValue[];
  /** Modules this one refers to, each before its users in `CoreProgram.modules`. */
  readonly imports: readonly string[];
}

/** Types as the entry point's arguments are decoded by (ailang-language 3.7). Aliases are expanded. */
export type DataType =
  | { readonly k: 'unit' | 'int' | 'float' | 'string' | 'bool' | 'any' }
  | { readonly k: 'list'; readonly item: DataType }
  | { readonly k: 'record'; readonly fields: readonly { readonly name: string; readonly type: DataType }[] }
  /** Not decodable from JSON; `text` is the printed type. */
  | { readonly k: 'other'; readonly text: string };

export interface EntryPoint {
  readonly name: string;
  readonly parameters: readonly DataType[];
  /** Declared effect names, sorted. */
  readonly effects: readonly string[];
  /** True when the row has a variable. */
  readonly openRow: boolean;
  readonly returnsUnit: boolean;
}

export interface CoreProgram {
  /** In dependency order, the root last. */
  readonly modules: readonly CoreModule[];
  /** Path of the root module. */
  readonly root: string;
  /** Exported functions of the root module. */
  readonly entries: readonly EntryPoint[];
}

/** A type whose values can be drawn at random. `other` cannot; `text` is the printed type. */
export type SampleType =
  | { readonly k: 'unit' | 'int' | 'float' | 'string' | 'bool' | 'bytes' }
  | { readonly k: 'list' | 'array'; readonly item: SampleType }
  | { readonly k: 'tuple'; readonly items: readonly SampleType[] }
  | { readonly k: 'record'; readonly fields: readonly { readonly name: string; readonly type: SampleType }[] }
  /** A sum type. Its variants are computed when asked for, because the type may contain itself. */
  | { readonly k: 'data'; readonly name: string; readonly variants: () => readonly SampleVariant[] }
  | { readonly k: 'other'; readonly text: string };

export interface SampleVariant {
  readonly name: string;
  readonly fields: readonly SampleType[];
}

/** A test of the root module, ready to be evaluated (ailang-language section 7). */
export type CoreTest = { readonly name: string; readonly position: Position } & (
  | { readonly k: 'example'; readonly actual: Core; readonly expected: Core }
  | { readonly k: 'claim'; readonly body: Core }
  | {
      readonly k: 'property';
      readonly binders: readonly { readonly name: string; readonly type: SampleType }[];
      readonly body: Core;
    }
);
