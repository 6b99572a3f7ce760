import { ghostEffect } from './known.js';

export interface EffectVariable {
  readonly id: number;
  level: number;
  link: Row | null;
  /** The name of a variable of a signature, which is never bound. */
  readonly rigid: string | null;
}

/** A set of effects: names (with their parameters, `Rand[mode=seeded]`) and variables. No variables: closed. */
export interface Row {
  readonly labels: readonly string[];
  readonly variables: readonly EffectVariable[];
}

export const emptyRow: Row = { labels: [], variables: [] };

let nextId = 1;

export function freshEffectVariable(level: number, rigid: string | null = null): EffectVariable {
  return { id: nextId++, level, link: null, rigid };
}

export function openRow(level: number): Row {
  return { labels: [], variables: [freshEffectVariable(level)] };
}

/** The row with bound variables replaced; duplicates removed. */
export function resolveRow(row: Row): Row {
  if (row.variables.length === 0) return row;
  const labels = new Set(row.labels);
  const variables = new Set<EffectVariable>();
  const work = [...row.variables];
  const seen = new Set<EffectVariable>();
  for (let variable = work.pop(); variable !== undefined; variable = work.pop()) {
    if (seen.has(variable)) continue;
    seen.add(variable);
    if (variable.link === null) variables.add(variable);
    else {
      for (const label of variable.link.labels) labels.add(label);
      work.push(...variable.link.variables);
    }
  }
  return { labels: [...labels], variables: [...variables] };
}

/** What is missing from a row; null when the rows agree. */
export type RowMismatch = { readonly missing: readonly string[] } | null;

/** Makes two rows equal by binding variables. */
export function unifyRows(left: Row, right: Row, level: number): RowMismatch {
  const { onlyLeft, onlyRight, leftVariables, rightVariables } = difference(left, right);
  const leftFlexible = leftVariables.find((variable) => variable.rigid === null);
  const rightFlexible = rightVariables.find((variable) => variable.rigid === null);
  const leftOthers = leftVariables.filter((variable) => variable !== leftFlexible);
  const rightOthers = rightVariables.filter((variable) => variable !== rightFlexible);
  if (leftFlexible !== undefined && rightFlexible !== undefined) {
    const shared = freshEffectVariable(Math.min(leftFlexible.level, rightFlexible.level, level));
    link(leftFlexible, { labels: onlyRight, variables: [...rightOthers, shared] });
    link(rightFlexible, { labels: onlyLeft, variables: [...leftOthers, shared] });
    return null;
  }
  if (leftFlexible !== undefined) {
    const missing = [...onlyLeft, ...unabsorbed(leftOthers)];
    if (missing.length > 0) return { missing };
    link(leftFlexible, { labels: onlyRight, variables: rightVariables });
    return null;
  }
  if (rightFlexible !== undefined) {
    const missing = [...onlyRight, ...unabsorbed(rightOthers)];
    if (missing.length > 0) return { missing };
    link(rightFlexible, { labels: onlyLeft, variables: leftVariables });
    return null;
  }
  const missing = [...onlyLeft, ...onlyRight, ...names(leftVariables), ...names(rightVariables)];
  return missing.length > 0 ? { missing } : null;
}

/** Makes `actual` fit where `allowed` is expected: it may have fewer effects. */
export function subsumeRow(actual: Row, allowed: Row, level: number): RowMismatch {
  const { onlyLeft, leftVariables, rightVariables } = difference(actual, allowed);
  const rigid = leftVariables.filter((variable) => variable.rigid !== null);
  const flexible = leftVariables.filter((variable) => variable.rigid === null);
  if (onlyLeft.length > 0 || rigid.length > 0) {
    const room = rightVariables.find((variable) => variable.rigid === null);
    if (room === undefined) return { missing: [...onlyLeft, ...names(rigid)] };
    link(room, { labels: onlyLeft, variables: [...rigid, freshEffectVariable(Math.min(room.level, level))] });
  }
  const limit = resolveRow(allowed);
  for (const variable of flexible) if (!limit.variables.includes(variable)) link(variable, limit);
  return null;
}

/** What a variable stands for lives as long as the variable: it may not be generalised before it. */
function link(variable: EffectVariable, row: Row): void {
  for (const other of row.variables) if (other.rigid === null) other.level = Math.min(other.level, variable.level);
  variable.link = row;
}

function difference(left: Row, right: Row) {
  const a = resolveRow(left);
  const b = resolveRow(right);
  return {
    onlyLeft: a.labels.filter((label) => label !== ghostEffect && !b.labels.includes(label)),
    onlyRight: b.labels.filter((label) => label !== ghostEffect && !a.labels.includes(label)),
    leftVariables: a.variables.filter((variable) => !b.variables.includes(variable)),
    rightVariables: b.variables.filter((variable) => !a.variables.includes(variable)),
  };
}

/** Rigid variables nothing can absorb; flexible ones are emptied. */
function unabsorbed(variables: readonly EffectVariable[]): string[] {
  for (const variable of variables) if (variable.rigid === null) variable.link = emptyRow;
  return names(variables.filter((variable) => variable.rigid !== null));
}

function names(variables: readonly EffectVariable[]): string[] {
  return variables.filter((variable) => variable.rigid !== null).map((variable) => variable.rigid ?? '');
}

export function printRow(row: Row, nameOf: (variable: EffectVariable) => string | null, separator = ', '): string {
  const found = resolveRow(row);
  const variables = found.variables.map(nameOf).filter((name) => name !== null);
  return [...[...found.labels].sort(), ...variables].join(separator);
}
