import { lex } from '../../../src/ailang/syntax/lexer.js';
import { parseFile } from '../../../src/ailang/syntax/parse-file.js';
import { Source } from '../../../src/ailang/syntax/source.js';

/** What an operator may be mistaken for. */
const relatives: Readonly<Record<string, readonly string[]>> = {
  '+': ['-', '*'],
  '-': ['+', '*'],
  '*': ['+', '-'],
  '/': ['*', '%'],
  '%': ['/', '+'],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '==': ['!='],
  '!=': ['=='],
  '&&': ['||'],
  '||': ['&&'],
  '<<': ['>>'],
  '>>': ['<<'],
};

export interface Mutant {
  readonly function: string;
  /** `line:column + becomes -`. */
  readonly change: string;
  readonly text: string;
}

/** The module with one operator in the body of one function replaced, for each operator and each of its relatives. */
export function mutantsOf(text: string): readonly Mutant[] {
  const { tokens } = lex(text);
  return parseFile(new Source('m.ail', text)).file.declarations.flatMap((declaration) => {
    if (declaration.k !== 'function') return [];
    const { start, end } = declaration.body;
    const operators = tokens.filter((token) => token.kind === 'operator' && token.start >= start && token.end <= end);
    return operators.flatMap((token) =>
      (relatives[token.text] ?? []).map((other) => {
        const before = text.slice(0, token.start).split('\n');
        return {
          function: declaration.name.text,
          change: `${before.length}:${(before.at(-1)?.length ?? 0) + 1} ${token.text} becomes ${other}`,
          text: text.slice(0, token.start) + other + text.slice(token.end),
        };
      }),
    );
  });
}
