import type { Expr } from './ast.js';
import { type Cursor, quote } from './cursor.js';

/** Words that begin a statement in other languages: [message, suggestion, code]. They stay usable as names. */
const foreignStatements: Readonly<Record<string, readonly [string, string, string?]>> = {
  for: [
    'there are no for loops',
    'Use map, filter or foldl from std/list, forEachE for effects, or a recursive function.',
  ],
  while: [
    'there are no while loops',
    'Write a recursive function: func loop(n: int) -> int { if n == 0 then 0 else loop(n - 1) }.',
  ],
  foreach: ['there are no loops', 'Use forEachE from std/list: forEachE(\\x. println(show(x)), xs).'],
  return: ['there is no return', 'The last expression of a block is its value: remove the word.'],
  const: ['there is no const', 'Write let x = e; every binding is constant.', 'PAR014'],
  var: ['there are no mutable variables', 'Write let x = e; a new value gets a new let.'],
  val: ['there is no val', 'Write let x = e.'],
  mut: ['there are no mutable variables', 'Write let x = e; a new value gets a new let.'],
  def: ['there is no def', 'Write func name(x: int) -> int { e } at the top level, or let name = \\x. e.'],
  fn: ['there is no fn', 'Write func name(x: int) -> int { e } at the top level, or \\x. e.'],
  fun: ['there is no fun', 'Write func name(x: int) -> int { e } at the top level, or \\x. e.'],
  function: ['there is no function', 'Write func name(x: int) -> int { e } at the top level, or \\x. e.'],
  lambda: ['there is no lambda', 'Write \\x. e.'],
  switch: ['there is no switch', 'Write match x { 1 => a, _ => b }.'],
  case: ['there is no case', 'Write match x { pattern => value, _ => other }.'],
  try: ['there are no exceptions', 'Return Result[T, string] and match on Ok(v) and Err(e).'],
  throw: ['there are no exceptions', 'Return Err(message) from a function of type Result[T, string].'],
  raise: ['there are no exceptions', 'Return Err(message) from a function of type Result[T, string].'],
  new: ['there is no new', 'Call the constructor: Name(a, b); a record is { field: value }.'],
  async: ['there is no async', 'Remove it: effects run in order and return their value.'],
  await: ['there is no await', 'Remove it: effects run in order and return their value.'],
  do: ['there is no do', 'Write the statements in braces, one a line or separated by `;`.'],
  use: ['there is no use', 'Write import std/list (map) at the top of the file.'],
  struct: ['there is no struct', 'Write type Name = { field: int, other: string }.'],
  enum: ['there is no enum', 'Write type Name = A | B(int).'],
  interface: ['there are no interfaces', 'Write a record type, or a function parameter.'],
  data: ['there is no data', 'Write type Name = A | B(int).'],
  where: ['there is no where', 'Use let … in before the expression.'],
  print: ['a call needs parentheses', 'Write print("text").'],
  println: ['a call needs parentheses', 'Write println("text").'],
};

/** At a name or a token that begins no expression: recognises statements of other languages. */
export function refuseForeignPrefix(c: Cursor): void {
  const token = c.token;
  if (token.kind === 'name' && Object.hasOwn(foreignStatements, token.text)) {
    const entry = foreignStatements[token.text];
    const next = c.peek(1);
    const callLike =
      next.kind === 'operator' &&
      next.text === '(' &&
      ['for', 'while', 'foreach', 'return', 'switch', 'throw'].includes(token.text);
    const block = next.kind === 'operator' && next.text === '{' && ['try', 'do', 'async'].includes(token.text);
    const word =
      next.kind === 'name' ||
      next.kind === 'string' ||
      next.kind === 'string-part' ||
      next.kind === 'int' ||
      next.kind === 'float';
    const keyword = next.kind === 'keyword' && !['then', 'else', 'in', 'with', 'and', 'or'].includes(next.text);
    if (entry !== undefined && !next.newline && (word || keyword || callLike || block)) {
      const [message, general, code] = entry;
      const hint =
        ['const', 'var', 'val', 'mut'].includes(token.text) && next.kind === 'name'
          ? `Write let ${restOfStatement(c, next.start)}; a value never changes.`
          : general;
      c.fail(code ?? 'PAR001', token, message, hint);
    }
  }
  if (token.kind === 'keyword') refuseReserved(c);
  if (token.kind === 'operator') refuseForeignOperator(c);
}

function refuseReserved(c: Cursor): void {
  const { text } = c.token;
  if (text === 'then' || text === 'else' || text === 'in') return;
  if (text === 'class' || text === 'instance') {
    c.fail(
      'PAR001',
      c.token,
      'there are no user-defined classes',
      'Write type Name = { … } and functions that take a Name.',
    );
  }
  if (text === 'and' || text === 'or') return;
  if (text === 'type' || text === 'import' || text === 'module' || text === 'export' || text === 'pure') {
    c.fail(
      'PAR001',
      c.token,
      `${quote(text)} stands at the top level only`,
      'Move it out of the function, and check that every `{` before it is closed.',
    );
  }
  const next = c.peek(1);
  if (next.kind === 'operator' && ['(', '=', ',', ')', ';', '.', '}', '+', ':'].includes(next.text)) {
    c.fail(
      'PAR012',
      c.token,
      `${quote(text)} is a reserved word and cannot be a name`,
      `Choose another name, such as ${quote(`${text}_`)}.`,
    );
  }
}

function refuseForeignOperator(c: Cursor): void {
  const { text } = c.token;
  const before = c.index > 0 ? c.peek(-1) : null;
  if (before?.kind !== 'operator') return;
  const pair = `${before.text}${text}`;
  if (before.end !== c.token.start) return;
  if (pair === '**')
    c.fail('PAR_NO_PREFIX_PARSE', before, 'there is no `**`', 'Use pow(x, y) from std/math, on floats.');
  if (['+=', '-=', '*=', '/=', '%='].includes(pair)) {
    c.fail(
      'PAR015',
      before,
      `there is no ${quote(pair)}`,
      'Values never change: write let y = x + 1 and use y, or pass the new value to a recursive call.',
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

/** After an operand (or an infix operator just read): recognises operators of other languages. */
export function refuseForeignInfix(c: Cursor, left: Expr): void {
  const token = c.token;
  if (token.kind === 'keyword' && (token.text === 'and' || token.text === 'or')) {
    const instead = token.text === 'and' ? '&&' : '||';
    c.fail('PAR001', token, `${quote(token.text)} is no operator`, `Write ${quote(instead)}.`);
  }
  if (token.kind !== 'operator' || token.newline) return;
  const callee = left.k === 'call' && left.callee.k === 'name' ? left.callee.name : '';
  if (['fn', 'fun', 'function', 'lambda', 'def'].includes(callee) && ['{', '=>', '->', ':'].includes(token.text)) {
    c.fail(
      'PAR001',
      { start: left.start },
      `there is no ${quote(callee)}`,
      'Write \\x. e, or func(x: int) -> int { e }.',
    );
  }
  const next = c.peek(1);
  const text = token.text;
  if (
    text === '[' &&
    c.index > 0 &&
    c.peek(-1).end === token.start &&
    (left.k === 'name' || left.k === 'field' || left.k === 'call')
  ) {
    c.fail(
      'PAR001',
      token,
      'there is no index operator',
      'Use nth(xs, i) from std/list, an Option, or match xs { [x, ...rest] => … }; get(arr, i) from std/array.',
    );
  }
  if (text === '?')
    c.fail(
      'PAR001',
      token,
      'there is no `?` operator',
      'Write if c then x else y; for a Result, match e { Ok(v) => …, Err(m) => … }.',
    );
  if (text === '|' && next.text === '>' && token.end === next.start)
    c.fail('PAR001', token, 'there is no pipeline operator', 'Nest the calls: g(f(x)).');
  if (text === '$') c.fail('PAR001', token, 'there is no `$` operator', 'Call with parentheses: f(g(x)).');
  if (text === ':' && next.text === '=') c.fail('PAR015', token, 'there is no `:=`', 'Write let x = e.');
  if (text === '<-') c.fail('PAR001', token, 'there is no `<-`', 'Write let x = e.');
}

/** After a statement: `x = 1` without let. */
export function refuseAssignment(c: Cursor): void {
  if (!c.is('=')) {
    const name = c.peek(-1);
    if (c.is('=>') && name.kind === 'name')
      c.fail('PAR001', c.token, 'a lambda is not written with `=>`', `Write \\${name.text}. e.`);
    if (c.is('->') || c.is('=>')) {
      c.fail(
        'PAR001',
        c.token,
        `${quote(c.token.text)} does not belong here`,
        'A lambda is \\x. e, a match arm pattern => value, inside match e { … }.',
      );
    }
    return;
  }
  const before = c.peek(-1);
  const start = c.peek(-2);
  const plain = before.kind === 'name' && (start.text === ';' || start.text === '{' || before.newline);
  const hint = plain
    ? `Write let ${restOfStatement(c, before.start)}; a value never changes, a new value gets a new let.`
    : 'Values never change: bind a new name with let, or write { r | field: value } for a changed record.';
  c.fail('PAR015', plain ? before : c.token, 'this is an assignment, which does not exist', hint);
}

/** The text from an offset to the end of the statement's line, for a suggestion. */
function restOfStatement(c: Cursor, start: number): string {
  const rest = /^[^;\n{}]*/.exec(c.source.text.slice(start, start + 80))?.[0].trim() ?? '';
  return rest.length > 60 ? `${rest.slice(0, 60)}…` : rest;
}
