import type { CorePattern } from '../../core/types.js';
import { fieldProperty } from '../values.js';
import type { Scope } from './scope.js';
import type { Globals } from './unit.js';

/** What a pattern is tried on: code that may be repeated, or the parts of a tuple that was never built. */
export type Subject = string | readonly string[];

/** Statements of one attempt: a failing test leaves the arm. */
export interface Attempt {
  /** Leave the arm when this does not hold. */
  test(condition: string): void;
  /** A name for the value of this code. */
  name(code: string): string;
  readonly globals: Globals;
}

/** Emits the tests of a pattern and gives the scope with its variables. */
export function matchPattern(pattern: CorePattern, subject: Subject, scope: Scope, attempt: Attempt): Scope {
  const each = (parts: readonly CorePattern[], code: (index: number) => string, start: Scope): Scope =>
    parts.reduce((inner, part, index) => matchPart(part, () => code(index), inner, attempt), start);
  if (typeof subject !== 'string') {
    return pattern.k === 'tuple' ? each(pattern.items, (index) => subject[index] ?? 'undefined', scope) : scope;
  }
  switch (pattern.k) {
    case 'wildcard':
      return scope;
    case 'bind':
      return scope.bind(pattern.name, subject);
    case 'literal': {
      const { value } = pattern;
      if (value.k === 'unit') return scope;
      if (value.k === 'float') attempt.test(`${subject}.v === ${attempt.globals.unit.constant(value.value)}`);
      else if (value.k === 'int') attempt.test(`${subject} === ${integerCode(value.value)}`);
      else attempt.test(`${subject} === ${attempt.globals.unit.constant(value.value)}`);
      return scope;
    }
    case 'constructor': {
      const { name, args } = pattern;
      const { unit } = attempt.globals;
      if (args.length === 0) attempt.test(`${subject} === ${unit.constant(attempt.globals.constructorValue(name, 0))}`);
      else attempt.test(`${subject}.c === ${unit.constant(attempt.globals.descriptor(name, args.length))}`);
      return each(args, (index) => `${subject}.p${index}`, scope);
    }
    case 'cons':
      attempt.test(`${subject}.hi > ${subject}.lo`);
      return matchPart(
        pattern.tail,
        () => `${subject}.drop(1)`,
        matchPart(pattern.head, () => `${subject}.at(0)`, scope, attempt),
        attempt,
      );
    case 'list': {
      const { items, rest } = pattern;
      attempt.test(`${subject}.hi - ${subject}.lo ${rest === null ? '===' : '>='} ${items.length}`);
      const inner = each(items, (index) => `${subject}.at(${index})`, scope);
      return rest === null ? inner : matchPart(rest, () => `${subject}.drop(${items.length})`, inner, attempt);
    }
    case 'tuple':
      return each(pattern.items, (index) => `${subject}.items[${index}]`, scope);
    case 'record':
      return pattern.fields.reduce(
        (inner, field) => matchPart(field.pattern, () => `${subject}.${fieldProperty(field.name)}`, inner, attempt),
        scope,
      );
  }
}

/** Only what a pattern looks at is read. */
function matchPart(pattern: CorePattern, code: () => string, scope: Scope, attempt: Attempt): Scope {
  if (pattern.k === 'wildcard' || (pattern.k === 'literal' && pattern.value.k === 'unit')) return scope;
  if (pattern.k === 'bind' && pattern.name === '_') return scope;
  return matchPattern(pattern, attempt.name(code()), scope, attempt);
}

/** A 64-bit value as the number or bigint it is at run time. */
export function integerCode(value: bigint): string {
  const isSafe = value >= -9007199254740991n && value <= 9007199254740991n;
  const digits = isSafe ? `${value}` : `${value}n`;
  return value < 0n ? `(${digits})` : digits;
}
