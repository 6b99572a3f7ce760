import { type Callable, constructorValue, recordClass, type Value } from '../../eval/values.js';

/** Implementations by the name in the table. Each takes the call depth first. */
export type Natives = Readonly<Record<string, Callable>>;

export const none: Value = constructorValue('None', 0);

const wrap1 = (name: string): ((value: Value) => Value) => {
  const make = constructorValue(name, 1) as Callable;
  return (value) => make(0, value);
};

export const some = wrap1('Some');
export const ok = wrap1('Ok');
export const err = wrap1('Err');

/** A record from its fields. */
export function record(fields: Readonly<Record<string, Value>>): Value {
  const names = Object.keys(fields).sort();
  return new (recordClass(names))(...names.map((name) => fields[name]));
}

/** The field of a record value. */
export const field = (value: Value, name: string): Value => (value as unknown as Record<string, Value>)[`$${name}`];
