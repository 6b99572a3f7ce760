import { indexFailure, RuntimeFailure } from '../../eval/failure.js';
import { toNumber } from '../../eval/integers.js';
import { List } from '../../eval/list.js';
import { ArrayValue, Bytes, Float, type Int, type Tuple, type Value } from '../../eval/values.js';
import { type Natives, none, some } from './native.js';

/** Elements of an array made at once; more would exhaust the memory of a run. */
const MAX_LENGTH = 2 ** 26;

function checked(operation: string, array: ArrayValue, index: Int): number {
  if (index < 0 || index >= array.items.length) throw indexFailure(operation, index, array.items.length);
  return Number(index);
}

const number = (value: Value): number => (value as Float).v;
const numbers = (array: ArrayValue): number[] => array.items.map(number);
const ofNumbers = (items: readonly number[]): ArrayValue => new ArrayValue(items.map((item) => new Float(item)));

/** Both must have one length. */
function elementwise(
  operation: string,
  xs: ArrayValue,
  ys: ArrayValue,
  combine: (x: number, y: number) => number,
): number[] {
  if (xs.items.length !== ys.items.length) throw indexFailure(operation, ys.items.length, xs.items.length);
  return xs.items.map((x, index) => combine(number(x), number(ys.items[index])));
}

const total = (items: readonly number[]): number => items.reduce((sum, item) => sum + item, 0);

function decode({ content }: Bytes, width: 4 | 8): Value {
  if (content.length % width !== 0) return none;
  const count = content.length / width;
  const read = (index: number): number =>
    width === 8 ? content.readDoubleLE(index * 8) : content.readFloatLE(index * 4);
  return some(ofNumbers(Array.from({ length: count }, (_, index) => read(index))));
}

const kernels: Natives = {
  _array_dot: (_depth, xs: ArrayValue, ys: ArrayValue) => new Float(total(elementwise('dot', xs, ys, (x, y) => x * y))),
  _array_axpy: (_depth, factor: Float, xs: ArrayValue, ys: ArrayValue) =>
    ofNumbers(elementwise('axpy', xs, ys, (x, y) => factor.v * x + y)),
  _array_scale: (_depth, factor: Float, xs: ArrayValue) => ofNumbers(numbers(xs).map((x) => factor.v * x)),
  _array_add: (_depth, xs: ArrayValue, ys: ArrayValue) => ofNumbers(elementwise('add', xs, ys, (x, y) => x + y)),
  _array_sub: (_depth, xs: ArrayValue, ys: ArrayValue) => ofNumbers(elementwise('sub', xs, ys, (x, y) => x - y)),
  _array_mul: (_depth, xs: ArrayValue, ys: ArrayValue) => ofNumbers(elementwise('mul', xs, ys, (x, y) => x * y)),
  _array_sum: (_depth, xs: ArrayValue) => new Float(total(numbers(xs))),
  _array_argmax: (_depth, xs: ArrayValue) => {
    let best = -1;
    for (const [index, x] of xs.items.entries()) if (best < 0 || number(x) > number(xs.items[best])) best = index;
    return best;
  },
  _array_scatterAdd: (_depth, array: ArrayValue, indices: ArrayValue, values: ArrayValue) => {
    const items = numbers(array);
    for (const [position, index] of indices.items.entries()) {
      const place = checked('scatterAdd', array, index as Int);
      items[place] = (items[place] ?? 0) + number(values.items[checked('scatterAdd', values, position)]);
    }
    return ofNumbers(items);
  },
  _array_encodeF64LE: (_depth, xs: ArrayValue) => {
    const content = Buffer.alloc(xs.items.length * 8);
    for (const [index, x] of xs.items.entries()) content.writeDoubleLE(number(x), index * 8);
    return new Bytes(content);
  },
  _array_decodeF64LE: (_depth, bytes: Bytes) => decode(bytes, 8),
  _array_decodeF32LE: (_depth, bytes: Bytes) => decode(bytes, 4),
};

export const arrayNatives: Natives = {
  _array_make: (_depth, count: Int, value: Value) => {
    if (count > MAX_LENGTH) throw new RuntimeFailure('RT007', `RT007: make: ${count} elements are too many`);
    return new ArrayValue(new Array(Math.max(0, toNumber(count))).fill(value));
  },
  _array_fromList: (_depth, list: List) => new ArrayValue(list.toArray()),
  _array_toList: (_depth, array: ArrayValue) => List.of([...array.items]),
  _array_length: (_depth, array: ArrayValue) => array.items.length,
  _array_get: (_depth, array: ArrayValue, index: Int) => array.items[checked('get', array, index)],
  _array_getOpt: (_depth, array: ArrayValue, index: Int) =>
    index >= 0 && index < array.items.length ? some(array.items[Number(index)]) : none,
  _array_set: (_depth, array: ArrayValue, index: Int, value: Value) => {
    const items = array.items.slice();
    items[checked('set', array, index)] = value;
    return new ArrayValue(items);
  },
  _array_append: (_depth, array: ArrayValue, value: Value) => new ArrayValue([...array.items, value]),
  _array_updateMany: (_depth, array: ArrayValue, updates: List) => {
    const items = array.items.slice();
    for (const update of updates.toArray()) {
      const [index, value] = (update as Tuple).items;
      items[checked('updateMany', array, index as Int)] = value;
    }
    return new ArrayValue(items);
  },
  ...kernels,
};
