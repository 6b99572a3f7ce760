import { type Cursor, quote } from './cursor.js';
import { restOfStatement } from './source-text.js';

/** What to write instead: a text, or one made of the tokens after the word. */
type Hint = string | ((c: Cursor) => string);

interface ForeignWord {
  readonly message: string;
  readonly hint: Hint;
  readonly code?: string;
}

const binding = (message: string, code?: string): ForeignWord => ({
  message,
  hint: (c) =>
    c.peek(1).kind === 'name' ? `Write let ${restOfStatement(c, c.peek(1).start)}; a value never changes.` : letHint,
  ...(code === undefined ? {} : { code }),
});
const letHint = 'Write let x = e; every binding is constant, a new value gets a new let.';
const functionWord = (word: string): ForeignWord => ({ message: `there is no ${word}`, hint: functionHint });
const exception = (hint: string): ForeignWord => ({ message: 'there are no exceptions', hint });
const type = (message: string, body: string): ForeignWord => ({
  message,
  hint: (c) => `Write type ${nextName(c, 'Name')} = ${body}.`,
});
const sum = 'A | B(int)';
const headerHint = (c: Cursor): string => `Write module ${c.source.file.replace(/\.ail$/, '')} on the first line.`;
const nothing = 'Remove it: effects run in order and return their value.';

/** Words that begin a statement in other languages. They stay usable as names. */
const words: Readonly<Record<string, ForeignWord>> = {
  for: { message: 'there are no for loops', hint: loopHint },
  foreach: { message: 'there are no loops', hint: loopHint },
  while: {
    message: 'there are no while loops',
    hint: 'Write a recursive function: func loop(n: int) -> int { if n == 0 then 0 else loop(n - 1) }.',
  },
  return: { message: 'there is no return', hint: 'The last expression of a block is its value: remove the word.' },
  const: binding('there is no const', 'PAR014'),
  var: binding('there are no mutable variables'),
  val: binding('there is no val'),
  mut: binding('there are no mutable variables'),
  def: functionWord('def'),
  fn: functionWord('fn'),
  fun: functionWord('fun'),
  function: functionWord('function'),
  lambda: functionWord('lambda'),
  switch: { message: 'there is no switch', hint: 'Write match x { 1 => a, _ => b }.' },
  case: { message: 'there is no case', hint: 'Write match x { pattern => value, _ => other }.' },
  try: exception(
    'Test first: if b == 0 then x else y; or return Result[T, string] and match on Ok(v) and Err(e) where it is called.',
  ),
  throw: exception('Return Err(message) from a function of type Result[T, string].'),
  raise: exception('Return Err(message) from a function of type Result[T, string].'),
  new: { message: 'there is no new', hint: 'Call the constructor: Name(a, b); a record is { field: value }.' },
  async: { message: 'there is no async', hint: nothing },
  await: { message: 'there is no await', hint: nothing },
  do: { message: 'there is no do', hint: 'Write the statements in braces, one a line or separated by `;`.' },
  package: { message: 'a file has no package line', hint: headerHint, code: 'PAR004' },
  namespace: { message: 'a file has no namespace', hint: headerHint, code: 'PAR004' },
  use: { message: 'there is no use', hint: 'Write import std/list (map) at the top of the file.' },
  struct: type('there is no struct', '{ field: int, other: string }'),
  class: type('classes cannot be defined', `{ field: int }, or ${sum}, and functions that take it`),
  interface: type('there are no interfaces', '{ field: int }, and functions that take it'),
  enum: type('there is no enum', sum),
  data: type('there is no data', sum),
  where: { message: 'there is no where', hint: 'Write let name = e in before the expression.' },
  print: { message: 'a call needs parentheses', hint: 'Write print("text").' },
  println: { message: 'a call needs parentheses', hint: 'Write println("text").' },
};

/** Words of other languages that define something, for the names a broken declaration would have given. */
export const definingWords = 'func|let|letrec|type|const|var|val|def|fn|fun|function|struct|class|interface|enum|data';

/** At a name that begins an expression: is it a statement of another language? */
export function refuseForeignWord(c: Cursor): void {
  const { token } = c;
  if (token.kind === 'name' && Object.hasOwn(words, token.text) && beginsStatement(c)) refuse(c, token.text);
}

/** At `const x = e` and the like: reports it; true when the word now stands for `let`. */
export function mendBinding(c: Cursor): boolean {
  const { text, kind } = c.token;
  if (kind !== 'name' || !['const', 'var', 'val', 'mut'].includes(text) || c.peek(1).newline) return false;
  if (c.peek(1).kind !== 'name' || !(c.is('=', 2) || c.is(':', 2))) return false;
  mend(c, text);
  return true;
}

/** At a word that only has to go, as in `return e`: reports it and passes over it; the word, or null. */
export function mendPrefixWord(c: Cursor): string | null {
  const { text, kind } = c.token;
  if (kind !== 'name' || !['return', 'await', 'new', 'do', 'throw', 'raise'].includes(text)) return null;
  if (!beginsStatement(c) && !(text === 'do' && c.is('{', 1))) return null;
  mend(c, text);
  c.advance();
  return text;
}

/** At `print "text"`: reports it; true when the string is the argument of a call. */
export function mendBareCall(c: Cursor): boolean {
  const { text, kind } = c.token;
  if (kind !== 'name' || (text !== 'print' && text !== 'println') || c.peek(1).newline) return false;
  if (c.peek(1).kind !== 'string' && c.peek(1).kind !== 'string-part') return false;
  mend(c, text);
  return true;
}

/** At `for x in xs {` or `while c {`: reports it; true when the loop can be read. */
export function mendLoop(c: Cursor): boolean {
  const { text, kind } = c.token;
  if (kind !== 'name' || c.peek(1).newline) return false;
  const loop =
    text === 'while' || ((text === 'for' || text === 'foreach') && c.peek(1).kind === 'name' && c.is('in', 2));
  if (!loop || !beginsStatement(c)) return false;
  mend(c, text);
  return true;
}

function mend(c: Cursor, word: string): void {
  const { message, hint, code } = words[word] as ForeignWord;
  c.mend(code ?? 'PAR001', c.token, message, typeof hint === 'string' ? hint : hint(c));
}

/** At `class` and other words that define types elsewhere, before their name. */
export function refuseForeignDefinition(c: Cursor): void {
  const { text } = c.token;
  if (c.peek(1).kind === 'name' && Object.hasOwn(words, text)) refuse(c, text);
}

function refuse(c: Cursor, word: string): never {
  const { message, hint, code } = words[word] as ForeignWord;
  return c.fail(code ?? 'PAR001', c.token, message, typeof hint === 'string' ? hint : hint(c));
}

/** The word is followed by what could not follow a name. */
function beginsStatement(c: Cursor): boolean {
  const { text } = c.token;
  const next = c.peek(1);
  if (next.newline) return false;
  switch (next.kind) {
    case 'name':
    case 'string':
    case 'string-part':
    case 'int':
    case 'float':
      return true;
    case 'keyword':
      return !['then', 'else', 'in', 'with', 'and', 'or'].includes(next.text);
    case 'operator':
      if (next.text === '{') return ['try', 'do', 'async'].includes(text);
      return next.text === '(' && ['for', 'while', 'foreach', 'return', 'switch', 'throw'].includes(text);
    default:
      return false;
  }
}

const nextName = (c: Cursor, otherwise: string): string => (c.peek(1).kind === 'name' ? c.peek(1).text : otherwise);

/** `fn name(…)` is a function, `fn x -> e` a lambda. */
function functionHint(c: Cursor): string {
  const names: string[] = [];
  let offset = 1;
  for (; c.peek(offset).kind === 'name' || c.is(',', offset); offset++)
    if (c.peek(offset).kind === 'name') names.push(c.peek(offset).text);
  if (['->', '=>', ':', '.'].some((arrow) => c.is(arrow, offset))) return `Write \\${names.join(' ') || 'x'}. e.`;
  const name = nextName(c, 'name');
  return `Write func ${name}(x: int) -> int { e } at the top level, or let ${name} = \\x. e inside a function.`;
}

/** `for x in xs`, `for (let i = 0; …)`. */
function loopHint(c: Cursor): string {
  const open = c.is('(', 1) ? 2 : 1;
  const name = c.peek(open);
  const others = 'map, filter and foldl make a value';
  if (name.kind === 'name' && (c.is('in', open + 1) || c.isWord('of', open + 1))) {
    const rest = restOfStatement(c, c.peek(open + 2).start).replace(/:$/, '');
    const list = open === 2 ? rest.replace(/\)$/, '') : rest;
    return `Write forEachE(\\${name.text}. e, ${list}), with import std/list (forEachE); ${others}.`;
  }
  return `Write forEachE(\\i. e, range(0, n)), with import std/list (forEachE, range), or a recursive function; ${others}.`;
}

/** After an operand: words that are operators elsewhere. */
export function refuseWordOperator(c: Cursor): void {
  const { token } = c;
  if (token.newline) return;
  if (token.kind === 'keyword' && token.text === 'if')
    c.fail('PAR020', token, 'the condition stands first', 'Write if condition then value else other.');
  if (token.kind === 'name' && token.text === 'where' && c.peek(1).kind === 'name') refuse(c, 'where');
}

const wordOperators: Readonly<Record<string, string>> = {
  and: '&&',
  or: '||',
  mod: '%',
  rem: '%',
  div: '/',
  is: '==',
  xor: '!=',
};

/** The operator a word after an operand means, or null: `and`, `mod`. */
export function wordOperator(c: Cursor): string | null {
  const { kind, text, newline } = c.token;
  if (newline || (kind !== 'name' && kind !== 'keyword') || !Object.hasOwn(wordOperators, text)) return null;
  const next = c.peek(1);
  const operand = ['name', 'int', 'float', 'string', 'string-part'].includes(next.kind) || c.is('(', 1) || c.is('[', 1);
  return kind === 'keyword' || (operand && !next.newline) ? (wordOperators[text] ?? null) : null;
}

export function mendWordOperator(c: Cursor, operator: string): void {
  c.mend('PAR001', c.token, `${quote(c.token.text)} is no operator`, `Write ${quote(operator)}.`);
}
