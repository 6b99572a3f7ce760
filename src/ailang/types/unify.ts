import { type EffectVariable, type Row, resolveRow, subsumeRow, unifyRows } from '../effects/row.js';
import { type EqRecords, missingInstance } from './classes.js';
import {
  errorType,
  type FunctionType,
  flattenRecord,
  freshVariable,
  isNamed,
  type RecordType,
  resolve,
  type Type,
  type TypeClass,
  type TypeConstructor,
  type TypeVariable,
  unitType,
} from './type.js';

/** Why two types do not fit. */
export type Mismatch =
  | { readonly k: 'different'; readonly actual: Type; readonly expected: Type; readonly variable?: TypeVariable }
  | { readonly k: 'arity'; readonly actual: number; readonly expected: number }
  | { readonly k: 'infinite'; readonly type: Type }
  | { readonly k: 'missing-field'; readonly name: string; readonly fields: readonly string[] }
  | { readonly k: 'extra-field'; readonly name: string; readonly fields: readonly string[] }
  | { readonly k: 'field'; readonly name: string; readonly cause: Mismatch }
  | { readonly k: 'effects'; readonly missing: readonly string[] }
  | MissingInstance;

export interface MissingInstance {
  readonly k: 'instance';
  readonly class: TypeClass;
  readonly type: Type;
  /** The variable that needs the instance and found none. */
  readonly variable?: TypeVariable;
}

/** After a report: what could not be decided is decided as an error, so that it is not reported again. */
export function forget(mismatch: Mismatch): void {
  if (mismatch.k === 'field') forget(mismatch.cause);
  else if ('variable' in mismatch && mismatch.variable !== undefined) mismatch.variable.link ??= errorType;
}

/** Whether two types differ at their very heads, so that nothing could make them fit; decides without binding anything. */
export function differs(left: Type, right: Type): boolean {
  const a = resolve(left);
  const b = resolve(right);
  if (a === b || a === errorType || b === errorType) return false;
  if (a.k === 'var' || b.k === 'var') {
    const [variable, other] = a.k === 'var' ? [a, b] : [b, a];
    return variable.k === 'var' && variable.literal && other.k !== 'var' && !isNumeric(other);
  }
  if (a.k === 'named' && b.k === 'named') {
    if (a.constructor !== b.constructor) return true;
    return a.arguments.some((argument, index) => differs(argument, b.arguments[index] as Type));
  }
  if (a.k === 'tuple' && b.k === 'tuple') return a.items.length !== b.items.length;
  return a.k !== b.k;
}

const isNumeric = (type: Type): boolean => isNamed(type, 'int') || isNamed(type, 'float');

/** `fits`: the first may be used where the second is expected. */
type Relation = 'equal' | 'fits';

/** Thrown when a program's types grow beyond all reason; ends the check with one error. */
export class TypeBudgetExceeded extends Error {}

/** Work a module may cause, and what each character adds; ordinary programs use a hundredth. */
const baseSteps = 1_500_000;
const stepsPerCharacter = 4;

/** Unification over one module: the substitution lives in the variables themselves. */
export class Unifier {
  level = 0;
  #steps = 0;

  readonly #maximum: number;

  constructor(
    readonly eqRecords: EqRecords,
    sourceLength = 0,
  ) {
    this.#maximum = baseSteps + stepsPerCharacter * sourceLength;
  }

  step(): void {
    if (++this.#steps > this.#maximum) throw new TypeBudgetExceeded('type budget exceeded');
  }

  fresh(): TypeVariable {
    return freshVariable(this.level);
  }

  /** Makes the types equal; the first difference when they cannot be. */
  unify(left: Type, right: Type): Mismatch | null {
    return this.#relate(left, right, 'equal');
  }

  /** Like `unify`, but functions may have fewer effects than expected, also those inside of values. */
  subsume(left: Type, right: Type): Mismatch | null {
    return this.#relate(left, right, 'fits');
  }

  #relate(left: Type, right: Type, relation: Relation): Mismatch | null {
    this.step();
    const actual = resolve(left);
    const expected = resolve(right);
    if (actual === expected) return null;
    if (actual === errorType || expected === errorType) return this.#forgive(actual, expected);
    if (actual.k === 'var' && (actual.rigid === null || expected.k !== 'var'))
      return this.#bind(actual, expected, actual, expected);
    if (expected.k === 'var') return this.#bind(expected, actual, actual, expected);
    if (actual.k === 'named' && expected.k === 'named') {
      if (actual.constructor !== expected.constructor) return { k: 'different', actual, expected };
      return this.#all(actual.arguments, expected.arguments, isCovariant(actual.constructor) ? relation : 'equal');
    }
    if (actual.k === 'tuple' && expected.k === 'tuple' && actual.items.length === expected.items.length) {
      return this.#all(actual.items, expected.items, relation);
    }
    if (actual.k === 'function' && expected.k === 'function') {
      return this.#functions(actual, expected, relation);
    }
    if (actual.k === 'record' && expected.k === 'record') return this.#records(actual, expected, relation);
    return { k: 'different', actual, expected };
  }

  /** What meets a reported error is an error too. */
  #forgive(actual: Type, expected: Type): null {
    for (const side of [actual, expected]) if (side.k === 'var' && side.rigid === null) side.link = errorType;
    return null;
  }

  #functions(actual: FunctionType, expected: FunctionType, relation: Relation): Mismatch | null {
    const compare = relation === 'equal' ? unifyRows : subsumeRow;
    const rows = compare(actual.effects, expected.effects, this.level);
    const found =
      this.#parameters(actual, expected, relation) ?? this.#relate(actual.result, expected.result, relation);
    if (found !== null) return found;
    return rows === null ? null : { k: 'effects', missing: rows.missing };
  }

  /** A function fits when it takes at least what the expected one takes. */
  #parameters(actual: FunctionType, expected: FunctionType, relation: Relation): Mismatch | null {
    const [one] = actual.parameters;
    const [other] = expected.parameters;
    if (actual.parameters.length === 1 && expected.parameters.length === 0 && one !== undefined)
      return this.unify(one, unitType);
    if (actual.parameters.length === 0 && expected.parameters.length === 1 && other !== undefined)
      return this.unify(other, unitType);
    if (actual.parameters.length !== expected.parameters.length)
      return { k: 'arity', actual: actual.parameters.length, expected: expected.parameters.length };
    if (relation === 'equal') return this.#all(actual.parameters, expected.parameters, relation);
    const found = this.#all(expected.parameters, actual.parameters, relation);
    return found === null ? null : reversed(found);
  }

  #all(left: readonly Type[], right: readonly Type[], relation: Relation): Mismatch | null {
    for (const [index, item] of left.entries()) {
      const other = right[index];
      const found = other === undefined ? null : this.#relate(item, other, relation);
      if (found !== null) return found;
    }
    return null;
  }

  #records(left: RecordType, right: RecordType, relation: Relation): Mismatch | null {
    const actual = flattenRecord(left);
    const expected = flattenRecord(right);
    for (const [name, type] of actual.fields) {
      const other = expected.fields.get(name);
      if (other === undefined) continue;
      const cause = this.#relate(type, other, relation);
      if (cause !== null) return { k: 'field', name, cause };
    }
    const extra = [...actual.fields].filter(([name]) => !expected.fields.has(name));
    const missing = [...expected.fields].filter(([name]) => !actual.fields.has(name));
    const closedActual = actual.rest === null || actual.rest.rigid !== null;
    const closedExpected = expected.rest === null || expected.rest.rigid !== null;
    if (missing.length > 0 && closedActual)
      return { k: 'missing-field', name: missing[0]?.[0] ?? '', fields: [...actual.fields.keys()] };
    if (extra.length > 0 && closedExpected)
      return { k: 'extra-field', name: extra[0]?.[0] ?? '', fields: [...expected.fields.keys()] };
    if (actual.rest !== null && expected.rest !== null && actual.rest === expected.rest) {
      return extra.length === 0 && missing.length === 0 ? null : { k: 'infinite', type: left };
    }
    if (closedActual && closedExpected) {
      return actual.rest === null && expected.rest === null ? null : { k: 'different', actual: left, expected: right };
    }
    if (actual.rest === null || closedActual) return this.#rest(expected.rest, extra, actual.rest, left);
    if (expected.rest === null || closedExpected) return this.#rest(actual.rest, missing, expected.rest, right);
    const shared = this.fresh();
    return this.#rest(actual.rest, missing, shared, right) ?? this.#rest(expected.rest, extra, shared, left);
  }

  #rest(
    variable: TypeVariable | null,
    fields: readonly [string, Type][],
    rest: Type | null,
    whole: Type,
  ): Mismatch | null {
    if (variable === null) return null;
    const record: Type = { k: 'record', fields: new Map(fields), rest };
    return this.#occurs(variable, record) ? { k: 'infinite', type: whole } : this.#link(variable, record);
  }

  #link(variable: TypeVariable, type: Type): null {
    variable.link = type;
    return null;
  }

  #bind(variable: TypeVariable, type: Type, actual: Type, expected: Type): Mismatch | null {
    if (variable.rigid !== null) return { k: 'different', actual, expected };
    if (type.k === 'var') {
      for (const name of variable.classes) type.classes.add(name);
      type.literal ||= variable.literal && type.rigid === null;
      if (type.rigid === null) type.level = Math.min(type.level, variable.level);
      else if (variable.literal) return { k: 'different', actual, expected };
      return this.#link(variable, type);
    }
    if (this.#occurs(variable, type)) return { k: 'infinite', type };
    for (const name of variable.classes) {
      const missing = this.require(name, type);
      if (missing === null) continue;
      return variable.literal ? { k: 'different', actual, expected, variable } : { ...missing, variable };
    }
    return this.#link(variable, type);
  }

  /** Demands an instance of the class; variables inside the type get the constraint. */
  require(name: TypeClass, type: Type): MissingInstance | null {
    const missing = missingInstance(name, type, this.eqRecords);
    return missing === null ? null : { k: 'instance', class: name, type: missing };
  }

  /** Whether the variable is inside the type; lowers the levels of the variables met. */
  #occurs(variable: TypeVariable, type: Type): boolean {
    this.step();
    const found = resolve(type);
    switch (found.k) {
      case 'var':
        if (found === variable) return true;
        if (found.rigid === null) found.level = Math.min(found.level, variable.level);
        return false;
      case 'named':
        return found.arguments.some((argument) => this.#occurs(variable, argument));
      case 'tuple':
        return found.items.some((item) => this.#occurs(variable, item));
      case 'record':
        return (
          [...found.fields.values()].some((field) => this.#occurs(variable, field)) ||
          (found.rest !== null && this.#occurs(variable, found.rest))
        );
      case 'function':
        lowerRow(found.effects, variable.level);
        return (
          found.parameters.some((parameter) => this.#occurs(variable, parameter)) ||
          this.#occurs(variable, found.result)
        );
    }
  }
}

/** Built-in containers never change: a container of what fits fits. */
function isCovariant({ module, variants }: TypeConstructor): boolean {
  return module === '' && variants.length === 0;
}

/** The same mismatch, seen from the other side. */
function reversed(mismatch: Mismatch): Mismatch {
  switch (mismatch.k) {
    case 'different':
    case 'arity':
      return { ...mismatch, actual: mismatch.expected, expected: mismatch.actual } as Mismatch;
    case 'missing-field':
      return { ...mismatch, k: 'extra-field' };
    case 'extra-field':
      return { ...mismatch, k: 'missing-field' };
    case 'field':
      return { ...mismatch, cause: reversed(mismatch.cause) };
    case 'infinite':
    case 'effects':
    case 'instance':
      return mismatch;
  }
}

function lowerRow(row: Row, level: number): void {
  const lower = (variable: EffectVariable) => {
    if (variable.rigid === null) variable.level = Math.min(variable.level, level);
  };
  for (const variable of resolveRow(row).variables) lower(variable);
}
