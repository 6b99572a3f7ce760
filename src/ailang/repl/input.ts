import { lex } from '../syntax/lexer.js';
import { parseFile } from '../syntax/parse-file.js';
import { Source } from '../syntax/source.js';

const openers = new Set(['(', '[', '{', '#[']);
const closers = new Set([')', ']', '}']);
const commands = ['type', 'help', 'quit', 'list', 'reset'] as const;

/** One thing that was entered. */
export type Input =
  | { readonly k: 'empty' }
  | { readonly k: 'command'; readonly name: (typeof commands)[number]; readonly argument: string }
  | { readonly k: 'unknown command'; readonly name: string }
  | { readonly k: 'code'; readonly text: string };

/** Whether more lines must follow: something is open, or the text ends where it cannot. */
export function isUnfinished(text: string): boolean {
  if (text.trim() === '' || text.trimStart().startsWith(':')) return false;
  const source = new Source('repl', text);
  const { tokens } = lex(source.text);
  let depth = 0;
  for (const { kind, text: word } of tokens) {
    if (kind !== 'operator') continue;
    if (openers.has(word)) depth++;
    else if (closers.has(word)) depth--;
  }
  if (depth > 0) return true;
  const end = source.position(tokens.at(-1)?.start ?? 0);
  // An error about what follows an operator stands at the operator, and says what it met.
  return parseFile(source).diagnostics.some(
    ({ position, message }) =>
      message.endsWith('found the end of the file') ||
      (position !== null && position.line === end.line && position.column === end.column),
  );
}

/** Commands begin with a colon and may be shortened: `:q`. */
export function readInput(text: string): Input {
  const trimmed = text.trim();
  if (trimmed === '') return { k: 'empty' };
  if (!trimmed.startsWith(':')) return { k: 'code', text: trimmed };
  const [, word = '', argument = ''] = /^:\s*(\S*)\s*([\s\S]*)$/.exec(trimmed) ?? [];
  const name = commands.find((command) => word !== '' && command.startsWith(word));
  return name === undefined ? { k: 'unknown command', name: word } : { k: 'command', name, argument };
}
