import { goJson } from '../../policy/go-text.js';
import { parseArguments } from './arguments.js';
import { type Command, printed } from './context.js';
import { referencePage } from './reference.js';
import { languageVersion } from './version.js';

interface Axiom {
  readonly name: string;
  readonly statement: string;
  /** 2 holds everywhere, 1 holds with the gap named, 0 does not hold. */
  readonly score: 0 | 1 | 2;
  readonly gap?: string;
}

/** `axioms [--json]`: what the language promises, and how far this toolchain keeps it. */
export const axiomsCommand: Command = (args) => {
  const { flags } = parseArguments(args, { json: 'boolean' });
  const { axioms } = JSON.parse(referencePage('axioms.json')) as { axioms: readonly Axiom[] };
  const score = axioms.reduce((sum, axiom) => sum + axiom.score, 0);
  const best = axioms.length * 2;
  if (flags.json) return printed(`${goJson({ version: languageVersion, score, best, axioms }, 2)}\n`);
  const marks = ['✗', '◐', '✓'];
  const lines = axioms.map(
    ({ name, statement, score: held }, index) =>
      `${String(index + 1).padStart(2)}. ${marks[held]} ${name.padEnd(24)} ${statement}`,
  );
  const gaps = axioms.flatMap(({ name, gap }) => (gap === undefined ? [] : [`  ${name}: ${gap}`]));
  return printed(
    `AILANG axioms, language level ${languageVersion}\nScore: ${score}/${best}\n\n${lines.join('\n')}\n\nGaps:\n${gaps.join('\n')}\n`,
  );
};
