import type { Expr } from './ast.js';
import { type Cursor, quote } from './cursor.js';
import { refuseWordOperator } from './foreign-words.js';
import { restOfStatement, textOf } from './source-text.js';

/** At an operator where an operand is expected: two operators that are one elsewhere. */
export function refuseDoubledOperator(c: Cursor): void {
  const { text } = c.token;
  const before = c.index > 0 ? c.peek(-1) : null;
  if (before?.kind !== 'operator' || before.end !== c.token.start) return;
  const pair = `${before.text}${text}`;
  if (pair === '**')
    c.fail('PAR_NO_PREFIX_PARSE', before, 'there is no `**`', 'Use pow(x, y) from std/math, on floats.');
  if (['+=', '-=', '*=', '/=', '%='].includes(pair)) {
    const unequal = pair === '/=' ? 'Inequality is written `!=`. ' : '';
    c.fail(
      'PAR015',
      before,
      `there is no ${quote(pair)}`,
      `${unequal}Values never change: write let y = x + 1 and use y, or pass the new value to a recursive call.`,
    );
  }
  if (pair === '===' || pair === '!==')
    c.fail('PAR_NO_PREFIX_PARSE', before, `there is no ${quote(pair)}`, `Write ${quote(before.text)}.`);
  if (pair === '<>')
    c.fail(
      'PAR_NO_PREFIX_PARSE',
      before,
      'there is no `<>`',
      'Write `!=` for inequality, `++` for lists, "${a}${b}" for strings.',
    );
}

/** `|x| e`. */
export function refuseBarLambda(c: Cursor): void {
  const names: string[] = [];
  let offset = 1;
  for (; c.is('|') && (c.peek(offset).kind === 'name' || c.is(',', offset)); offset++)
    if (c.peek(offset).kind === 'name') names.push(c.peek(offset).text);
  if (c.is('||') || (names.length > 0 && (c.is('|', offset) || c.is(':', offset))))
    c.fail('PAR001', c.token, 'a lambda has no bars', `Write \\${names.join(' ') || '_'}. e.`);
}

/** After `++` with nothing to the right of it: `x++`. */
export function refuseIncrement(c: Cursor): void {
  if (![';', '}', ')', ','].some((end) => c.is(end))) return;
  c.fail(
    'PAR015',
    c.peek(-1),
    'there is no `++` that counts up',
    'Values never change: write let y = x + 1 and use y, or pass x + 1 to a recursive call.',
  );
}

/** At `::` between two names: `Color::Red`. */
export function refusePath(c: Cursor, left: Expr): void {
  const next = c.peek(1);
  if (left.k !== 'name' || next.kind !== 'name') return;
  if (left.end !== c.token.start || c.token.end !== next.start) return;
  if (!/^\p{Lu}/u.test(left.name) || !/^\p{Lu}|^new$/u.test(next.text)) return;
  const hint = next.text === 'new' ? `Call the constructor: ${left.name}(…).` : `Write ${next.text}.`;
  c.fail('PAR001', c.token, 'a constructor is named without its type', hint);
}

/** After an operand: operators of other languages. */
export function refuseForeignInfix(c: Cursor, left: Expr): void {
  refuseWordOperator(c);
  const { token } = c;
  if (token.newline) return;
  if (token.kind !== 'operator') return;
  const next = c.peek(1);
  const { text } = token;
  if (text === '|') refuseBar(c);
  if (text === '$') c.fail('PAR001', token, 'there is no `$` operator', 'Call with parentheses: f(g(x)).');
  if (text === '<-' || (text === ':' && next.text === '=')) {
    const value = text === '<-' ? next : c.peek(2);
    const code = text === '<-' ? 'PAR001' : 'PAR015';
    const hint = `Write let ${textOf(c, left)} = ${restOfStatement(c, value.start)}.`;
    c.fail(code, token, `there is no ${quote(text === '<-' ? '<-' : ':=')}`, hint);
  }
  if (['{', '=>', '->', ':'].includes(text)) refuseForeignFunction(c, left);
}

/** `fn(x) { … }`: the word was read as the name of a function. */
function refuseForeignFunction(c: Cursor, left: Expr): void {
  const callee = left.k === 'call' && left.callee.k === 'name' ? left.callee.name : '';
  if (!['fn', 'fun', 'function', 'lambda', 'def'].includes(callee)) return;
  c.fail(
    'PAR001',
    { start: left.start },
    `there is no ${quote(callee)}`,
    'Write \\x. e, or func(x: int) -> int { e }.',
  );
}

export function indexHint(c: Cursor): string {
  let offset = 1;
  while (c.peek(offset).kind !== 'end' && !c.is(']', offset) && !c.is(':', offset) && offset < 10) offset++;
  if (c.is(':', offset))
    return 'A part of a list is take(n, xs) or drop(n, xs) from std/list, of a string substring(s, from, to) from std/string.';
  const key = c.peek(1);
  if (key.kind === 'string' && c.is(']', 2))
    return `Write r.${key.text} for a record, lookup(m, "${key.text}") from std/map for a Map, get(j, "${key.text}") from std/json for Json.`;
  return 'Use nth(xs, i) from std/list, an Option, or match xs { [x, ...rest] => …, _ => … }; charAt(s, i) from std/string; get(arr, i) from std/array.';
}

/** What `c ? x : y`, `e ?? other` and `e?` are written like. */
export function questionHint(c: Cursor, left: Expr): string {
  if (c.is('?', 1)) return 'Write getOrElse(e, other), with import std/option (getOrElse).';
  const next = c.peek(1);
  const ends = next.newline || [';', ')', '}', '.', ','].some((text) => c.is(text, 1)) || next.kind === 'end';
  if (!ends) return `Write if ${textOf(c, left)} then x else y.`;
  return 'Take the value out: match e { Some(v) => …, None => … } for an Option, match e { Ok(v) => …, Err(m) => … } for a Result.';
}

/** `a | b`; `{ e | field: value }` is an update, and `|>` is read by the expression around. */
function refuseBar(c: Cursor): void {
  const next = c.peek(1);
  if (next.text === '>') return;
  if ((next.kind === 'name' || next.kind === 'string' || next.kind === 'keyword') && c.is(':', 2)) return;
  for (let offset = 1; offset < 12 && !c.peek(offset).newline; offset++) {
    if (c.is('=>', offset))
      c.fail('PAR008', c.token, 'match arms are separated by commas', 'Write match x { Some(v) => v, None => 0 }.');
  }
  c.fail(
    'PAR001',
    c.token,
    'there is no `|` operator',
    'Write `||` between conditions, bitwiseOr(a, b) from std/math for the bits of ints.',
  );
}
