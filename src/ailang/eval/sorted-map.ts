import type { Value } from './values.js';

interface Node {
  readonly key: Value;
  readonly value: Value;
  readonly left: Node | null;
  readonly right: Node | null;
  readonly height: number;
  readonly count: number;
}

export type CompareKeys = (a: Value, b: Value) => number;

/** A persistent map kept as a balanced (AVL) tree: O(log n) changes, iteration in key order. */
export class SortedMap {
  constructor(readonly root: Node | null) {}

  get size(): number {
    return this.root?.count ?? 0;
  }

  find(key: Value, compare: CompareKeys): Node | null {
    let node = this.root;
    while (node !== null) {
      const order = compare(key, node.key);
      if (order === 0) return node;
      node = order < 0 ? node.left : node.right;
    }
    return null;
  }

  insert(key: Value, value: Value, compare: CompareKeys): SortedMap {
    return new SortedMap(insert(this.root, key, value, compare));
  }

  remove(key: Value, compare: CompareKeys): SortedMap {
    return this.find(key, compare) === null ? this : new SortedMap(remove(this.root, key, compare));
  }

  /** Entries in key order. */
  entries(): (readonly [Value, Value])[] {
    const entries: (readonly [Value, Value])[] = [];
    const visit = (node: Node | null): void => {
      if (node === null) return;
      visit(node.left);
      entries.push([node.key, node.value]);
      visit(node.right);
    };
    visit(this.root);
    return entries;
  }
}

export const emptyMap = new SortedMap(null);

const heightOf = (node: Node | null): number => node?.height ?? 0;

const make = (key: Value, value: Value, left: Node | null, right: Node | null): Node => ({
  key,
  value,
  left,
  right,
  height: 1 + Math.max(heightOf(left), heightOf(right)),
  count: 1 + (left?.count ?? 0) + (right?.count ?? 0),
});

function balance(key: Value, value: Value, left: Node | null, right: Node | null): Node {
  if (left !== null && left.height > heightOf(right) + 1) {
    const { right: inner } = left;
    if (inner !== null && heightOf(left.left) < inner.height) {
      const lower = make(left.key, left.value, left.left, inner.left);
      return make(inner.key, inner.value, lower, make(key, value, inner.right, right));
    }
    return make(left.key, left.value, left.left, make(key, value, inner, right));
  }
  if (right !== null && right.height > heightOf(left) + 1) {
    const { left: inner } = right;
    if (inner !== null && heightOf(right.right) < inner.height) {
      const upper = make(right.key, right.value, inner.right, right.right);
      return make(inner.key, inner.value, make(key, value, left, inner.left), upper);
    }
    return make(right.key, right.value, make(key, value, left, inner), right.right);
  }
  return make(key, value, left, right);
}

function insert(node: Node | null, key: Value, value: Value, compare: CompareKeys): Node {
  if (node === null) return make(key, value, null, null);
  const order = compare(key, node.key);
  if (order === 0) return make(node.key, value, node.left, node.right);
  return order < 0
    ? balance(node.key, node.value, insert(node.left, key, value, compare), node.right)
    : balance(node.key, node.value, node.left, insert(node.right, key, value, compare));
}

function remove(node: Node | null, key: Value, compare: CompareKeys): Node | null {
  if (node === null) return null;
  const order = compare(key, node.key);
  if (order < 0) return balance(node.key, node.value, remove(node.left, key, compare), node.right);
  if (order > 0) return balance(node.key, node.value, node.left, remove(node.right, key, compare));
  if (node.left === null) return node.right;
  if (node.right === null) return node.left;
  let next = node.right;
  while (next.left !== null) next = next.left;
  return balance(next.key, next.value, node.left, remove(node.right, next.key, compare));
}
