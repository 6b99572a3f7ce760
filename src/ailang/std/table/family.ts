import type { Builtin } from '../types.js';

/** Name, type in AILANG syntax, what it does. */
export type Row = readonly [name: string, type: string, description: string];

/** Rows that share the module exposing them and the effect they perform. */
export function family(module: string, effect: string | null, rows: readonly Row[]): readonly Builtin[] {
  return rows.map(([name, type, description]) => ({ name, module, type, effect, description }));
}
