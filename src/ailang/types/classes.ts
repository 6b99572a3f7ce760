import { errorType, flattenRecord, resolve, type Type, type TypeClass } from './type.js';

/** Field-name shapes of record aliases declared with `deriving (Eq)`; records are structural, so the shape decides. */
export class EqRecords {
  readonly #shapes = new Set<string>();

  constructor(readonly outer: EqRecords | null = null) {}

  add(fields: Iterable<string>): void {
    this.#shapes.add([...fields].sort().join(' '));
  }

  has(fields: Iterable<string>): boolean {
    const names = [...fields];
    return this.#shapes.has(names.sort().join(' ')) || (this.outer?.has(names) ?? false);
  }
}

/** Which records have `==`, by their field names. */
export type RecordEquality = Pick<EqRecords, 'has'>;

/** Inside of a type with `deriving (Eq)` every record has. */
export const everyRecord: RecordEquality = { has: () => true };

/** The part of the type that has no instance of the class, or null. Variables inside get the constraint. */
export function missingInstance(name: TypeClass, type: Type, records: RecordEquality): Type | null {
  const found = resolve(type);
  if (found.k === 'var') {
    found.classes.add(name);
    return null;
  }
  if (found === errorType) return null;
  if (name !== 'Eq') {
    const allowed = name === 'Num' ? ['int', 'float'] : ['int', 'float', 'string'];
    const fits = found.k === 'named' && found.constructor.module === '' && allowed.includes(found.constructor.name);
    return fits ? null : found;
  }
  switch (found.k) {
    case 'named': {
      const library = found.constructor.name === 'Option' || found.constructor.name === 'Result';
      if (!found.constructor.hasEq && !library) return found;
      return firstMissing(found.arguments, records);
    }
    case 'tuple':
      return firstMissing(found.items, records);
    case 'record': {
      const { fields } = flattenRecord(found);
      return records.has(fields.keys()) ? firstMissing(fields.values(), records) : found;
    }
    case 'function':
      return found;
  }
}

function firstMissing(types: Iterable<Type>, records: RecordEquality): Type | null {
  for (const type of types) {
    const missing = missingInstance('Eq', type, records);
    if (missing !== null) return missing;
  }
  return null;
}
