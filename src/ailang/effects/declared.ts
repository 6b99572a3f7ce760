import type { FunctionDeclaration } from '../syntax/ast.js';
import type { EffectUse, Inference } from '../types/inference.js';
import { type Row, resolveRow, subsumeRow } from './row.js';

/** A function may use only the effects of its declared row; names the function, what is missing and the fix. */
export function reportEffects(
  c: Inference,
  declaration: FunctionDeclaration,
  declared: Row,
  uses: readonly EffectUse[],
): void {
  const missing = new Set<string>();
  let first: EffectUse | null = null;
  for (const use of uses) {
    const mismatch = subsumeRow(resolveRow(use.row), declared, c.unifier.level);
    if (mismatch === null) continue;
    first ??= use;
    for (const label of mismatch.missing) missing.add(label);
  }
  if (first === null) return;
  const name = declaration.name.text;
  const wanted = [...new Set([...declared.labels, ...missing])].sort();
  const variables = declaration.effects?.variables.map((variable) => variable.text) ?? [];
  const row = `! {${[...wanted, ...variables.filter((variable) => !missing.has(variable))].join(', ')}}`;
  const effects = [...missing].sort().join(', ');
  const message = `effect checking failed: function \`${name}\` uses ${effects} (by \`${first.by}\`) but ${declaration.effects === null ? 'declares no effects' : 'does not declare it'}`;
  const fix = declaration.pure
    ? `Remove \`pure\` and write ${row} after the result type of ${name}, or keep effects out of it.`
    : `Write ${row} after the result type of ${name}, and the same for its callers.`;
  c.reporter.error('TC009', first.start, message, fix);
}
