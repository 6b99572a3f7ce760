import type { SampleType, SampleVariant } from '../core/types.js';
import { List } from '../eval/list.js';
import {
  ArrayValue,
  Bytes,
  constructorOf,
  constructorValue,
  dataClass,
  Float,
  recordClass,
  Tuple,
  type Value,
} from '../eval/values.js';
import type { Random } from './random.js';

export interface Range {
  readonly minInt: number;
  readonly maxInt: number;
}

const letters = [...'abcdefghijklmnopqrstuvwxyzABCXYZ0189  _-.,"\\\nä€😀'];
const someFloats = [0, 1, -1, 0.5, -0.5, 0.1, 1e-9, 1e9];

/** A random value. @param size longest list or string in it; parts of a sum type get half @throws when the type has no finite value */
export function generate(type: SampleType, random: Random, size: number, range: Range): Value {
  const part = (inner: SampleType, room: number = size): Value => generate(inner, random, room, range);
  switch (type.k) {
    case 'unit':
      return undefined;
    case 'int':
      return someInt(random, range);
    case 'float':
      if (random.between(0, 4) === 0) return new Float(random.pick(someFloats));
      return new Float(someInt(random, range) + random.between(0, 999) / 1000);
    case 'bool':
      return random.between(0, 1) === 1;
    case 'string':
      return many(random, size, () => random.pick(letters)).join('');
    case 'bytes':
      return new Bytes(Buffer.from(many(random, size, () => random.between(0, 255))));
    case 'list':
      return List.of(many(random, size, () => part(type.item, size >> 1)));
    case 'array':
      return new ArrayValue(many(random, size, () => part(type.item, size >> 1)));
    case 'tuple':
      return new Tuple(type.items.map((item) => part(item)));
    case 'record':
      return recordOf(type, (field) => part(field.type));
    case 'data': {
      const variant = chooseVariant(type, random, size);
      return dataOf(
        variant,
        variant.fields.map((field) => part(field, size >> 1)),
      );
    }
    case 'other':
      throw new Error(`values of type ${type.text} cannot be drawn`);
  }
}

function someInt(random: Random, { minInt, maxInt }: Range): number {
  if (random.between(0, 4) === 0) {
    const edge = random.pick([0, 1, -1, 2, minInt, maxInt]);
    if (edge >= minInt && edge <= maxInt) return edge;
  }
  return random.between(minInt, maxInt);
}

function many<T>(random: Random, size: number, make: () => T): T[] {
  return Array.from({ length: random.between(0, size) }, make);
}

type RecordSample = Extract<SampleType, { k: 'record' }>;

export function recordOf(type: RecordSample, value: (field: RecordSample['fields'][number]) => Value): Value {
  const fields = [...type.fields].sort((a, b) => (a.name < b.name ? -1 : 1));
  return new (recordClass(fields.map((field) => field.name)))(...fields.map(value));
}

export function dataOf(variant: SampleVariant, args: readonly Value[]): Value {
  if (args.length === 0) return constructorValue(variant.name, 0);
  return new (dataClass(args.length))(constructorOf(variant.name, args.length), ...args);
}

/** Any variant while there is room, then one that comes to an end soonest. */
function chooseVariant(type: Extract<SampleType, { k: 'data' }>, random: Random, size: number): SampleVariant {
  const variants = type.variants();
  const depths = variants.map((variant) => depthOf(variant.fields, new Set([type.name])));
  const least = Math.min(...depths);
  const finite = (variant: SampleVariant): boolean => depthOf(variant.fields, new Set()) !== Infinity;
  const usable = variants.filter((variant, index) => (size > 0 ? finite(variant) : depths[index] === least));
  if (least === Infinity) throw new Error(`the type ${type.name} has no finite value`);
  return random.pick(usable);
}

/** How deep the smallest values of these types are; Infinity when they never end. */
function depthOf(types: readonly SampleType[], above: ReadonlySet<string>): number {
  return Math.max(0, ...types.map((type) => 1 + innerDepth(type, above)));
}

function innerDepth(type: SampleType, above: ReadonlySet<string>): number {
  if (type.k === 'tuple') return depthOf(type.items, above);
  if (type.k === 'record')
    return depthOf(
      type.fields.map((field) => field.type),
      above,
    );
  if (type.k !== 'data') return 0;
  if (above.has(type.name)) return Infinity;
  const inner = new Set([...above, type.name]);
  return Math.min(...type.variants().map((variant) => depthOf(variant.fields, inner)));
}

/** The part of the type that no value can be drawn of, or null. */
export function undrawable(type: SampleType, above: ReadonlySet<string> = new Set()): string | null {
  const first = (types: readonly SampleType[], inner: ReadonlySet<string>): string | null =>
    types.reduce<string | null>((found, one) => found ?? undrawable(one, inner), null);
  switch (type.k) {
    case 'other':
      return type.text;
    case 'list':
    case 'array':
      return undrawable(type.item, above);
    case 'tuple':
      return first(type.items, above);
    case 'record':
      return first(
        type.fields.map((field) => field.type),
        above,
      );
    case 'data': {
      if (above.has(type.name)) return null;
      const inner = new Set([...above, type.name]);
      const fields = type.variants().flatMap((variant) => variant.fields);
      return innerDepth(type, above) === Infinity ? type.name : first(fields, inner);
    }
    default:
      return null;
  }
}
