import type { Core } from '../../core/types.js';
import { datatypeName, found, type Sort, shapes } from '../encode/sort.js';
import type { SExpression } from './s-expression.js';

const nowhere = { file: '<counterexample>', line: 1, column: 1 };

/** The value a model gives, as Core that makes it. @throws Error for a value that cannot be read */
export function modelValue(
  expression: SExpression,
  sort: Sort,
  names: ReadonlyMap<string, SExpression> = new Map(),
): Core {
  if (typeof expression === 'string') {
    const bound = names.get(expression);
    if (bound !== undefined) return modelValue(bound, sort, names);
  }
  if (Array.isArray(expression) && expression[0] === 'let') {
    const [, bindings, body] = expression as [string, readonly (readonly [string, SExpression])[], SExpression];
    const inner = new Map(names);
    for (const [name, value] of bindings) inner.set(name, value);
    return modelValue(body, sort, inner);
  }
  const at = found(sort);
  switch (at.k) {
    case 'int':
      return { k: 'int', value: integer(expression) };
    case 'bool':
      return { k: 'bool', value: expression === 'true' };
    case 'string':
      if (typeof expression === 'object' && 'text' in expression) return { k: 'string', value: expression.text };
      throw new Error('the model has no text where a string is');
    case 'float':
      return { k: 'float', value: floating(expression) };
    case 'list':
      return { k: 'list', items: listItems(expression, at.item, names) };
    case 'var':
    case 'unit':
      return { k: 'unit' };
    default:
      return readConstructed(expression, at, names);
  }
}

function integer(expression: SExpression): bigint {
  if (typeof expression === 'string') return BigInt(expression);
  if (Array.isArray(expression) && expression[0] === '-') return -integer(expression[1] as SExpression);
  throw new Error('the model has no number where an int is');
}

function floating(expression: SExpression): number {
  const parts = Array.isArray(expression) ? (expression as readonly string[]) : [];
  if (parts[0] === '_') {
    const special: Readonly<Record<string, number>> = {
      NaN: Number.NaN,
      '+oo': Number.POSITIVE_INFINITY,
      '-oo': Number.NEGATIVE_INFINITY,
      '+zero': 0,
      '-zero': -0,
    };
    return special[parts[1] ?? ''] ?? Number.NaN;
  }
  const bits = parts.slice(1).map((part) => {
    const digits = part.slice(2);
    return part.startsWith('#x')
      ? BigInt(`0x${digits}`)
          .toString(2)
          .padStart(digits.length * 4, '0')
      : digits;
  });
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0b${bits.join('')}`));
  return view.getFloat64(0);
}

function listItems(expression: SExpression, item: Sort, names: ReadonlyMap<string, SExpression>): Core[] {
  if (typeof expression === 'string') {
    const bound = names.get(expression);
    if (bound !== undefined) return listItems(bound, item, names);
    throw new Error(`the model has ${expression} where a list is`);
  }
  const [head, ...parts] = expression as readonly SExpression[];
  if (head === 'seq.unit') return [modelValue(parts[0] as SExpression, item, names)];
  if (head === 'seq.++') return parts.flatMap((part) => listItems(part, item, names));
  if (head === 'as') return [];
  throw new Error('the model has a list that cannot be read');
}

function readConstructed(expression: SExpression, sort: Sort, names: ReadonlyMap<string, SExpression>): Core {
  const [head, ...args] = Array.isArray(expression) ? (expression as readonly SExpression[]) : [expression];
  const name = datatypeName(sort);
  const shape = shapes(sort)?.find((one) => head === `|${one.name}:${name}|` || head === `${one.name}:${name}`);
  if (shape === undefined) throw new Error(`the model has ${JSON.stringify(head)} where ${name} is`);
  const fields = shape.fields.map((field, index) => modelValue(args[index] as SExpression, field, names));
  return constructed(sort, shape.name, fields);
}

/** A tuple, record or constructor with these fields, as Core that makes it. */
export function constructed(sort: Sort, name: string, fields: readonly Core[]): Core {
  if (sort.k === 'unit') return { k: 'unit' };
  if (sort.k === 'tuple') return { k: 'tuple', items: fields };
  if (sort.k === 'record') {
    const names = sort.fields.map(([field]) => field);
    return { k: 'record', fields: names.map((field, index) => ({ name: field, value: fields[index] as Core })) };
  }
  const type = sort.k === 'adt' ? sort.constructor.name : '';
  const made: Core = { k: 'constructor', type, name, arity: fields.length };
  return fields.length === 0 ? made : { k: 'call', callee: made, args: fields, position: nowhere };
}
