import type { Arm, EffectRow, Expr, Name, Parameter, TypeExpr } from './ast.js';
import { type Cursor, quote } from './cursor.js';
import { parseBlock } from './parse-brace.js';
import { parseEffects } from './parse-effects.js';
import { parseBeforeArrow, parseExpr } from './parse-expr.js';
import { parseParameters } from './parse-parameters.js';
import { parsePattern } from './parse-pattern.js';
import { parseType } from './parse-type.js';

export function parseIf(c: Cursor): Expr {
  const start = c.advance().start;
  const condition = parseExpr(c);
  if (!c.is('then')) {
    if (c.is('{')) c.unexpected('expected `then` after the condition', 'PAR001', 'Write if c then { … } else { … }.');
    if (c.is('=')) c.fail('PAR001', c.token, 'equality is `==`', 'Write if a == b then x else y.');
    c.unexpected('expected `then` after the condition', 'PAR001', 'Write if c then x else y.');
  }
  c.advance();
  const then = parseExpr(c);
  if (c.isWord('elif') || c.isWord('elseif') || c.isWord('elsif')) {
    c.fail('PAR001', c.token, `there is no ${quote(c.token.text)}`, 'Write else if c then x else y.');
  }
  if (c.is(';') && c.is('else', 1)) {
    c.report(
      'PAR001',
      c.token,
      'no `;` before `else`',
      'Remove the `;`, or put several statements in braces: then { a; b } else { c }.',
    );
    c.advance();
  }
  if (!c.is('else')) refuseMissingElse(c, start);
  c.advance();
  const otherwise = parseExpr(c);
  return { k: 'if', condition, then, otherwise, ...c.span(start) };
}

function refuseMissingElse(c: Cursor, start: number): never {
  if (elseFollows(c))
    c.unexpected('expected `else`', 'PAR001', 'Several statements in a branch need braces: then { a; b } else { c }.');
  if (c.token.kind === 'illegal') c.unexpected('expected `else`', 'PAR001', 'Write if c then x else y.');
  const hint = 'Write if c then x else y, with else () when there is nothing to do.';
  return c.fail('PAR001', { start }, 'this if has no else', hint);
}

/** Whether this `if` has its `else` after all, behind more statements. */
function elseFollows(c: Cursor): boolean {
  let depth = 0;
  for (let offset = 0; offset < 400 && c.peek(offset).kind !== 'end'; offset++) {
    if (depth === 0 && c.is('else', offset)) return true;
    if (depth === 0 && c.is('if', offset)) return false;
    if (['(', '[', '{'].some((opener) => c.is(opener, offset))) depth++;
    if ([')', ']', '}'].some((closer) => c.is(closer, offset)) && --depth < 0) return false;
  }
  return false;
}

export interface LetHead {
  readonly recursive: boolean;
  readonly name: Name;
  readonly type: TypeExpr | null;
  readonly value: Expr;
}

/** `let x: T = e`, up to the end of `e`. */
export function parseLetHead(c: Cursor): LetHead {
  const keyword = c.advance();
  if (c.isWord('rec') && c.peek(1).kind === 'name') {
    c.fail('PAR018', c.token, 'a recursive let is one word', `Write letrec ${c.peek(1).text} = …`);
  }
  if (c.isWord('mut') && c.peek(1).kind === 'name') {
    c.fail(
      'PAR001',
      c.token,
      'there are no mutable variables',
      `Write let ${c.peek(1).text} = …; a new value gets a new let, a loop becomes a recursive function.`,
    );
  }
  if (c.is('(') || c.is('{') || c.is('[')) {
    const example = c.is('(')
      ? 'match e { (a, b) => … }'
      : c.is('{')
        ? 'match e { {a, b} => … }, or use e.a'
        : 'match e { [a, ...rest] => …, _ => … }';
    c.fail('PAR001', c.token, 'let binds one name and does not take values apart', `Write ${example}.`);
  }
  const name = c.name('the name of a let binding');
  if (c.is('('))
    c.fail(
      'PAR001',
      c.token,
      'let does not define functions with parameters',
      `Write let ${name.text} = \\x. e, or a top-level func ${name.text}(x: int) -> int { … }.`,
    );
  const type = c.accept(':') ? parseType(c) : null;
  if (c.is('<-')) c.fail('PAR001', c.token, 'there is no `<-`', `Write let ${name.text} = e.`);
  if (c.token.kind === 'name' && type === null)
    c.fail(
      'PAR001',
      c.token,
      `unexpected ${quote(c.token.text)} after the name of a let`,
      `Write let ${name.text} = \\${c.token.text}. e for a function.`,
    );
  c.expect('=', `after ${quote(`let ${name.text}`)}`, 'PAR001', `Write let ${name.text} = e.`);
  const value = parseExpr(c);
  return { recursive: keyword.text === 'letrec', name, type, value };
}

/** `let x = e in body`; without `in` its value is unit. Inside a block the block reads it instead. */
export function parseLet(c: Cursor): Expr {
  const start = c.token.start;
  const head = parseLetHead(c);
  if (c.accept('in')) {
    const body = parseExpr(c);
    return { k: 'let', ...head, body, ...c.span(start) };
  }
  if (c.is(';')) {
    const hint = 'Put the statements in braces: { let x = e; body }, or write let x = e in body.';
    c.fail('PAR001', c.token, 'this let is not in a block, so nothing after the `;` would see it', hint);
  }
  return { k: 'let', ...head, body: { k: 'unit', ...c.span(c.previousEnd) }, ...c.span(start) };
}

export function parseMatch(c: Cursor): Expr {
  const start = c.advance().start;
  const scrutinee = parseExpr(c);
  if (c.is('with') || c.isWord('of'))
    c.fail('PAR019', c.token, `match takes no ${quote(c.token.text)}`, 'Write match x { Some(v) => v, None => 0 }.');
  if (!c.is('{'))
    c.unexpected(
      'expected `{` before the arms of a match',
      'PAR008',
      'Write match x { pattern => value, _ => other }.',
    );
  const opener = c.advance().start;
  const arms: Arm[] = [];
  while (!c.is('}')) {
    arms.push(parseArm(c));
    if (c.is(';'))
      c.fail(
        'PAR008',
        c.token,
        'match arms are separated by commas',
        'Write a comma; several statements in one arm need braces: p => { a; b }.',
      );
    if (!c.accept(',') && !c.is('}') && !c.token.newline) {
      c.unexpected(
        'expected `,` or `}` after a match arm',
        'PAR008',
        'Arms are separated by commas; several statements need braces: p => { a; b }.',
      );
    }
  }
  if (arms.length === 0) c.fail('PAR008', c.token, 'a match needs at least one arm', 'Write match x { _ => value }.');
  c.close('}', opener);
  return { k: 'match', scrutinee, arms, ...c.span(start) };
}

function parseArm(c: Cursor): Arm {
  const start = c.token.start;
  const pattern = parsePattern(c);
  if (c.isWord('when')) c.fail('PAR008', c.token, 'a guard begins with `if`', 'Write pattern if condition => value.');
  const guard = c.accept('if') ? parseBeforeArrow(c) : null;
  if (c.is('->') || c.is(':') || c.is('='))
    c.fail('PAR008', c.token, `a match arm uses ${quote('=>')}, not ${quote(c.token.text)}`, 'Write pattern => value.');
  c.expect('=>', 'after a pattern', 'PAR008', 'Write pattern => value.');
  const body = parseExpr(c);
  return { pattern, guard, body, ...c.span(start) };
}

/** `\x y. e`. */
export function parseLambda(c: Cursor): Expr {
  const start = c.advance().start;
  const parameters: Parameter[] = [];
  const effects: EffectRow | null = null;
  if (c.is('(')) {
    const hint = 'Write \\a b. e for two parameters; to take a tuple apart, \\t. match t { (a, b) => e }.';
    c.fail('PAR001', c.token, 'lambda parameters take no parentheses', hint);
  }
  while (!c.is('.')) {
    if (c.is('->') || c.is('=>')) {
      c.fail(
        'PAR001',
        c.token,
        `a lambda has ${quote('.')} before its body, not ${quote(c.token.text)}`,
        `Write \\${parameters.map((p) => p.name.text).join(' ')}. e.`,
      );
    }
    if (c.is(',')) c.fail('PAR001', c.token, 'lambda parameters are separated by spaces', 'Write \\a b. e.');
    if (c.is(':'))
      c.fail(
        'PAR001',
        c.token,
        'lambda parameters take no type',
        'Write func(x: int) -> int { e } for a function literal with types.',
      );
    parameters.push({ name: c.name('a lambda parameter', 'PAR001', 'Write \\x. e.'), type: null });
  }
  c.advance();
  if (parameters.length === 0)
    c.fail('PAR001', { start }, 'a lambda needs a parameter', 'Write \\_. e, or func() -> T { e }.');
  const body = parseExpr(c);
  return {
    k: 'lambda',
    parameters,
    result: null,
    effects: c.is('!') && c.is('{', 1) ? parseEffects(c) : effects,
    body,
    form: 'backslash',
    ...c.span(start),
  };
}

/** `func(x: int) -> int ! {IO} { e }` or `func(x) => e`. */
export function parseFunctionLiteral(c: Cursor): Expr {
  const start = c.advance().start;
  if (c.token.kind === 'name') {
    const name = c.token.text;
    c.fail(
      'PAR001',
      c.token,
      'a function with a name cannot be declared inside another',
      `Declare func ${name} at the top level, or write letrec ${name} = \\x. e.`,
    );
  }
  if (!c.is('(')) c.unexpected('expected `(` after `func`', 'PAR003', 'Write func(x: int) -> int { e }.');
  const parameters = parseParameters(c);
  if (c.accept('=>')) {
    const body = parseExpr(c);
    return { k: 'lambda', parameters, result: null, effects: null, body, form: 'arrow', ...c.span(start) };
  }
  const result = c.accept('->') ? parseType(c) : null;
  const effects = c.is('!') ? parseEffects(c) : null;
  if (!c.is('{'))
    c.unexpected(
      'expected `{` before the body of a function literal',
      'PAR003',
      c.is('=')
        ? 'A function of the module has a name: func name(x: int) -> int = e.'
        : 'Write func(x: int) -> int { e }.',
    );
  const body = parseBlock(c);
  return { k: 'lambda', parameters, result, effects, body, form: 'func', ...c.span(start) };
}

export function parseForall(c: Cursor): Expr {
  const start = c.advance().start;
  const name = c.name('the variable of forall');
  c.expect(':', 'after the variable of forall', 'PAR007', 'Write forall i: 0..n => p.');
  const low = parseExpr(c);
  c.expect('..', 'between the bounds of forall', 'PAR007', 'Write forall i: 0..n => p.');
  const high = parseBeforeArrow(c);
  c.expect('=>', 'before the body of forall', 'PAR007', 'Write forall i: 0..n => p.');
  const body = parseExpr(c);
  return { k: 'forall', name, low, high, body, ...c.span(start) };
}

export function parseAssert(c: Cursor): Expr {
  const start = c.advance().start;
  const condition = parseExpr(c);
  let message: string | null = null;
  if (c.is(',') && c.peek(1).kind === 'string') {
    c.advance();
    message = c.advance().text;
  }
  return { k: 'assert', condition, message, ...c.span(start) };
}
