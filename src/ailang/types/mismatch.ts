import { nearest } from '../syntax/edit-distance.js';
import { printType } from './print.js';
import { flattenRecord, intType, isNamed, listItem, resolve, type Type } from './type.js';
import type { Mismatch } from './unify.js';

export interface MismatchText {
  readonly code: string;
  readonly message: string;
  readonly suggestion: string;
}

/** Words a mismatch for the place where `actual` was found and `expected` was wanted. */
export function describeMismatch(mismatch: Mismatch, actual: Type, expected: Type, where: string): MismatchText {
  const whole = `${where}: expected ${printType(expected)}, got ${printType(actual)}`;
  switch (mismatch.k) {
    case 'different': {
      const inner =
        `${printType(mismatch.expected)}` === printType(expected)
          ? ''
          : ` (${printType(mismatch.actual)} is not ${printType(mismatch.expected)})`;
      return {
        code: 'TC001',
        message: `type mismatch ${whole}${inner}`,
        suggestion: conversionHint(mismatch.actual, mismatch.expected),
      };
    }
    case 'arity':
      return {
        code: 'TC_ARITY_001',
        message: `type mismatch ${whole}: a function of ${count(mismatch.actual)} where one of ${count(mismatch.expected)} is expected`,
        suggestion:
          mismatch.expected === 2
            ? 'A function of two parameters is \\a b. e; \\a. \\b. e takes them one after the other.'
            : `Write a function of exactly ${count(mismatch.expected)}.`,
      };
    case 'infinite':
      return {
        code: 'TC004',
        message: `${where}: this would need an infinite type`,
        suggestion:
          'A value is used inside itself here: check the arguments, or declare a recursive type with type T = A | B(T).',
      };
    case 'missing-field':
      return {
        code: 'TC_REC_001',
        message: `type mismatch ${whole}: the field \`${mismatch.name}\` is missing`,
        suggestion: `Add ${mismatch.name}: value to the record.`,
      };
    case 'extra-field':
      return {
        code: 'TC_REC_002',
        message: `type mismatch ${whole}: the field \`${mismatch.name}\` is not part of the expected record`,
        suggestion:
          nearestField(mismatch.name, mismatch.fields) ??
          `Remove the field, or let the type be open: {${mismatch.fields.map((name) => `${name}: …`).join(', ')} | r}.`,
      };
    case 'field': {
      const inner = describeMismatch(mismatch.cause, actual, expected, where);
      const field = `in the field \`${mismatch.name}\``;
      const detail =
        mismatch.cause.k === 'different'
          ? ` (${field}: ${printType(mismatch.cause.actual)} is not ${printType(mismatch.cause.expected)})`
          : ` (${field})`;
      return { ...inner, message: `type mismatch ${whole}${detail}` };
    }
    case 'effects':
      return {
        code: 'TC009',
        message: `effect mismatch ${whole}: the effects ${mismatch.missing.join(', ')} are not allowed there`,
        suggestion:
          'Use a function whose callback may have effects (mapE, filterE, foldlE, flatMapE, forEachE in std/list), or give the parameter an effect row: (a) -> b ! {e}.',
      };
    case 'instance':
      return instanceText(mismatch.class, mismatch.type, where);
  }
}

function nearestField(name: string, fields: readonly string[]): string | null {
  const near = nearest(name, fields);
  return near === null ? null : `Did you mean \`${near}\`?`;
}

function count(parameters: number): string {
  return parameters === 1 ? '1 parameter' : `${parameters} parameters`;
}

/** A missing class instance. */
export function instanceText(name: string, type: Type, where: string): MismatchText {
  const shown = printType(type);
  const message = `${where}: no instance ${name}[${shown}]`;
  return { code: 'TC010', message, suggestion: instanceHint(name, resolve(type)) };
}

function instanceHint(name: string, type: Type): string {
  if (name === 'Num') {
    if (isNamed(type, 'string'))
      return 'Join strings by interpolation, "${a}${b}", or with concat([a, b]) from std/string; stringToInt reads a number.';
    if (listItem(type) !== null) return 'Lists are joined with `++`.';
    return 'Arithmetic works on int and float.';
  }
  if (name === 'Ord' && isNamed(type, 'bool')) return 'Compare numbers: (if a then 1 else 0) < (if b then 1 else 0).';
  if (name === 'Ord')
    return 'Order exists for int, float and string: compare a part of the value, or write a compare function.';
  if (type.k === 'function') return 'Functions cannot be compared: compare what they return.';
  if (type.k === 'record') {
    const fields = [...flattenRecord(type).fields.keys()].slice(0, 3);
    return `Compare the fields, ${fields.map((field) => `a.${field} == b.${field}`).join(' && ')}, or declare the record type with deriving (Eq): type T = { … } deriving (Eq).`;
  }
  return `Add deriving (Eq) to the declaration of ${printType(type).replace(/\[.*/, '')}, or match on the values.`;
}

/** The type of an undecided integer literal is shown and explained as int. */
function settled(type: Type): Type {
  const found = resolve(type);
  return found.k === 'var' && found.literal ? intType : found;
}

function conversionHint(actual: Type, expected: Type): string {
  const from = settled(actual);
  const to = settled(expected);
  if (isNamed(to, 'string') && from.k === 'named') {
    if (listItem(from) !== null && isNamed(listItem(from) ?? from, 'string'))
      return 'Join the list with join(", ", xs) or concat(xs) from std/string.';
    return 'Write show(e), or put it into a string: "${e}".';
  }
  if (isNamed(to, 'float') && isNamed(from, 'int'))
    return 'Write intToFloat(e), or a literal with a fraction such as 1.0.';
  if (isNamed(to, 'int') && isNamed(from, 'float'))
    return 'Write floatToInt(e), which cuts the fraction off, or use an int literal.';
  if (isNamed(to, 'int') && isNamed(from, 'bool'))
    return 'Write if c then 1 else 0; a compare function returns -1, 0 or 1: \\a b. if a < b then -1 else if a > b then 1 else 0.';
  if (isNamed(to, 'int') && isNamed(from, 'string'))
    return 'Write stringToInt(s), an Option[int]: match stringToInt(s) { Some(n) => n, None => 0 }, with import std/string (stringToInt); a literal number has no quotes.';
  if (
    from.k === 'named' &&
    from.constructor.name === 'Option' &&
    !(to.k === 'named' && to.constructor.name === 'Option')
  ) {
    return 'Take the value out: match e { Some(v) => v, None => other }, or getOrElse(e, other) from std/option.';
  }
  if (
    from.k === 'named' &&
    from.constructor.name === 'Result' &&
    !(to.k === 'named' && to.constructor.name === 'Result')
  ) {
    return 'Take the value out: match e { Ok(v) => v, Err(m) => other }.';
  }
  if (
    to.k === 'named' &&
    (to.constructor.name === 'Option' || to.constructor.name === 'Result') &&
    to.constructor.module !== ''
  ) {
    return to.constructor.name === 'Option' ? 'Wrap the value: Some(e).' : 'Wrap the value: Ok(e), or Err(message).';
  }
  if (listItem(to) !== null && isNamed(from, 'string'))
    return 'A string is not a list: use the function of the same name from std/string, or chars(s) for its characters.';
  if (isNamed(to, 'string') && listItem(from) !== null)
    return 'A list is not a string: use the function of the same name from std/list, or join(", ", xs).';
  if (listItem(to) !== null && listItem(from) === null) return 'Write [e] for a list of one item.';
  if (isNamed(from, '()') && to.k !== 'function')
    return 'A block has the value of its last expression: check that it ends with the value, not with a let or a print.';
  if (isNamed(to, '()') && from.k === 'named')
    return 'Discard the value: { e; () }, or change the declared result type.';
  if (from.k === 'function' && to.k !== 'function')
    return from.parameters.length === 0 ? 'Call it: f().' : 'Call the function with all its arguments.';
  if (to.k === 'function') return 'Pass a function: \\x. e, or the name of one.';
  if (from.k === 'var' || to.k === 'var')
    return 'A type variable stands for every type: the value cannot be used as a particular one here.';
  return 'Change one of the two so that both types are the same.';
}
