import {
  flattenRecord,
  listItem,
  resolve,
  type Type,
  type TypeConstructor,
  type TypeVariable,
} from '../../types/type.js';
import { unencodable } from './unsupported.js';

/** A monomorphic type of the encoding. A variable is the still unknown part of `[]` or `None`. */
export type Sort =
  | { readonly k: 'int' | 'bool' | 'string' | 'float' | 'unit' }
  | { readonly k: 'list'; readonly item: Sort }
  | { readonly k: 'tuple'; readonly items: readonly Sort[] }
  /** Fields in alphabetical order. */
  | { readonly k: 'record'; readonly fields: readonly (readonly [string, Sort])[] }
  | { readonly k: 'adt'; readonly constructor: TypeConstructor; readonly arguments: readonly Sort[] }
  | SortVariable;

export interface SortVariable {
  readonly k: 'var';
  link: Sort | null;
}

export const intSort: Sort = { k: 'int' };
export const boolSort: Sort = { k: 'bool' };
export const stringSort: Sort = { k: 'string' };
export const floatSort: Sort = { k: 'float' };
export const unitSort: Sort = { k: 'unit' };
export const unknownSort = (): Sort => ({ k: 'var', link: null });

export function found(sort: Sort): Sort {
  let at = sort;
  while (at.k === 'var' && at.link !== null) at = at.link;
  return at;
}

/** Makes two sorts one. The checker has seen to it that they fit. */
export function unify(left: Sort, right: Sort): void {
  const a = found(left);
  const b = found(right);
  if (a === b) return;
  if (a.k === 'var') a.link = b;
  else if (b.k === 'var') b.link = a;
  else if (a.k === 'list' && b.k === 'list') unify(a.item, b.item);
  else if (a.k === 'tuple' && b.k === 'tuple') pairs(a.items, b.items);
  else if (a.k === 'adt' && b.k === 'adt') pairs(a.arguments, b.arguments);
  else if (a.k === 'record' && b.k === 'record')
    pairs(
      a.fields.map(([, field]) => field),
      b.fields.map(([, field]) => field),
    );
  else if (a.k !== b.k) throw unencodable(`a value that is both ${sortText(a)} and ${sortText(b)}`);
}

function pairs(left: readonly Sort[], right: readonly Sort[]): void {
  if (left.length !== right.length) throw unencodable('a record whose fields are not all known');
  for (const [index, sort] of left.entries()) unify(sort, right[index] ?? sort);
}

/** The sort of a checker's type. `variables` gives the sorts of type variables; others are refused. */
export function sortOf(type: Type, variables: Map<TypeVariable, Sort> | null): Sort {
  const at = resolve(type);
  const again = (part: Type): Sort => sortOf(part, variables);
  switch (at.k) {
    case 'var': {
      if (variables === null) throw unencodable('a value of a type variable');
      const known = variables.get(at) ?? unknownSort();
      variables.set(at, known);
      return known;
    }
    case 'function':
      throw unencodable('a function as a value');
    case 'tuple':
      return { k: 'tuple', items: at.items.map(again) };
    case 'record': {
      const { fields, rest } = flattenRecord(at);
      if (rest !== null) throw unencodable('a record with unknown fields');
      return recordSort([...fields].map(([name, field]) => [name, again(field)] as const));
    }
    case 'named': {
      const item = listItem(at);
      if (item !== null) return { k: 'list', item: again(item) };
      const { constructor: declared } = at;
      if (declared.module === '') return builtinSort(declared.name);
      if (declared.variants.length === 0) throw unencodable(`a value of the type ${declared.name}`);
      return { k: 'adt', constructor: declared, arguments: at.arguments.map(again) };
    }
  }
}

export const recordSort = (fields: readonly (readonly [string, Sort])[]): Sort => ({
  k: 'record',
  fields: [...fields].sort(([a], [b]) => (a < b ? -1 : 1)),
});

function builtinSort(name: string): Sort {
  switch (name) {
    case 'int':
      return intSort;
    case 'bool':
      return boolSort;
    case 'string':
      return stringSort;
    case 'float':
      return floatSort;
    case '()':
      return unitSort;
    default:
      throw unencodable(`a value of the type ${name}`);
  }
}

export interface Shape {
  readonly name: string;
  readonly fields: readonly Sort[];
}

/** The constructors of a sort that is a datatype; null for the others. */
export function shapes(sort: Sort): readonly Shape[] | null {
  const at = found(sort);
  switch (at.k) {
    case 'unit':
      return [{ name: 'unit', fields: [] }];
    case 'tuple':
      return [{ name: 'tuple', fields: at.items }];
    case 'record':
      return [{ name: 'record', fields: at.fields.map(([, field]) => field) }];
    case 'adt':
      return at.constructor.variants.map((variant) => {
        const variables = new Map(
          variant.parameters.map((parameter, index) => [parameter, at.arguments[index] ?? unitSort]),
        );
        return { name: variant.name, fields: variant.fields.map((field) => sortOf(field, variables)) };
      });
    default:
      return null;
  }
}

/** As a program writes the type; also the name of the datatype in the solver. */
export function sortText(sort: Sort): string {
  const at = found(sort);
  switch (at.k) {
    case 'int':
    case 'bool':
    case 'string':
    case 'float':
      return at.k;
    case 'unit':
    case 'var':
      return '()';
    case 'list':
      return `[${sortText(at.item)}]`;
    case 'tuple':
      return `(${at.items.map(sortText).join(', ')})`;
    case 'record':
      return `{${at.fields.map(([name, field]) => `${name}: ${sortText(field)}`).join(', ')}}`;
    case 'adt':
      return at.arguments.length === 0
        ? at.constructor.name
        : `${at.constructor.name}[${at.arguments.map(sortText).join(', ')}]`;
  }
}

/** In the language of the solver. */
export function solverSort(sort: Sort): string {
  const at = found(sort);
  switch (at.k) {
    case 'int':
      return 'Int';
    case 'bool':
      return 'Bool';
    case 'string':
      return 'String';
    case 'float':
      return 'Float64';
    case 'list':
      return `(Seq ${solverSort(at.item)})`;
    default:
      return `|${datatypeName(at)}|`;
  }
}

/** Two modules may each have a type of one name. */
export function datatypeName(sort: Sort): string {
  const at = found(sort);
  switch (at.k) {
    case 'list':
      return `[${datatypeName(at.item)}]`;
    case 'tuple':
      return `(${at.items.map(datatypeName).join(', ')})`;
    case 'record':
      return `{${at.fields.map(([name, field]) => `${name}: ${datatypeName(field)}`).join(', ')}}`;
    case 'adt': {
      const name = `${at.constructor.module}.${at.constructor.name}`;
      return at.arguments.length === 0 ? name : `${name}[${at.arguments.map(datatypeName).join(', ')}]`;
    }
    default:
      return sortText(at);
  }
}

/** Whether some part is a float. */
export function hasFloat(sort: Sort, seen = new Set<string>()): boolean {
  const at = found(sort);
  if (at.k === 'float') return true;
  if (at.k === 'list') return hasFloat(at.item, seen);
  const name = datatypeName(at);
  if (seen.has(name)) return false;
  seen.add(name);
  return (shapes(at) ?? []).some((shape) => shape.fields.some((field) => hasFloat(field, seen)));
}
