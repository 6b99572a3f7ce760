import { List } from './list.js';
import { SortedMap } from './sorted-map.js';
import { ArrayValue, Bytes, Data, Float, RecordValue, Tuple, type Value } from './values.js';

/** Structural equality; floats compare as IEEE does. Keeps its own stack: a long chain of constructors is no problem. */
export function equal(left: Value, right: Value): boolean {
  if (left === right) return !(left instanceof Float && Number.isNaN(left.v));
  if (typeof left !== 'object' || typeof right !== 'object') return false;
  const pending: [Value, Value][] = [[left, right]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [a, b] = pair;
    if (a instanceof Float) {
      if (!(b instanceof Float) || a.v !== b.v) return false;
    } else if (typeof a !== 'object' || typeof b !== 'object') {
      if (a !== b) return false;
    } else if (!partsEqual(a, b, pending)) return false;
  }
  return true;
}

/** Compares what two composite values have besides their parts, and queues the parts. */
function partsEqual(a: object, b: object, pending: [Value, Value][]): boolean {
  if (a instanceof List && b instanceof List) {
    const size = a.size;
    if (size !== b.size) return false;
    for (let index = size - 1; index >= 0; index -= 1) {
      const x = a.at(index);
      const y = b.at(index);
      if (typeof x === 'object' || x !== y) pending.push([x, y]);
    }
    return true;
  }
  if (a instanceof Bytes && b instanceof Bytes) return a.content.equals(b.content);
  if (a instanceof Data && b instanceof Data) return a.c === b.c && queue(a.args(), b.args(), pending);
  if (a instanceof SortedMap && b instanceof SortedMap) {
    return queue(a.entries().flat(), b.entries().flat(), pending);
  }
  if (a instanceof RecordValue && b instanceof RecordValue) {
    return a.names.join() === b.names.join() && queue(a.values(), b.values(), pending);
  }
  if (a instanceof Tuple && b instanceof Tuple) return queue(a.items, b.items, pending);
  if (a instanceof ArrayValue && b instanceof ArrayValue) return queue(a.items, b.items, pending);
  return false;
}

function queue(xs: readonly Value[], ys: readonly Value[], pending: [Value, Value][]): boolean {
  if (xs.length !== ys.length) return false;
  for (let index = xs.length - 1; index >= 0; index -= 1) pending.push([xs[index], ys[index]]);
  return true;
}

/** Code point order: what UTF-8 bytes give, and UTF-16 units do not above U+FFFF. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const x = a.charCodeAt(index);
    const y = b.charCodeAt(index);
    if (x !== y) return rank(x) < rank(y) ? -1 : 1;
  }
  return a.length < b.length ? -1 : 1;
}

// Surrogates stand for code points above all other units.
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** Order of ints, floats (IEEE: NaN is in no order), strings; of booleans as map keys. */
export function less(a: Value, b: Value): boolean {
  if (a instanceof Float && b instanceof Float) return a.v < b.v;
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b) < 0;
  return (a as number) < (b as number);
}

export function lessOrEqual(a: Value, b: Value): boolean {
  if (a instanceof Float && b instanceof Float) return a.v <= b.v;
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b) <= 0;
  return (a as number) <= (b as number);
}

/** A total order over map keys. */
export function compareKeys(a: Value, b: Value): number {
  if (a === b || equal(a, b)) return 0;
  return less(a, b) ? -1 : 1;
}
