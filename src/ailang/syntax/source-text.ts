import type { Cursor } from './cursor.js';

const longest = 60;

/** The text from an offset to the end of the statement's line, for a hint. `(a, b) => e` in it becomes a lambda. */
export function restOfStatement(c: Cursor, start: number): string {
  const rest = /^[^;\n{}]*/.exec(c.source.text.slice(start, start + 80))?.[0].trim() ?? '';
  const [, name, parameters, body] = /^(\w+)\s*=\s*\(?([\w\s,]*)\)?\s*=>\s*(.*)$/.exec(rest) ?? [];
  const text =
    name === undefined ? rest : `${name} = \\${(parameters ?? '').split(/[\s,]+/).join(' ')}. ${body || 'e'}`;
  return shortened(text);
}

/** The text of a part of the program, on one line. */
export function textOf(c: Cursor, { start, end }: { readonly start: number; readonly end: number }): string {
  return shortened(c.source.text.slice(start, Math.min(end, start + 2 * longest)).replace(/\s+/g, ' '));
}

function shortened(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
