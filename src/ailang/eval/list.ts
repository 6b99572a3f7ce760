import type { Value } from './values.js';

/** Elements of related lists: position p is `back[p]`, position -1 - p is `front[p]`. Slots are written once. */
interface Store {
  readonly front: Value[];
  readonly back: Value[];
}

/**
 * An immutable list: a window of a store that grows at both ends. Taking it apart shares the store, and the list that
 * reaches an end of the store extends it in place, so cons and append cost O(1) amortised; any other list copies.
 */
export class List {
  constructor(
    readonly store: Store,
    readonly lo: number,
    readonly hi: number,
  ) {}

  /** Takes the array over. */
  static of(items: Value[]): List {
    return items.length === 0 ? nil : new List({ front: [], back: items }, 0, items.length);
  }

  get size(): number {
    return this.hi - this.lo;
  }

  at(index: number): Value {
    const position = this.lo + index;
    return position >= 0 ? this.store.back[position] : this.store.front[-1 - position];
  }

  drop(count: number): List {
    return new List(this.store, this.lo + count, this.hi);
  }

  /** Elements from `start` up to `end`, within bounds. */
  slice(start: number, end: number): List {
    return new List(this.store, this.lo + start, this.lo + end);
  }

  toArray(): Value[] {
    const { store, lo, hi } = this;
    if (lo >= 0) return store.back.slice(lo, hi);
    const items: Value[] = new Array(hi - lo);
    for (let index = 0; index < items.length; index += 1) items[index] = this.at(index);
    return items;
  }
}

export const nil = new List({ front: [], back: [] }, 0, 0);

export function cons(head: Value, tail: List): List {
  const { store, lo, hi } = tail;
  if (lo === hi) return new List({ front: [head], back: [] }, -1, 0);
  if (lo <= 0) {
    const { front } = store;
    const slot = -lo;
    if (slot === front.length) {
      front.push(head);
      return new List(store, lo - 1, hi);
    }
    // Putting back the element that was just taken off.
    if (front[slot] === head) return new List(store, lo - 1, hi);
  } else if (store.back[lo - 1] === head) {
    return new List(store, lo - 1, hi);
  }
  const front = tail.toArray();
  front.reverse();
  front.push(head);
  return new List({ front, back: [] }, -front.length, 0);
}

export function concatLists(left: List, right: List): List {
  const leftSize = left.size;
  const rightSize = right.size;
  if (leftSize === 0) return right;
  if (rightSize === 0) return left;
  if (rightSize <= leftSize && left.hi >= 0 && left.hi === left.store.back.length) {
    const { back } = left.store;
    for (let index = 0; index < rightSize; index += 1) back.push(right.at(index));
    return new List(left.store, left.lo, left.hi + rightSize);
  }
  if (leftSize < rightSize && right.lo <= 0 && -right.lo === right.store.front.length) {
    const { front } = right.store;
    for (let index = leftSize - 1; index >= 0; index -= 1) front.push(left.at(index));
    return new List(right.store, right.lo - leftSize, right.hi);
  }
  return List.of(left.toArray().concat(right.toArray()));
}
