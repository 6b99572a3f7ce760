import { type EffectVariable, emptyRow, freshEffectVariable, type Row, resolveRow } from '../effects/row.js';
import { intType, resolve, type Scheme, type Type, type TypeVariable } from './type.js';
import type { Unifier } from './unify.js';

export function monomorphic(type: Type): Scheme {
  return { type, variables: [], effectVariables: [] };
}

/** The scheme's type with fresh variables. `opened`: a closed effect row may grow, for a function used as a value. */
export function instantiate(
  scheme: Scheme,
  unifier: Unifier,
  opened = false,
  note: (variable: TypeVariable, fresh: TypeVariable) => void = () => {},
): Type {
  const substitution = new Map<TypeVariable, Type>();
  const effects = new Map<EffectVariable, EffectVariable>();
  for (const variable of scheme.variables) {
    const fresh = unifier.fresh();
    for (const name of variable.classes) fresh.classes.add(name);
    substitution.set(variable, fresh);
    note(variable, fresh);
  }
  for (const variable of scheme.effectVariables) {
    unifier.step();
    effects.set(variable, freshEffectVariable(unifier.level));
  }
  const type =
    substitution.size + effects.size === 0 ? scheme.type : substitute(scheme.type, substitution, effects, unifier);
  const found = resolve(type);
  if (!opened || found.k !== 'function') return type;
  const row = resolveRow(found.effects);
  return {
    ...found,
    effects: { labels: row.labels, variables: [...row.variables, freshEffectVariable(unifier.level)] },
  };
}

export function substitute(
  type: Type,
  types: ReadonlyMap<TypeVariable, Type>,
  effects: ReadonlyMap<EffectVariable, EffectVariable>,
  unifier: Unifier,
): Type {
  unifier.step();
  if (type.k === 'label') return { ...type, type: substitute(type.type, types, effects, unifier) };
  const found = resolve(type);
  const again = (part: Type) => substitute(part, types, effects, unifier);
  switch (found.k) {
    case 'var':
      return types.get(found) ?? found;
    case 'named':
      return found.arguments.length === 0 ? found : { ...found, arguments: found.arguments.map(again) };
    case 'tuple':
      return { k: 'tuple', items: found.items.map(again) };
    case 'record':
      return {
        k: 'record',
        fields: new Map([...found.fields].map(([name, field]) => [name, again(field)])),
        rest: found.rest === null ? null : again(found.rest),
      };
    case 'function':
      return {
        k: 'function',
        parameters: found.parameters.map(again),
        result: again(found.result),
        effects: substituteRow(found.effects, effects),
      };
  }
}

function substituteRow(row: Row, effects: ReadonlyMap<EffectVariable, EffectVariable>): Row {
  if (row.variables.length === 0) return row;
  const found = resolveRow(row);
  return { labels: found.labels, variables: found.variables.map((variable) => effects.get(variable) ?? variable) };
}

/** Quantifies the variables that belong to deeper levels than the current one. Literals are defaulted first. */
export function generalize(type: Type, unifier: Unifier): Scheme {
  const variables = new Set<TypeVariable>();
  const effectVariables = new Set<EffectVariable>();
  collect(type, variables, effectVariables, unifier);
  const kept = [...variables].filter((variable) => {
    if (variable.level <= unifier.level || variable.rigid !== null) return false;
    if (variable.literal) variable.link = intType;
    return !variable.literal;
  });
  for (const variable of kept) variable.quantified = true;
  mergeLoneEffects(type, unifier);
  const keptEffects = [...effectVariables].filter(
    (variable) => variable.level > unifier.level && variable.rigid === null && variable.link === null,
  );
  return { type, variables: kept, effectVariables: keptEffects };
}

/**
 * Variables of one row that stand nowhere else are together as general as one of them: the others are emptied, or
 * functions made of functions would double them at every step.
 */
function mergeLoneEffects(type: Type, unifier: Unifier): void {
  const rows: Row[] = [];
  collectRows(type, rows, unifier);
  const uses = new Map<EffectVariable, number>();
  for (const { variables } of rows) for (const variable of variables) uses.set(variable, (uses.get(variable) ?? 0) + 1);
  for (const { variables } of rows) {
    const lone = variables.filter(
      (variable) => uses.get(variable) === 1 && variable.rigid === null && variable.level > unifier.level,
    );
    for (const variable of lone.slice(1)) variable.link = emptyRow;
  }
}

function collectRows(type: Type, rows: Row[], unifier: Unifier): void {
  unifier.step();
  const found = resolve(type);
  const parts =
    found.k === 'named'
      ? found.arguments
      : found.k === 'tuple'
        ? found.items
        : found.k === 'record'
          ? [...found.fields.values(), ...(found.rest === null ? [] : [found.rest])]
          : found.k === 'function'
            ? [...found.parameters, found.result]
            : [];
  if (found.k === 'function') rows.push(resolveRow(found.effects));
  for (const part of parts) collectRows(part, rows, unifier);
}

/** Every unbound variable of the type, rigid ones too. */
export function collect(
  type: Type,
  variables: Set<TypeVariable>,
  effects: Set<EffectVariable>,
  unifier: Unifier,
): void {
  unifier.step();
  const found = resolve(type);
  switch (found.k) {
    case 'var':
      variables.add(found);
      return;
    case 'named':
      for (const argument of found.arguments) collect(argument, variables, effects, unifier);
      return;
    case 'tuple':
      for (const item of found.items) collect(item, variables, effects, unifier);
      return;
    case 'record':
      for (const field of found.fields.values()) collect(field, variables, effects, unifier);
      if (found.rest !== null) collect(found.rest, variables, effects, unifier);
      return;
    case 'function':
      for (const parameter of found.parameters) collect(parameter, variables, effects, unifier);
      collect(found.result, variables, effects, unifier);
      for (const variable of resolveRow(found.effects).variables) effects.add(variable);
  }
}

/** Arithmetic whose operands nothing decided is on ints. */
export function defaultNumber(type: Type): void {
  const found = resolve(type);
  if (found.k === 'var' && found.rigid === null && !found.quantified && found.classes.has('Num')) found.link = intType;
}
