import { call1, call2 } from '../../eval/calls.js';
import { RuntimeFailure } from '../../eval/failure.js';
import { toNumber } from '../../eval/integers.js';
import { List, nil } from '../../eval/list.js';
import { equal } from '../../eval/order.js';
import { type Callable, type Int, Tuple, type Value } from '../../eval/values.js';
import { type Natives, none, some } from './native.js';

/** Elements of a list made at once; more would exhaust the memory of a run. */
const MAX_LENGTH = 2 ** 26;

const at = (list: List, index: Int): Value => (index >= 0 && index < list.size ? some(list.at(Number(index))) : none);

function take(count: Int, list: List): List {
  const wanted = Math.max(0, toNumber(count));
  return wanted >= list.size ? list : list.slice(0, wanted);
}

function map(depth: number, f: Callable, list: List): List {
  const size = list.size;
  const items: Value[] = [];
  for (let index = 0; index < size; index += 1) items.push(call1(f, depth + 1, list.at(index)));
  return List.of(items);
}

function filter(depth: number, keep: Callable, list: List): List {
  const size = list.size;
  const items: Value[] = [];
  for (let index = 0; index < size; index += 1) {
    const item = list.at(index);
    if (call1(keep, depth + 1, item) === true) items.push(item);
  }
  return List.of(items);
}

function foldl(depth: number, f: Callable, initial: Value, list: List): Value {
  const size = list.size;
  let result = initial;
  for (let index = 0; index < size; index += 1) result = call2(f, depth + 1, result, list.at(index));
  return result;
}

/** Stops as soon as so many results are there. */
function takeFlatMap(depth: number, count: Int, f: Callable, list: List): List {
  const wanted = toNumber(count);
  const size = list.size;
  const items: Value[] = [];
  for (let index = 0; index < size && items.length < wanted; index += 1) {
    const part = call1(f, depth + 1, list.at(index)) as List;
    const partSize = Math.min(part.size, wanted - items.length);
    for (let inner = 0; inner < partSize; inner += 1) items.push(part.at(inner));
  }
  return List.of(items);
}

const flatMap = (depth: number, f: Callable, list: List): List => takeFlatMap(depth, Number.MAX_SAFE_INTEGER, f, list);

function findIndex(depth: number, holds: Callable, list: List): number {
  const size = list.size;
  for (let index = 0; index < size; index += 1) if (call1(holds, depth + 1, list.at(index)) === true) return index;
  return -1;
}

/** A growing collection of values for membership tests; strings, numbers and booleans are found in constant time. */
class Seen {
  private readonly scalars = new Set<Value>();
  private readonly others: Value[] = [];

  add(value: Value): void {
    if (typeof value === 'object') this.others.push(value);
    else this.scalars.add(value);
  }

  has(value: Value): boolean {
    return typeof value === 'object' ? this.others.some((other) => equal(other, value)) : this.scalars.has(value);
  }
}

function distinct(items: readonly Value[]): List {
  const seen = new Seen();
  const kept: Value[] = [];
  for (const item of items) {
    if (seen.has(item)) continue;
    seen.add(item);
    kept.push(item);
  }
  return List.of(kept);
}

function select(list: List, other: List, wanted: boolean): List {
  const seen = new Seen();
  for (const item of other.toArray()) seen.add(item);
  return List.of(list.toArray().filter((item) => seen.has(item) === wanted));
}

function zipWith(combine: (a: Value, b: Value) => Value, xs: List, ys: List): List {
  const size = Math.min(xs.size, ys.size);
  const items: Value[] = [];
  for (let index = 0; index < size; index += 1) items.push(combine(xs.at(index), ys.at(index)));
  return List.of(items);
}

export const listNatives: Natives = {
  _list_length: (_depth, list: List) => list.size,
  _list_head: (_depth, list: List) => at(list, 0),
  _list_tail: (_depth, list: List) => (list.size === 0 ? nil : list.drop(1)),
  _list_reverse: (_depth, list: List) => List.of(list.toArray().reverse()),
  _list_nth: (_depth, list: List, index: Int) => at(list, index),
  _list_last: (_depth, list: List) => at(list, list.size - 1),
  _list_take: (_depth, count: Int, list: List) => take(count, list),
  _list_drop: (_depth, count: Int, list: List) => list.drop(Math.min(Math.max(0, toNumber(count)), list.size)),
  _list_range: (_depth, start: Int, end: Int) => {
    const from = toNumber(start);
    if (toNumber(end) - from > MAX_LENGTH)
      throw new RuntimeFailure('RT007', `RT007: range: ${start} to ${end} is too long`);
    const items: Value[] = [];
    for (let value = from; value < toNumber(end); value += 1) items.push(value);
    return List.of(items);
  },
  _list_zip: (_depth, xs: List, ys: List) => zipWith((a, b) => new Tuple([a, b]), xs, ys),
  _list_zipWith: (depth, f: Callable, xs: List, ys: List) => zipWith((a, b) => call2(f, depth + 1, a, b), xs, ys),
  _list_map: map,
  _list_mapE: map,
  _list_filter: filter,
  _list_filterE: filter,
  _list_foldl: foldl,
  _list_foldlE: foldl,
  _list_foldr: (depth, f: Callable, initial: Value, list: List) => {
    let result = initial;
    for (let index = list.size - 1; index >= 0; index -= 1) result = call2(f, depth + 1, list.at(index), result);
    return result;
  },
  _list_mapAccumL: (depth, f: Callable, initial: Value, list: List) => {
    let state = initial;
    const items = list.toArray().map((item) => {
      const pair = call2(f, depth + 1, state, item) as Tuple;
      state = pair.items[1];
      return pair.items[0];
    });
    return new Tuple([List.of(items), state]);
  },
  _list_sortBy: (depth, compare: Callable, list: List) =>
    List.of(list.toArray().sort((a, b) => Number(call2(compare, depth + 1, a, b)))),
  _list_contains: (_depth, list: List, wanted: Value) => list.toArray().some((item) => equal(item, wanted)),
  _list_any: (depth, holds: Callable, list: List) => findIndex(depth, holds, list) >= 0,
  _list_findIndex: (depth, holds: Callable, list: List) => {
    const index = findIndex(depth, holds, list);
    return index < 0 ? none : some(index);
  },
  _list_flatMap: flatMap,
  _list_flatMapE: flatMap,
  _list_takeFlatMap: takeFlatMap,
  _list_forEachE: (depth, f: Callable, list: List) => {
    const size = list.size;
    for (let index = 0; index < size; index += 1) call1(f, depth + 1, list.at(index));
  },
  _list_dedup: (_depth, list: List) => distinct(list.toArray()),
  _list_union: (_depth, xs: List, ys: List) => distinct([...xs.toArray(), ...ys.toArray()]),
  _list_intersect: (_depth, xs: List, ys: List) => select(xs, ys, true),
  _list_difference: (_depth, xs: List, ys: List) => select(xs, ys, false),
};
