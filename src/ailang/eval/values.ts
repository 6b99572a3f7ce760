import type { List } from './list.js';
import type { SortedMap } from './sorted-map.js';

/**
 * Values at run time. Unit is `undefined`, booleans and strings are JavaScript's, functions take the call depth first.
 * An integer is a number while that is exact (within ±(2^53 - 1)), else a bigint: never both for one value, so `===` compares.
 */
export type Int = number | bigint;
export type Value =
  | undefined
  | boolean
  | string
  | Int
  | Float
  | List
  | Tuple
  | ArrayValue
  | Bytes
  | SortedMap
  | Data
  | RecordValue
  | Callable;

// biome-ignore lint/suspicious/noExplicitAny: parameters are what the checker proved them to be
export type Callable = (depth: number, ...args: any[]) => any;

/** Boxed, so that `2.0` is never taken for `2`. */
export class Float {
  constructor(readonly v: number) {}
}

export class Tuple {
  constructor(readonly items: readonly Value[]) {}
}

/** `#[…]`: never changed in place. */
export class ArrayValue {
  constructor(readonly items: readonly Value[]) {}
}

export class Bytes {
  constructor(readonly content: Buffer) {}
}

/** What all values of one constructor share; compared by identity. */
export interface Constructor {
  readonly name: string;
  readonly arity: number;
}

/** A value of a sum type. Arguments are the fields `p0`, `p1`, … so that matching reads a field, not an array. */
export abstract class Data {
  constructor(readonly c: Constructor) {}
  abstract args(): readonly Value[];
}

export type DataClass = new (descriptor: Constructor, ...args: Value[]) => Data;

const dataClasses = new Map<number, DataClass>();
const constructors = new Map<string, Constructor>();

/** The class of constructor values with so many arguments. */
export function dataClass(arity: number): DataClass {
  let found = dataClasses.get(arity);
  if (found === undefined) {
    const fields = Array.from({ length: arity }, (_, index) => `p${index}`);
    const body = `return class extends Data {
      constructor(${['c', ...fields].join(', ')}) { super(c); ${fields.map((name) => `this.${name} = ${name};`).join(' ')} }
      args() { return [${fields.map((name) => `this.${name}`).join(', ')}]; }
    };`;
    found = new Function('Data', body)(Data) as DataClass;
    dataClasses.set(arity, found);
  }
  return found;
}

/** The one descriptor of a constructor. Values of different types never meet, so name and arity identify it. */
export function constructorOf(name: string, arity: number): Constructor {
  const key = `${name}/${arity}`;
  let found = constructors.get(key);
  if (found === undefined) {
    found = { name, arity };
    constructors.set(key, found);
  }
  return found;
}

const constructorValues = new Map<Constructor, Value>();

/** The value of a nullary constructor (one object), else the function that builds one. */
export function constructorValue(name: string, arity: number): Value {
  const descriptor = constructorOf(name, arity);
  let found = constructorValues.get(descriptor);
  if (found === undefined) {
    const Shape = dataClass(arity);
    found = arity === 0 ? new Shape(descriptor) : (_depth: number, ...args: Value[]) => new Shape(descriptor, ...args);
    constructorValues.set(descriptor, found);
  }
  return found;
}

/** Records with the same field names share a subclass; field `x` is the property `$x`. */
export abstract class RecordValue {
  /** Sorted field names. */
  abstract readonly names: readonly string[];
  abstract copy(): RecordValue;
  abstract values(): readonly Value[];
}

/** Takes the values in the order of the sorted field names. */
export type RecordClass = new (...values: Value[]) => RecordValue;

const shapes = new Map<string, RecordClass>();

/** The property that holds a field; injective, and no name of JavaScript's own. */
export const fieldProperty = (name: string): string =>
  `$${name.replace(/[^A-Za-z0-9_]/gu, (character) => `$${character.codePointAt(0)?.toString(16)}$`)}`;

/** The class of records with these fields, given sorted. */
export function recordClass(names: readonly string[]): RecordClass {
  const key = JSON.stringify(names);
  let found = shapes.get(key);
  if (found === undefined) {
    const properties = names.map(fieldProperty);
    const read = properties.map((name) => `this.${name}`).join(', ');
    const body = `class Shape extends RecordValue {
      constructor(${properties.join(', ')}) { super(); ${properties.map((name) => `this.${name} = ${name};`).join(' ')} }
      copy() { return new Shape(${read}); }
      values() { return [${read}]; }
    }
    Shape.prototype.names = names;
    return Shape;`;
    found = new Function('RecordValue', 'names', body)(RecordValue, names) as RecordClass;
    shapes.set(key, found);
  }
  return found;
}
