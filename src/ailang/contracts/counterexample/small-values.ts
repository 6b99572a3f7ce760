import type { Core } from '../../core/types.js';
import { found, type Sort, shapes } from '../encode/sort.js';
import { tellingFloats } from '../encode/telling-floats.js';
import { constructed } from './value.js';

/** Parts inside parts are looked at this deep. */
const maxDepth = 3;
/** Of each parameter, and of each part of one. */
const maxValues = 24;
const maxParts = 4;
const maxCalls = 256;

/** Arguments worth a try before anything is deduced, the smallest first; none when a type has no small values. */
export function smallArguments(sorts: readonly Sort[]): readonly (readonly Core[])[] {
  const each = Math.max(3, Math.floor(2000 ** (1 / Math.max(1, sorts.length))));
  return combinations(sorts.map((sort) => smallValues(sort, maxDepth).slice(0, each))).slice(0, maxCalls);
}

function smallValues(sort: Sort, depth: number): readonly Core[] {
  const at = found(sort);
  switch (at.k) {
    case 'int':
      return [0, 1, -1, 2, 3, -2, 7, 10, -10, 100].map((value) => ({ k: 'int', value: BigInt(value) }));
    case 'bool':
      return [true, false].map((value) => ({ k: 'bool', value }));
    case 'string':
      return ['', 'a', 'b', 'ab', '0', '😀', 'aa', ' a'].map((value) => ({ k: 'string', value }));
    case 'float':
      return tellingFloats.map((value) => ({ k: 'float', value }));
    case 'list': {
      const items = depth === 0 ? [] : smallValues(at.item, depth - 1).slice(0, maxParts);
      const lists = [[], ...items.map((item) => [item]), ...combinations([items, items]), [...items].reverse()];
      return lists.map((list) => ({ k: 'list', items: list }));
    }
    case 'var':
      return [{ k: 'unit' }];
    default: {
      const made = (shapes(at) ?? []).map(({ name, fields }) => {
        if (depth === 0 && fields.length > 0) return [];
        const parts = fields.map((field) => smallValues(field, depth - 1).slice(0, maxParts));
        return combinations(parts).map((values) => constructed(at, name, values));
      });
      return interleaved(made).slice(0, maxValues);
    }
  }
}

/** One of each list, those whose places add up to the least first. */
function combinations<T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] {
  const all = lists.reduce<{ readonly values: readonly T[]; readonly sum: number }[]>(
    (done, list) =>
      done.flatMap(({ values, sum }) => list.map((value, index) => ({ values: [...values, value], sum: sum + index }))),
    [{ values: [], sum: 0 }],
  );
  return all.sort((a, b) => a.sum - b.sum).map(({ values }) => values);
}

function interleaved<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat();
}
