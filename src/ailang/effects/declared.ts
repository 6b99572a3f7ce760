import type { FunctionDeclaration } from '../syntax/ast.js';
import type { EffectUse, Inference } from '../types/inference.js';
import { ghostEffect } from './known.js';
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

/** The body of a lambda with a written row has no other effects. */
export function reportLambdaEffects(c: Inference, written: Row, uses: readonly EffectUse[]): void {
  for (const use of uses) {
    const mismatch = subsumeRow(resolveRow(use.row), written, c.unifier.level);
    if (mismatch === null) continue;
    const effects = mismatch.missing.join(', ');
    const message = `effect checking failed: this function uses ${effects} (by \`${use.by}\`) but its row does not have it`;
    c.reporter.error('TC009', use.start, message, `Add ${effects} to the row after its result type.`);
    return;
  }
}

/** Module-level code runs whenever the module is loaded, which no row declares and no grant covers. */
export function reportModuleEffects(c: Inference, uses: readonly EffectUse[]): void {
  for (const use of uses) {
    const { labels } = resolveRow(use.row);
    const effects = labels.filter((label) => label !== ghostEffect);
    if (effects.length === 0) continue;
    c.reporter.error(
      'TC009',
      use.start,
      `effect checking failed: \`${use.by}\` uses ${effects.join(', ')} outside of a function`,
      `Put it into a function: export func main() -> () ! {${effects.join(', ')}} { … }.`,
    );
    return;
  }
}
