import type { SampleType } from '../core/types.js';
import { List } from '../eval/list.js';
import { ArrayValue, Bytes, Data, Float, RecordValue, Tuple, type Value } from '../eval/values.js';
import { dataOf, type Range, recordOf } from './generate.js';

/** Simpler values of the same type, the simplest first. Each is smaller by a measure, so shrinking ends. */
export function* shrink(type: SampleType, value: Value, range: Range): Iterable<Value> {
  switch (type.k) {
    case 'int':
      if (typeof value === 'number') yield* smallerInts(value, range);
      return;
    case 'float':
      if (value instanceof Float) yield* smallerFloats(value.v);
      return;
    case 'bool':
      if (value === true) yield false;
      return;
    case 'string':
      if (typeof value === 'string') for (const chars of smallerItems([...value], simplerChar)) yield chars.join('');
      return;
    case 'bytes':
      if (value instanceof Bytes)
        for (const bytes of smallerItems([...value.content], (byte) => (byte > 0 ? [0] : [])))
          yield new Bytes(Buffer.from(bytes));
      return;
    case 'list':
      if (value instanceof List)
        for (const items of smallerItems(value.toArray(), (item) => shrink(type.item, item, range)))
          yield List.of([...items]);
      return;
    case 'array':
      if (value instanceof ArrayValue)
        for (const items of smallerItems(value.items, (item) => shrink(type.item, item, range)))
          yield new ArrayValue(items);
      return;
    case 'tuple':
      if (value instanceof Tuple)
        for (const items of simplerParts(type.items, value.items, range)) yield new Tuple(items);
      return;
    case 'record':
      if (value instanceof RecordValue) yield* smallerRecords(type, value, range);
      return;
    case 'data':
      if (value instanceof Data) yield* smallerData(type, value, range);
      return;
    case 'unit':
    case 'other':
  }
}

/** Numbers nearest to zero that are tried one by one. */
const near = 10;

/** Zero, or what is nearest to it in the range; the negative made positive; numbers near it; half the way, down to one step. */
function* smallerInts(value: number, { minInt, maxInt }: Range): Iterable<number> {
  const goal = Math.min(Math.max(0, minInt), maxInt);
  if (value === goal) return;
  yield goal;
  if (value < 0 && -value <= maxInt) yield -value;
  const sign = Math.sign(value - goal);
  for (let away = 1; away <= near && away < Math.abs(value - goal); away++) yield goal + sign * away;
  for (let step = Math.trunc((value - goal) / 2); step !== 0; step = Math.trunc(step / 2)) yield value - step;
}

function* smallerFloats(value: number): Iterable<Float> {
  if (value === 0) return;
  yield new Float(0);
  if (value < 0) yield new Float(-value);
  const whole = Math.trunc(value);
  if (whole !== value) yield new Float(whole);
  else
    for (let step = Math.trunc(value / 2); step !== 0 && Math.abs(value) < 2 ** 53; step = Math.trunc(step / 2))
      yield new Float(value - step);
}

const simplerChar = (char: string): readonly string[] => (char === 'a' ? [] : ['a']);

/** Without a stretch of items, longest stretches first; then with one item made simpler. */
function* smallerItems<T>(items: readonly T[], simpler: (item: T) => Iterable<T>): Iterable<T[]> {
  for (let length = items.length; length > 0; length >>= 1) {
    for (let start = 0; start + length <= items.length; start += length)
      yield [...items.slice(0, start), ...items.slice(start + length)];
  }
  for (const [index, item] of items.entries()) for (const other of simpler(item)) yield items.with(index, other);
}

/** With one part made simpler. */
export function* simplerParts(types: readonly SampleType[], values: readonly Value[], range: Range): Iterable<Value[]> {
  for (const [index, type] of types.entries())
    for (const other of shrink(type, values[index], range)) yield values.with(index, other);
}

function* smallerRecords(
  type: Extract<SampleType, { k: 'record' }>,
  value: RecordValue,
  range: Range,
): Iterable<Value> {
  const at = new Map(value.names.map((name, index) => [name, value.values()[index]]));
  const types = type.fields.map((field) => field.type);
  const values = type.fields.map((field) => at.get(field.name));
  for (const parts of simplerParts(types, values, range))
    yield recordOf(type, (field) => parts[type.fields.indexOf(field)]);
}

/** Constants of the type, parts that are of the type themselves, then the same constructor around simpler parts. */
function* smallerData(type: Extract<SampleType, { k: 'data' }>, value: Data, range: Range): Iterable<Value> {
  const args = value.args();
  const variants = type.variants();
  const own = variants.find((variant) => variant.name === value.c.name);
  if (own === undefined) return;
  const before = args.length === 0 ? variants.slice(0, variants.indexOf(own)) : variants;
  for (const variant of before) if (variant.fields.length === 0) yield dataOf(variant, []);
  for (const [index, field] of own.fields.entries())
    if (field.k === 'data' && field.name === type.name) yield args[index];
  for (const parts of simplerParts(own.fields, args, range)) yield dataOf(own, parts);
}
