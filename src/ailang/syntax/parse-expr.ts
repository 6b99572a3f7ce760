import type { BinaryOperator, Expr } from './ast.js';
import { type Cursor, maxChain, quote } from './cursor.js';
import { refuseBarLambda, refuseForeignInfix, refuseIncrement, refusePath } from './foreign-operators.js';
import { mendWordOperator, wordOperator } from './foreign-words.js';
import { arrowLambda, mendForeignInfix, mendForeignPrefix, mendIndex, skipTo } from './mend.js';
import { refuseForeignPrefix, refuseJuxtaposed } from './mistakes.js';
import { noPrefix } from './no-prefix.js';
import { parseBlockOrRecord } from './parse-brace.js';
import {
  parseAssert,
  parseForall,
  parseFunctionLiteral,
  parseIf,
  parseLambda,
  parseLet,
  parseMatch,
} from './parse-forms.js';
import { unknownExpr } from './unknown.js';

/** Binding power of each infix operator (ailang-language 2.5); only `::` groups to the right. */
const powers: ReadonlyMap<string, number> = new Map([
  ['||', 2],
  ['&&', 3],
  ['^', 5],
  ['&', 6],
  ['==', 7],
  ['!=', 7],
  ['<', 8],
  ['>', 8],
  ['<=', 8],
  ['>=', 8],
  ['<<', 9],
  ['>>', 9],
  ['::', 10],
  ['++', 11],
  ['+', 12],
  ['-', 12],
  ['*', 13],
  ['/', 13],
  ['%', 13],
]);
export const prefixPower = 14;
export const lowestPower = 1;

export function parseExpr(c: Cursor, minimum: number = lowestPower): Expr {
  return c.nested(() => {
    const start = c.token.start;
    let left = postfix(c, parsePrefix(c), start);
    for (let chain = 0; ; chain++) {
      const word = wordOperator(c);
      const symbol = word ?? (c.token.kind === 'operator' ? c.token.text : '');
      if (minimum === lowestPower && chain <= maxChain) {
        const mended = mendForeignInfix(c, left);
        if (mended !== null) {
          left = mended;
          continue;
        }
      }
      const power = powers.get(symbol);
      if (power === undefined || power < minimum) {
        refuseForeignInfix(c, left);
        return left;
      }
      if (chain > maxChain) c.chainLimit();
      if (c.is('::')) refusePath(c, left);
      if (word !== null) mendWordOperator(c, word);
      const operator = c.advance();
      if (symbol === '++') refuseIncrement(c);
      const right = parseExpr(c, symbol === '::' ? power : power + 1);
      left = {
        k: 'binary',
        operator: symbol as BinaryOperator,
        left,
        right,
        operatorStart: operator.start,
        ...c.span(start),
      };
    }
  });
}

/** Calls and field accesses. A `(` on a later line does not continue a call. */
function postfix(c: Cursor, head: Expr, start: number): Expr {
  let expr = head;
  for (let chain = 0; ; chain++) {
    if (chain > maxChain) c.chainLimit();
    if (c.is('(') && !c.token.newline) {
      const args = parseItems(c, ')');
      expr = { k: 'call', callee: expr, arguments: args, ...c.span(start) };
    } else if (c.is('[') && !c.token.newline && c.token.start === c.previousEnd) {
      expr = mendIndex(c, expr);
    } else if (c.is('.')) {
      c.advance();
      if (c.token.kind === 'int')
        c.fail(
          'PAR001',
          c.token,
          'a tuple has no numbered parts',
          'Take it apart with match: match t { (a, b) => a }.',
        );
      const name = c.name('a field name', 'PAR_FIELD_NAME_EXPECTED', 'Write record.field.');
      expr = { k: 'field', base: expr, name, ...c.span(start) };
    } else return expr;
  }
}

/** Bracketed expressions with commas, a trailing comma allowed; the cursor is at the opener. */
export function parseItems(c: Cursor, close: string): Expr[] {
  const opener = c.advance().start;
  const arrowFollows = c.arrowFollows;
  c.arrowFollows = false;
  const items: Expr[] = [];
  while (!c.is(close)) {
    if (c.is('..') || c.is('...'))
      c.fail(
        'PAR001',
        c.token,
        'there is no spread in a list',
        'Write x :: xs for an item before a list, or xs ++ ys.',
      );
    const item = parseExpr(c);
    items.push(item);
    if (c.is('=>') && item.k === 'name') items[items.length - 1] = arrowLambda(c, [item]);
    if (c.is(':') && close === ')')
      c.fail('PAR001', c.token, 'there are no named arguments', 'Give the arguments in order: f(a, b).');
    if (c.is('=') && close === ')')
      c.fail('PAR001', c.token, 'there are no named arguments', 'Give the arguments in order: f(a, b).');
    if (c.is('..') || c.is('...'))
      c.fail(
        'PAR001',
        c.token,
        'there is no range in a list',
        'Write range(a, b), with import std/list (range): b is not part of it.',
      );
    if (c.isWord('for') && close === ']') {
      c.mend(
        'PAR001',
        c.token,
        'there are no list comprehensions',
        'Write map(\\x. e, xs), with import std/list (map); filter(p, xs) keeps some, range(a, b) counts.',
      );
      items[0] = unknownExpr(item);
      skipTo(c, close);
    }
    if (!c.accept(',')) break;
  }
  if (!c.is(close)) refuseJuxtaposed(c);
  c.close(close, opener);
  c.arrowFollows = arrowFollows;
  return items;
}

function parsePrefix(c: Cursor): Expr {
  const token = c.token;
  const start = token.start;
  switch (token.kind) {
    case 'int':
      c.advance();
      return { k: 'int', value: token.int ?? 0n, ...c.span(start) };
    case 'float':
      c.advance();
      return { k: 'float', value: token.float ?? 0, ...c.span(start) };
    case 'string':
      c.advance();
      return { k: 'string', value: token.text, ...c.span(start) };
    case 'string-part':
      return interpolation(c);
    case 'name': {
      const mended = mendForeignPrefix(c);
      if (mended !== null) return mended;
      refuseForeignPrefix(c);
      c.advance();
      return { k: 'name', name: token.text, ...c.span(start) };
    }
    case 'keyword':
      return keywordForm(c, token.text, start);
    case 'operator':
      return operatorForm(c, token.text, start);
    default:
      return noPrefix(c);
  }
}

function keywordForm(c: Cursor, word: string, start: number): Expr {
  switch (word) {
    case 'true':
    case 'false':
      c.advance();
      return { k: 'bool', value: word === 'true', ...c.span(start) };
    case 'if':
      return parseIf(c);
    case 'let':
    case 'letrec':
      return parseLet(c);
    case 'match':
      return parseMatch(c);
    case 'func':
      return parseFunctionLiteral(c);
    case 'forall':
      return parseForall(c);
    case 'assert':
      return parseAssert(c);
    case 'not': {
      c.advance();
      const value = parseExpr(c, prefixPower);
      return { k: 'unary', operator: '!', value, word: true, ...c.span(start) };
    }
    default:
      return noPrefix(c);
  }
}

function operatorForm(c: Cursor, operator: string, start: number): Expr {
  switch (operator) {
    case '-':
    case '!':
    case '~': {
      c.advance();
      const value = parseExpr(c, prefixPower);
      return { k: 'unary', operator, value, word: false, ...c.span(start) };
    }
    case '(':
      return parenthesized(c, start);
    case '[': {
      const items = parseItems(c, ']');
      return { k: 'list', items, ...c.span(start) };
    }
    case '#[': {
      const items = parseItems(c, ']');
      return { k: 'array', items, ...c.span(start) };
    }
    case '{':
      return parseBlockOrRecord(c);
    case '\\':
      return parseLambda(c);
    case '::': {
      c.advance();
      if (!c.is('(')) return noPrefix(c);
      const items = parseItems(c, ')');
      const [left, right] = items;
      if (left === undefined || right === undefined || items.length !== 2) {
        c.fail('PAR001', { start }, '`::` takes a head and a tail', 'Write head :: tail.');
      }
      return { k: 'binary', operator: '::', left, right, operatorStart: start, ...c.span(start) };
    }
    case '|':
    case '||':
      refuseBarLambda(c);
      return noPrefix(c);
    default:
      return noPrefix(c);
  }
}

/** Parses what stands before an `=>` that is not a lambda's: a guard, a bound of forall. */
export function parseBeforeArrow(c: Cursor): Expr {
  const outer = c.arrowFollows;
  c.arrowFollows = true;
  const expr = parseExpr(c);
  c.arrowFollows = outer;
  return expr;
}

function parenthesized(c: Cursor, start: number): Expr {
  c.advance();
  if (c.accept(')')) return { k: 'unit', ...c.span(start) };
  const arrowFollows = c.arrowFollows;
  c.arrowFollows = false;
  const first = parseExpr(c);
  if (c.is(':'))
    c.fail(
      'PAR001',
      c.token,
      'an expression takes no type annotation',
      'Annotate a let (let x: int = e) or a function parameter.',
    );
  if (c.is(')')) {
    c.advance();
    c.arrowFollows = arrowFollows;
    if (c.is('=>') && first.k === 'name' && !arrowFollows) return arrowLambda(c, [first]);
    return first;
  }
  if (!c.is(',')) c.close(')', start);
  const items = [first];
  while (c.accept(',')) {
    if (c.is(')')) break;
    items.push(parseExpr(c));
  }
  c.close(')', start);
  c.arrowFollows = arrowFollows;
  if (c.is('=>') && !arrowFollows && items.every((item) => item.k === 'name')) return arrowLambda(c, items);
  return { k: 'tuple', items, ...c.span(start) };
}

function interpolation(c: Cursor): Expr {
  const start = c.token.start;
  const parts: (string | Expr)[] = [];
  while (c.token.kind !== 'string-end') {
    const token = c.advance();
    if (token.kind === 'string-part') {
      if (token.text !== '') parts.push(token.text);
    } else if (token.kind === 'hole') {
      if (c.peek(0).kind === 'hole-end')
        c.fail(
          'PAR001',
          token,
          'this interpolation hole is empty',
          'Put an expression between the braces, or write \\${ for the characters themselves.',
        );
      parts.push(parseExpr(c));
      if (c.peek(0).kind !== 'hole-end')
        c.unexpected(
          `expected ${quote('}')} to close the interpolation hole`,
          'PAR002',
          'One expression stands between ${ and }: close it before this, or complete the expression.',
        );
      c.advance();
    } else {
      c.index--;
      return c.unexpected('expected the rest of an interpolated string', 'PAR002', 'Close the string with ".');
    }
  }
  c.advance();
  return { k: 'interpolation', parts, ...c.span(start) };
}

/** Whether a token can begin an expression that cannot be the continuation of the one before it. */
export function startsStatement(c: Cursor): boolean {
  const token = c.token;
  switch (token.kind) {
    case 'name':
    case 'int':
    case 'float':
    case 'string':
    case 'string-part':
      return true;
    case 'keyword':
      return ['let', 'letrec', 'if', 'match', 'true', 'false', 'not', 'func', 'forall', 'assert'].includes(token.text);
    case 'operator':
      return ['(', '[', '#[', '{', '\\', '!', '~'].includes(token.text);
    default:
      return false;
  }
}
