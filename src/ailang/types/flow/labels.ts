import { resolve, type Type, type TypeConstructor } from '../type.js';

/** The labels a type carries, and those it refuses, anywhere in the data it describes (not in functions). */
export interface TypeLabels {
  readonly carried: ReadonlySet<string>;
  readonly refused: ReadonlySet<string>;
}

const none: TypeLabels = { carried: new Set(), refused: new Set() };
const known = new WeakMap<Type, TypeLabels>();

export function labelsOf(type: Type): TypeLabels {
  const cached = known.get(type);
  if (cached !== undefined) return cached;
  const carried = new Set<string>();
  const refused = new Set<string>();
  collect(type, carried, refused, new Set());
  const found = carried.size + refused.size === 0 ? none : { carried, refused };
  if (type.k !== 'var') known.set(type, found);
  return found;
}

function collect(type: Type, carried: Set<string>, refused: Set<string>, seen: Set<TypeConstructor>): void {
  const again = (part: Type) => collect(part, carried, refused, seen);
  if (type.k === 'label') {
    (type.refused ? refused : carried).add(type.label);
    again(type.type);
    return;
  }
  if (type.k === 'var' && type.link !== null) {
    again(type.link);
    return;
  }
  const found = resolve(type);
  switch (found.k) {
    case 'tuple':
      found.items.forEach(again);
      return;
    case 'record':
      for (const field of found.fields.values()) again(field);
      if (found.rest !== null) again(found.rest);
      return;
    case 'named':
      found.arguments.forEach(again);
      if (seen.has(found.constructor)) return;
      seen.add(found.constructor);
      for (const { fields } of found.constructor.variants) fields.forEach(again);
      return;
    case 'var':
    case 'function':
      return;
  }
}

/** Whether labels are mentioned anywhere in a type, in its functions too. */
export function mentionsLabels(type: Type): boolean {
  if (type.k === 'label') return true;
  const { carried, refused } = labelsOf(type);
  if (carried.size + refused.size > 0) return true;
  const found = resolve(type);
  switch (found.k) {
    case 'function':
      return [...found.parameters, found.result].some(mentionsLabels);
    case 'tuple':
      return found.items.some(mentionsLabels);
    case 'record':
      return [...found.fields.values()].some(mentionsLabels);
    case 'named':
      return found.arguments.some(mentionsLabels);
    case 'var':
      return false;
  }
}
