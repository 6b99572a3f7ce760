import type { EffectVariable, Row } from '../effects/row.js';

/** Eq: `==`; Ord: `<`; Num: arithmetic. Every value can be shown, so Show needs no constraint. */
export type TypeClass = 'Eq' | 'Ord' | 'Num';

/** A type variable: bound when `link` is set. A rigid one stands for a variable of a signature and is never bound. */
export interface TypeVariable {
  readonly k: 'var';
  readonly id: number;
  level: number;
  link: Type | null;
  readonly rigid: string | null;
  readonly classes: Set<TypeClass>;
  /** Stands for the type of an integer literal: becomes int or float before it would be generalised. */
  literal: boolean;
  /** Bound by a scheme: every use has its own, so nothing may decide it any more. */
  quantified: boolean;
}

/** `T<l>`, or `T{not l}` when `refused`: a flow label, which inference looks through (see `flow/`). */
export interface LabelledType {
  readonly k: 'label';
  readonly type: Type;
  readonly label: string;
  readonly refused: boolean;
}

/** A type as inference sees it. */
export type PlainType = Exclude<Type, LabelledType>;

export type Type =
  | TypeVariable
  | LabelledType
  | { readonly k: 'named'; readonly constructor: TypeConstructor; readonly arguments: readonly Type[] }
  /** No parameters means the one hidden unit parameter. */
  | { readonly k: 'function'; readonly parameters: readonly Type[]; readonly result: Type; readonly effects: Row }
  | { readonly k: 'tuple'; readonly items: readonly Type[] }
  /** `rest` null is a closed record. */
  | { readonly k: 'record'; readonly fields: ReadonlyMap<string, Type>; readonly rest: Type | null };

export type FunctionType = Extract<Type, { k: 'function' }>;
export type RecordType = Extract<Type, { k: 'record' }>;

/** A built-in or declared type; compared by identity. */
export interface TypeConstructor {
  readonly name: string;
  /** Empty for built-in types. */
  readonly module: string;
  readonly arity: number;
  readonly hasEq: boolean;
  /** Filled when the declaration has been read. Empty for built-in types. */
  variants: readonly VariantInfo[];
}

/** A constructor: `parameters` are the variables its `fields` are written with. */
export interface VariantInfo {
  readonly name: string;
  readonly type: TypeConstructor;
  readonly parameters: readonly TypeVariable[];
  readonly fields: readonly Type[];
}

/** A type with the variables that are fresh at every use. */
export interface Scheme {
  readonly type: Type;
  readonly variables: readonly TypeVariable[];
  readonly effectVariables: readonly EffectVariable[];
}

let nextId = 1;

export function freshVariable(level: number, rigid: string | null = null): TypeVariable {
  return { k: 'var', id: nextId++, level, link: null, rigid, classes: new Set(), literal: false, quantified: false };
}

function builtin(name: string, arity: number, hasEq = true): TypeConstructor {
  return { name, module: '', arity, hasEq, variants: [] };
}

const constructors = {
  int: builtin('int', 0),
  float: builtin('float', 0),
  string: builtin('string', 0),
  bool: builtin('bool', 0),
  unit: builtin('()', 0),
  bytes: builtin('bytes', 0),
  list: builtin('List', 1),
  array: builtin('Array', 1),
  map: builtin('Map', 2),
};

/** The type of what has been reported already: it fits everywhere, so that one mistake is one error. */
export const errorType: PlainType = { k: 'named', constructor: builtin('?', 0), arguments: [] };

function nullary(declared: TypeConstructor): PlainType {
  return { k: 'named', constructor: declared, arguments: [] };
}

export const intType = nullary(constructors.int);
export const floatType = nullary(constructors.float);
export const stringType = nullary(constructors.string);
export const boolType = nullary(constructors.bool);
export const unitType = nullary(constructors.unit);

/** Built-in type names of the source language. */
export const builtinTypes: ReadonlyMap<string, TypeConstructor> = new Map([
  ['int', constructors.int],
  ['float', constructors.float],
  ['string', constructors.string],
  ['char', constructors.string],
  ['bool', constructors.bool],
  ['unit', constructors.unit],
  ['bytes', constructors.bytes],
  ['List', constructors.list],
  ['list', constructors.list],
  ['Array', constructors.array],
  ['Map', constructors.map],
]);

export function listOf(item: Type): Type {
  return { k: 'named', constructor: constructors.list, arguments: [item] };
}

export function arrayOf(item: Type): Type {
  return { k: 'named', constructor: constructors.array, arguments: [item] };
}

/** Follows bound variables, shortening the path, and leaves out flow labels. */
export function resolve(type: Type): PlainType {
  let found = type;
  for (;;) {
    if (found.k === 'label') found = found.type;
    else if (found.k === 'var' && found.link !== null) found = found.link;
    else break;
  }
  let walk = type;
  while (walk.k === 'var' && walk.link !== null && walk.link !== found) {
    const next: Type = walk.link;
    walk.link = found;
    walk = next;
  }
  return found;
}

export function isNamed(type: Type, name: string): boolean {
  const found = resolve(type);
  return found.k === 'named' && found.constructor.name === name && found.constructor.module === '';
}

/** The item type of a list type, else null. */
export function listItem(type: Type): Type | null {
  const found = resolve(type);
  return found.k === 'named' && found.constructor === constructors.list ? (found.arguments[0] ?? null) : null;
}

/** All fields of a record whose row may be spread over several links. */
export function flattenRecord(record: RecordType): { fields: Map<string, Type>; rest: TypeVariable | null } {
  const fields = new Map(record.fields);
  let rest = record.rest === null ? null : resolve(record.rest);
  while (rest !== null && rest.k === 'record') {
    for (const [name, type] of rest.fields) if (!fields.has(name)) fields.set(name, type);
    rest = rest.rest === null ? null : resolve(rest.rest);
  }
  return { fields, rest: rest !== null && rest.k === 'var' ? rest : null };
}
