import { type Cursor, describe, quote } from './cursor.js';
import { refuseForeignPrefix } from './mistakes.js';

const infix: ReadonlySet<string> = new Set('|| && ^ & == != < > <= >= << >> :: ++ + - * / %'.split(' '));

/** At a token that begins no expression. */
export function noPrefix(c: Cursor): never {
  refuseForeignPrefix(c);
  const before = c.peek(-1);
  if (
    c.index > 0 &&
    (c.token.newline || c.token.kind === 'end') &&
    before.kind === 'operator' &&
    infix.has(before.text)
  )
    c.fail(
      'PAR_NO_PREFIX_PARSE',
      before,
      `expected an expression after ${quote(before.text)}, found ${describe(c.token)}`,
      'Write the right operand, or remove the operator.',
    );
  return c.unexpected('expected an expression', 'PAR_NO_PREFIX_PARSE', missingExpression(c));
}

function missingExpression(c: Cursor): string {
  const { kind, text } = c.token;
  if (kind === 'hole-end') return 'Complete the expression inside ${…}.';
  if (kind === 'end') return 'The file ends in the middle of an expression: complete it, and close what is open.';
  if (text === '}' || text === ')' || text === ']') return 'An expression is missing before it; an empty value is ().';
  if (text === 'then' || text === 'else') return 'Write if c then x else y.';
  if (text === 'in') return 'Write let x = e in body.';
  if (text === '.' && c.peek(1).kind === 'int')
    return `A float has digits before its point: write 0.${c.peek(1).text}.`;
  if (text === ',') return 'Remove the comma, or write the missing item before it.';
  if (text === '=>' || text === '->') return 'A lambda is \\x. e, a match arm pattern => value.';
  return kind === 'operator'
    ? 'An operator stands between two expressions: one of them is missing.'
    : 'Write a value, a call or a block here.';
}
