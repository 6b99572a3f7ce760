import type { TypeExpr } from '../../syntax/ast.js';
import type { Reporter } from '../report.js';

/** A label is a small name in snake_case; a type has one label and one `not` (ailang-language 3.3). */
export function reportLabel(reporter: Reporter, type: Extract<TypeExpr, { k: 'label' }>): void {
  const { label, refused } = type;
  const family = refused ? 'PAR_REFINE' : 'PAR_LABEL';
  const start = Math.max(type.start, reporter.source.text.lastIndexOf(label, type.end));
  const shown = (name: string): string => (refused ? `{not ${name}}` : `<${name}>`);
  if (!/^[a-z][a-z0-9_]*$/.test(label)) {
    const snake = label.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
    reporter.error(
      `${family}_NAME`,
      start,
      `\`${label}\` is no flow label: labels are lower-case, in snake_case`,
      `Write ${shown(snake)}.`,
    );
  }
  for (let inner = type.type; inner.k === 'label'; inner = inner.type) {
    if (inner.refused !== refused) continue;
    const what = refused ? 'refuses one label' : 'has one label';
    const message = `a type ${what}: \`${inner.label}\` comes before \`${label}\``;
    reporter.error(`${family}_MULTIPLE`, start, message, `Write ${shown(inner.label)} or ${shown(label)}.`);
    return;
  }
}
