import { boolSort, found, intSort, type Sort, shapes, stringSort, unify, unitSort, unknownSort } from './sort.js';
import { unencodable } from './unsupported.js';

export type Node =
  | { readonly k: 'int'; readonly value: bigint }
  | { readonly k: 'bool'; readonly value: boolean }
  | { readonly k: 'string'; readonly value: string }
  | { readonly k: 'float'; readonly value: number }
  /** A constant of the problem, or a variable of a quantifier; a fresh one differs from all others of its name. */
  | { readonly k: 'symbol'; readonly name: string; readonly bound: boolean; readonly fresh: boolean }
  /** A function of the solver, or one that is declared with the sorts of its arguments. */
  | { readonly k: 'apply'; readonly name: string; readonly declared: boolean }
  | { readonly k: 'empty' }
  | { readonly k: 'construct'; readonly shape: string }
  | { readonly k: 'select'; readonly shape: string; readonly index: number }
  | { readonly k: 'is'; readonly shape: string }
  /** The first arguments are its variables, the last its body. */
  | { readonly k: 'forall' };

/** One node of a shared graph. Sorts may still have unknown parts while the graph grows. */
export interface Term {
  readonly id: number;
  readonly node: Node;
  readonly args: readonly Term[];
  readonly sort: Sort;
  /** Whether a variable of a quantifier occurs in it freely. */
  readonly open: boolean;
}

let nextId = 1;

function make(node: Node, args: readonly Term[], sort: Sort): Term {
  const open = node.k === 'symbol' ? node.bound : node.k !== 'forall' && args.some((arg) => arg.open);
  return { id: nextId++, node, args, sort, open };
}

export const int = (value: bigint | number): Term => make({ k: 'int', value: BigInt(value) }, [], intSort);
export const truth: Term = make({ k: 'bool', value: true }, [], boolSort);
export const falsity: Term = make({ k: 'bool', value: false }, [], boolSort);
export const bool = (value: boolean): Term => (value ? truth : falsity);
export const float = (value: number): Term => make({ k: 'float', value }, [], { k: 'float' });
export const unit: Term = make({ k: 'construct', shape: 'unit' }, [], unitSort);

/**
 * The solver knows 0x30000 characters, a program 0x110000. Those of the solver from here on stand for any of a program's
 * from here on, in their order: there are enough for every text that is met, and none of them may be named.
 */
export const firstNameless = 0x20000;

/** @throws Unsupported for a character that the solver has no name for */
export function string(value: string): Term {
  for (const character of value)
    if ((character.codePointAt(0) ?? 0) >= firstNameless)
      throw unencodable(`the character ${JSON.stringify(character)}`);
  return make({ k: 'string', value }, [], stringSort);
}

export const symbol = (name: string, sort: Sort): Term =>
  make({ k: 'symbol', name, bound: false, fresh: false }, [], sort);
/** A value nothing is known about. */
export const arbitrary = (sort: Sort = unknownSort()): Term =>
  make({ k: 'symbol', name: 'any', bound: false, fresh: true }, [], sort);
export const variable = (name: string): Term => make({ k: 'symbol', name, bound: true, fresh: true }, [], intSort);

export const apply = (name: string, args: readonly Term[], sort: Sort): Term =>
  make({ k: 'apply', name, declared: false }, args, sort);
export const declared = (name: string, args: readonly Term[], sort: Sort): Term =>
  make({ k: 'apply', name, declared: true }, args, sort);

const isTrue = (term: Term): boolean => term.node.k === 'bool' && term.node.value;
const isFalse = (term: Term): boolean => term.node.k === 'bool' && !term.node.value;

export function not(term: Term): Term {
  if (term.node.k === 'bool') return bool(!term.node.value);
  if (term.node.k === 'apply' && term.node.name === 'not') return term.args[0] ?? term;
  return apply('not', [term], boolSort);
}

export function and(...terms: readonly Term[]): Term {
  if (terms.some(isFalse)) return falsity;
  const parts = [...new Set(terms.filter((term) => !isTrue(term)))];
  const [first, ...more] = parts;
  if (first === undefined) return truth;
  return more.length === 0 ? first : apply('and', parts, boolSort);
}

export function or(...terms: readonly Term[]): Term {
  if (terms.some(isTrue)) return truth;
  const parts = [...new Set(terms.filter((term) => !isFalse(term)))];
  const [first, ...more] = parts;
  if (first === undefined) return falsity;
  return more.length === 0 ? first : apply('or', parts, boolSort);
}

export const implies = (left: Term, right: Term): Term => or(not(left), right);

export function forall(variables: readonly Term[], body: Term): Term {
  return body.open ? make({ k: 'forall' }, [...variables, body], boolSort) : body;
}

export function ite(condition: Term, then: Term, otherwise: Term): Term {
  if (condition.node.k === 'bool') return condition.node.value ? then : otherwise;
  if (then === otherwise) return then;
  unify(then.sort, otherwise.sort);
  if (isTrue(then) && isFalse(otherwise)) return condition;
  if (isFalse(then) && isTrue(otherwise)) return not(condition);
  return apply('ite', [condition, then, otherwise], then.sort);
}

export function equal(left: Term, right: Term): Term {
  unify(left.sort, right.sort);
  if (left === right) return truth;
  const a = left.node;
  const b = right.node;
  if (a.k === 'construct' && b.k === 'construct') {
    if (a.shape !== b.shape) return falsity;
    return and(...left.args.map((arg, index) => equal(arg, right.args[index] ?? arg)));
  }
  if ((a.k === 'int' || a.k === 'string' || a.k === 'bool') && a.k === b.k) return bool(a.value === b.value);
  return apply('=', [left, right], boolSort);
}

export const construct = (shape: string, args: readonly Term[], sort: Sort): Term => {
  const fields = shapes(sort)?.find(({ name }) => name === shape)?.fields ?? [];
  for (const [index, arg] of args.entries()) unify(arg.sort, fields[index] ?? arg.sort);
  return make({ k: 'construct', shape }, args, sort);
};

export function select(shape: string, index: number, of: Term): Term {
  if (of.node.k === 'construct' && of.node.shape === shape) return of.args[index] ?? of;
  if (of.node.k === 'apply' && of.node.name === 'ite') {
    const [condition, then, otherwise] = of.args as readonly [Term, Term, Term];
    if (then.node.k === 'construct' && otherwise.node.k === 'construct') {
      // The other constructor is never asked for its fields: the tester stands before.
      if (then.node.shape !== shape) return select(shape, index, otherwise);
      if (otherwise.node.shape !== shape) return select(shape, index, then);
      return ite(condition, select(shape, index, then), select(shape, index, otherwise));
    }
  }
  const sort = shapes(of.sort)?.find(({ name }) => name === shape)?.fields[index];
  if (sort === undefined) throw unencodable('a value whose type is not known');
  return make({ k: 'select', shape, index }, [of], sort);
}

export function is(shape: string, of: Term): Term {
  if (of.node.k === 'construct') return bool(of.node.shape === shape);
  if (shapes(of.sort)?.length === 1) return truth;
  if (of.node.k === 'apply' && of.node.name === 'ite') {
    const [condition, then, otherwise] = of.args as readonly [Term, Term, Term];
    if (then.node.k === 'construct' || otherwise.node.k === 'construct')
      return ite(condition, is(shape, then), is(shape, otherwise));
  }
  return make({ k: 'is', shape }, [of], boolSort);
}

export const emptyList = (sort: Sort): Term => make({ k: 'empty' }, [], sort);

export function append(left: Term, right: Term): Term {
  unify(left.sort, right.sort);
  if (left.node.k === 'empty') return right;
  if (right.node.k === 'empty') return left;
  return apply('seq.++', [left, right], left.sort);
}

export const single = (item: Term): Term => apply('seq.unit', [item], { k: 'list', item: item.sort });

/** The elements of a list whose length is written in the program, else null. */
export function elements(list: Term): readonly Term[] | null {
  if (list.node.k === 'empty') return [];
  if (list.node.k !== 'apply') return null;
  if (list.node.name === 'seq.unit') return list.args;
  if (list.node.name !== 'seq.++') return null;
  const parts = list.args.map(elements);
  return parts.every((part) => part !== null) ? parts.flat() : null;
}

export function length(list: Term): Term {
  const known = elements(list);
  return known === null ? apply('seq.len', [list], intSort) : int(known.length);
}

export function itemSort(list: Term): Sort {
  const at = found(list.sort);
  if (at.k === 'list') return at.item;
  const item = unknownSort();
  unify(at, { k: 'list', item });
  return item;
}

export function nth(list: Term, index: Term): Term {
  const item = index.node.k === 'int' ? elements(list)?.[Number(index.node.value)] : undefined;
  return item ?? apply('seq.nth', [list, index], itemSort(list));
}

/** All but the first elements. */
export function rest(list: Term, count: Term): Term {
  const known = elements(list);
  if (known !== null && count.node.k === 'int')
    return known
      .slice(Number(count.node.value))
      .reduce((done, item) => append(done, single(item)), emptyList(list.sort));
  return apply('seq.extract', [list, count, subtract(length(list), count)], list.sort);
}

const folded = (
  name: string,
  left: Term,
  right: Term,
  compute: (a: bigint, b: bigint) => bigint | boolean,
  sort: Sort,
): Term => {
  if (left.node.k === 'int' && right.node.k === 'int') {
    const value = compute(left.node.value, right.node.value);
    return typeof value === 'bigint' ? int(value) : bool(value);
  }
  return apply(name, [left, right], sort);
};

export const add = (a: Term, b: Term): Term => folded('+', a, b, (x, y) => x + y, intSort);
export const subtract = (a: Term, b: Term): Term => folded('-', a, b, (x, y) => x - y, intSort);
export const multiply = (a: Term, b: Term): Term => folded('*', a, b, (x, y) => x * y, intSort);
export const negate = (a: Term): Term => subtract(int(0), a);
export const less = (a: Term, b: Term): Term => folded('<', a, b, (x, y) => x < y, boolSort);
export const atMost = (a: Term, b: Term): Term => folded('<=', a, b, (x, y) => x <= y, boolSort);

/** Division as it runs: toward zero; `div` of the solver rounds so that the remainder is not negative. */
export function quotient(a: Term, b: Term): Term {
  if (a.node.k === 'int' && b.node.k === 'int' && b.node.value !== 0n) return int(a.node.value / b.node.value);
  return ite(less(a, int(0)), negate(apply('div', [negate(a), b], intSort)), apply('div', [a, b], intSort));
}

/** The remainder has the sign of the dividend. */
export function remainder(a: Term, b: Term): Term {
  if (a.node.k === 'int' && b.node.k === 'int' && b.node.value !== 0n) return int(a.node.value % b.node.value);
  return ite(less(a, int(0)), negate(apply('mod', [negate(a), b], intSort)), apply('mod', [a, b], intSort));
}
