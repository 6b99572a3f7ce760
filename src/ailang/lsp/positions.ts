import type { Position, Range } from 'vscode-languageserver-protocol';
import type { Span } from '../syntax/ast.js';
import { lex } from '../syntax/lexer.js';
import type { Source } from '../syntax/source.js';

/** The offset of a place, its line and UTF-16 units counted from 0; one beyond the end of its line is that end. */
export function offsetAt(source: Source, { line, character }: Position): number {
  let start = 0;
  for (let index = 0; index < line; index++) {
    const next = source.text.indexOf('\n', start);
    if (next < 0) return source.text.length;
    start = next + 1;
  }
  const end = source.text.indexOf('\n', start);
  return Math.min(start + character, end < 0 ? source.text.length : end);
}

export function placeAt(source: Source, offset: number): Position {
  const { line } = source.position(offset);
  const start = offset === 0 ? 0 : source.text.lastIndexOf('\n', offset - 1) + 1;
  return { line: line - 1, character: offset - start };
}

export const rangeOf = (source: Source, { start, end }: Span): Range => ({
  start: placeAt(source, start),
  end: placeAt(source, end),
});

/** The token that begins at a diagnostic's line and column, both from 1, columns in code points. */
export function tokenRange(source: Source, line: number, column: number): Range {
  const units = [...source.line(line)].slice(0, column - 1).join('').length;
  const start = offsetAt(source, { line: line - 1, character: units });
  const token = lex(source.text).tokens.find((one) => one.end > start);
  const end = token === undefined || token.start > start ? start : token.end;
  return rangeOf(source, { start, end });
}
