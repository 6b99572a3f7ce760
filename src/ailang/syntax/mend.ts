import type { Expr } from './ast.js';
import { type Cursor, quote } from './cursor.js';
import { indexHint, questionHint } from './foreign-operators.js';
import { mendBareCall, mendLoop, mendPrefixWord } from './foreign-words.js';
import { parseBlock, parseRecord } from './parse-brace.js';
import { parseExpr, prefixPower } from './parse-expr.js';
import { unknownExpr, unknownOf } from './unknown.js';

/**
 * At a name that begins an expression: what other languages write there, read as what it means, so that the rest of
 * the function is checked in the same go. Null when it is nothing of the kind.
 */
export function mendForeignPrefix(c: Cursor): Expr | null {
  const start = c.token.start;
  const word = mendPrefixWord(c);
  if (word === 'return') return parseExpr(c);
  if (word === 'throw' || word === 'raise') return unknownOf([parseExpr(c)], c.span(start));
  if (word !== null) return parseExpr(c, prefixPower);
  if (mendBareCall(c)) {
    const { text, end } = c.advance();
    const callee: Expr = { k: 'name', name: text, start, end };
    return { k: 'call', callee, arguments: [parseExpr(c, prefixPower)], ...c.span(start) };
  }
  if (mendLoop(c)) return loop(c);
  return prefixedString(c) ?? namedRecord(c);
}

/** `for x in xs { … }` checks its body with the items of the list, `while c { … }` like an if. */
function loop(c: Cursor): Expr {
  const word = c.advance();
  const span = () => c.span(word.start);
  if (word.text === 'while') {
    const condition = parseExpr(c);
    const body = loopBody(c);
    return { k: 'block', statements: [{ k: 'expression', value: asIf(condition, body, span()) }], ...span() };
  }
  const name = c.advance();
  c.advance();
  const scrutinee = parseExpr(c);
  const body = loopBody(c);
  const pattern: Extract<Expr, { k: 'match' }>['arms'][number]['pattern'] = {
    k: 'list',
    items: [{ k: 'name', name: name.text, start: name.start, end: name.end }],
    rest: { text: '_', start: name.start, end: name.end },
    start: name.start,
    end: name.end,
  };
  const other = { pattern: { k: 'wildcard', ...span() } as const, guard: null, body: unknownExpr(span()), ...span() };
  return { k: 'match', scrutinee, arms: [{ pattern, guard: null, body, ...span() }, other], ...span() };
}

function loopBody(c: Cursor): Expr {
  if (!c.is('{'))
    c.unexpected('expected the body of the loop', 'PAR001', 'There are no loops: write a recursive function.');
  return parseBlock(c);
}

const asIf = (condition: Expr, then: Expr, span: { start: number; end: number }): Expr => ({
  k: 'if',
  condition,
  then,
  otherwise: unknownExpr(span),
  ...span,
});

/** `f"text"`. */
function prefixedString(c: Cursor): Expr | null {
  const { text, end, start } = c.token;
  const next = c.peek(1);
  if ((next.kind !== 'string' && next.kind !== 'string-part') || next.start !== end) return null;
  const hint = 'Write "text ${e}": a value stands in ${…}.';
  c.mend('PAR001', { start }, `a string has no prefix ${quote(text)}`, hint);
  c.advance();
  return parseExpr(c, prefixPower);
}

/** `User { name: "Ann" }`. */
function namedRecord(c: Cursor): Expr | null {
  const { text } = c.token;
  const brace = c.peek(1);
  if (!/^\p{Lu}/u.test(text) || !c.is('{', 1) || brace.newline || c.peek(2).kind !== 'name' || !c.is(':', 3))
    return null;
  const field = c.peek(2).text;
  c.mend(
    'PAR020',
    brace,
    'a record is written without the name of its type',
    `Write { ${field}: value }; a constructor has parentheses, ${text}({ ${field}: value }).`,
  );
  c.advance();
  return parseRecord(c);
}

const piped = new WeakSet<Expr>();

/** After an operand, where an expression ends: `a |> f`, `x => e`, `c ? x : y`, `e ?? other`; null for anything else. */
export function mendForeignInfix(c: Cursor, left: Expr): Expr | null {
  if (c.is('|') && c.is('>', 1) && c.token.end === c.peek(1).start) {
    const hint = 'Nest the calls: g(f(x)); x |> map(f) is map(f, x).';
    // A pipeline is one mistake, however long.
    if (!piped.has(left)) c.mend('PAR001', c.token, 'there is no pipeline operator', hint);
    c.index += 2;
    const right = parseExpr(c, prefixPower);
    const span = c.span(left.start);
    const given = right.k === 'call' ? right : { k: 'call' as const, callee: right, arguments: [] };
    const call: Expr = { ...given, arguments: [...given.arguments, left], ...span };
    piped.add(call);
    return call;
  }
  if (c.is('=>') && left.k === 'name' && !c.arrowFollows && !c.token.newline) return arrowLambda(c, [left]);
  if (!c.is('?') || c.token.newline) return null;
  const double = c.is('?', 1);
  c.mend('PAR001', c.token, `there is no \`${double ? '??' : '?'}\` operator`, questionHint(c, left));
  c.index += double ? 2 : 1;
  const parts = [left];
  if (double) parts.push(parseExpr(c));
  else if (startsOperand(c)) {
    const then = parseExpr(c);
    if (!c.accept(':')) return unknownOf([left, then], c.span(left.start));
    return { k: 'if', condition: left, then, otherwise: parseExpr(c), ...c.span(left.start) };
  }
  return unknownOf(parts, c.span(left.start));
}

function startsOperand(c: Cursor): boolean {
  return !c.token.newline && c.token.kind !== 'end' && ![';', ')', '}', ']', ',', '.'].some((text) => c.is(text));
}

/** `xs[i]`; the cursor is at the bracket. */
export function mendIndex(c: Cursor, list: Expr): Expr {
  c.mend('PAR001', c.token, 'there is no index operator', indexHint(c));
  c.advance();
  skipTo(c, ']');
  c.accept(']');
  return unknownOf([list], c.span(list.start));
}

/** `(a, b) => e`; the cursor is at the arrow. */
export function arrowLambda(c: Cursor, names: readonly Expr[]): Expr {
  const parameters = names.flatMap((name) =>
    name.k === 'name' ? [{ name: { text: name.name, start: name.start, end: name.end }, type: null }] : [],
  );
  const shown = parameters.map(({ name }) => name.text).join(' ');
  c.mend('PAR001', c.token, 'a lambda is not written with `=>`', `Write \\${shown}. e.`);
  c.advance();
  const body = parseExpr(c);
  const { start } = names[0] ?? body;
  return { k: 'lambda', parameters, result: null, effects: null, body, form: 'backslash', ...c.span(start) };
}

/** On to a closing bracket on this level. */
export function skipTo(c: Cursor, close: string): void {
  for (let depth = 0; c.token.kind !== 'end'; c.index++) {
    if (depth === 0 && c.is(close)) return;
    if (['(', '[', '{', '#['].some((text) => c.is(text))) depth++;
    else if ([')', ']', '}'].some((text) => c.is(text)) && --depth < 0) return;
  }
}
