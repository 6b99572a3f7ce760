import type { Arm, EffectRow, Expr, Name, Parameter, TypeExpr } from './ast.js';
import { type Cursor, quote } from './cursor.js';
import { parseBlock } from './parse-brace.js';
import { parseEffects } from './parse-effects.js';
import { parseBeforeArrow, parseExpr } from './parse-expr.js';
import { parseParameters } from './parse-parameters.js';
import { parsePattern } from './parse-pattern.js';
import { parseType } from './parse-type.js';
import { restOfStatement } from './source-text.js';
import { unknownExpr } from './unknown.js';

export function parseIf(c: Cursor): Expr {
  const start = c.advance().start;
  if (c.is('let'))
    c.fail(
      'PAR001',
      c.token,
      'there is no if let',
      'Write match e { Some(v) => …, _ => … } with the pattern of the let.',
    );
  const condition = parseExpr(c);
  if (!c.is('then')) {
    if (c.is('=')) c.fail('PAR001', c.token, 'equality is `==`', 'Write if a == b then x else y.');
    if (!c.is('{')) c.unexpected('expected `then` after the condition', 'PAR001', 'Write if c then x else y.');
    const message = `expected ${quote('then')} after the condition, found ${quote('{')}`;
    c.mend('PAR001', c.token, message, 'Write if c then { … } else { … }.');
  } else c.advance();
  const then = parseExpr(c);
  if (c.isWord('elif') || c.isWord('elseif') || c.isWord('elsif')) {
    c.mend('PAR001', c.token, `there is no ${quote(c.token.text)}`, 'Write else if c then x else y.');
    return { k: 'if', condition, then, otherwise: parseIf(c), ...c.span(start) };
  }
  if (c.is(';') && c.is('else', 1)) {
    c.mend(
      'PAR001',
      c.token,
      'no `;` before `else`',
      'Remove the `;`, or put several statements in braces: then { a; b } else { c }.',
    );
    c.advance();
  }
  if (!c.is('else')) {
    mendMissingElse(c, start);
    return { k: 'if', condition, then, otherwise: unknownExpr(c.span(start)), ...c.span(start) };
  }
  c.advance();
  const otherwise = parseExpr(c);
  return { k: 'if', condition, then, otherwise, ...c.span(start) };
}

function mendMissingElse(c: Cursor, start: number): void {
  if (elseFollows(c))
    c.unexpected('expected `else`', 'PAR001', 'Several statements in a branch need braces: then { a; b } else { c }.');
  if (c.token.kind === 'illegal') c.unexpected('expected `else`', 'PAR001', 'Write if c then x else y.');
  const hint = c.is('}')
    ? 'Write if c then x else y, with else () when there is nothing to do.'
    : 'Write if c then x else y, with else () when there is nothing to do; what follows is no other branch.';
  c.mend('PAR001', { start }, 'this if has no else', hint);
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

export const patternLet = 'let binds one name and does not take values apart';

/** At `(`, `{` or `[` after `let`. */
export function patternLetHint(c: Cursor): string {
  let offset = 1;
  while (!c.is('=', offset) && offset < 30 && !c.peek(offset).newline) offset++;
  if (c.is('=', offset)) {
    const pattern = c.source.text.slice(c.token.start, c.peek(offset - 1).end);
    const value = restOfStatement(c, c.peek(offset).end);
    const other = c.is('[') ? ', _ => …' : '';
    if (value !== '')
      return `Write match ${value} { ${pattern} => { … }${other} }, with the rest of the block in the arm.`;
  }
  const example = c.is('(')
    ? 'match e { (a, b) => … }'
    : c.is('{')
      ? 'match e { {a, b} => … }, or use e.a'
      : 'match e { [a, ...rest] => …, _ => … }';
  return `Write ${example}.`;
}

/** `let x: T = e`, up to the end of `e`. */
export function parseLetHead(c: Cursor): LetHead {
  const keyword = c.advance();
  const rec = c.isWord('rec') && c.peek(1).kind === 'name';
  if (rec) {
    c.mend('PAR018', c.token, 'a recursive let is one word', `Write letrec ${c.peek(1).text} = …`);
    c.advance();
  }
  if (c.isWord('mut') && c.peek(1).kind === 'name') {
    c.mend(
      'PAR001',
      c.token,
      'there are no mutable variables',
      `Write let ${c.peek(1).text} = …; a new value gets a new let, a loop becomes a recursive function.`,
    );
    c.advance();
  }
  if (c.is('(') || c.is('{') || c.is('[')) {
    c.fail('PAR001', c.token, patternLet, patternLetHint(c));
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
  return { recursive: rec || keyword.text === 'letrec', name, type, value };
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
  if (c.is('with') || c.isWord('of')) {
    const hint = 'Write match x { Some(v) => v, None => 0 }.';
    if (!c.is('{', 1)) c.fail('PAR019', c.token, `match takes no ${quote(c.token.text)}`, hint);
    c.mend('PAR019', c.token, `match takes no ${quote(c.token.text)}`, hint);
    c.advance();
  }
  if (!c.is('{'))
    c.unexpected(
      'expected `{` before the arms of a match',
      'PAR008',
      'Write match x { pattern => value, _ => other }.',
    );
  const opener = c.advance().start;
  const arms: Arm[] = [];
  const told = { bar: false, arrow: false };
  while (!c.is('}')) {
    mendArmBar(c, told);
    arms.push(parseArm(c, told));
    if (c.is(';')) mendArmEnd(c);
    const ended = c.accept(',') || c.at(c.index - 1).text === ';';
    if (!ended && !c.is('}') && !c.is('|') && !c.token.newline) {
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

/** `;` after an arm stands for a comma, or for braces around the statements of the arm. */
function mendArmEnd(c: Cursor): void {
  const hint = 'Write a comma; several statements in one arm need braces: p => { a; b }.';
  c.mend('PAR008', c.token, 'match arms are separated by commas', hint);
  while (c.accept(';') && !armFollows(c)) parseExpr(c);
}

function armFollows(c: Cursor): boolean {
  let depth = 0;
  for (let offset = 0; offset < 60; offset++) {
    if (depth === 0 && (c.is('=>', offset) || c.is('->', offset))) return true;
    if (depth === 0 && ([',', ';', '}'].some((end) => c.is(end, offset)) || c.peek(offset).kind === 'end')) break;
    if (['(', '[', '{'].some((open) => c.is(open, offset))) depth++;
    if ([')', ']', '}'].some((close) => c.is(close, offset))) depth--;
  }
  return c.is('}');
}

/** What has been told of the arms of a match: a mistake they all have is one. */
interface Told {
  bar: boolean;
  arrow: boolean;
}

/** `| pattern => value`, or `case pattern`. */
function mendArmBar(c: Cursor, told: Told): void {
  if (!c.is('|')) return;
  if (!told.bar)
    c.mend(
      'PAR008',
      c.token,
      'a match arm does not begin with `|`',
      'Write match x { Some(v) => v, None => 0 }: arms are separated by commas.',
    );
  told.bar = true;
  c.advance();
}

function parseArm(c: Cursor, told: Told): Arm {
  const start = c.token.start;
  const pattern = parsePattern(c);
  const when = c.isWord('when');
  if (when) c.mend('PAR008', c.token, 'a guard begins with `if`', 'Write pattern if condition => value.');
  if (when) c.advance();
  const guard = when || c.accept('if') ? parseBeforeArrow(c) : null;
  if (c.is(':') && c.peek(1).kind === 'name' && pattern.k === 'name') {
    const hint = `Write ${pattern.name} :: ${c.peek(1).text} => value.`;
    c.fail('PAR008', c.token, 'a list pattern has two colons', hint);
  }
  if (c.is('->') || c.is(':') || c.is('=')) {
    const message = `a match arm uses ${quote('=>')}, not ${quote(c.token.text)}`;
    if (!told.arrow) c.mend('PAR008', c.token, message, 'Write pattern => value.');
    told.arrow = true;
    c.advance();
  } else c.expect('=>', 'after a pattern', 'PAR008', 'Write pattern => value.');
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
  let commas = false;
  while (!c.is('.')) {
    if (c.is('->') || c.is('=>')) {
      c.mend(
        'PAR001',
        c.token,
        `a lambda has ${quote('.')} before its body, not ${quote(c.token.text)}`,
        `Write \\${parameters.map((p) => p.name.text).join(' ')}. e.`,
      );
      break;
    }
    if (c.is(',')) {
      if (!commas) c.mend('PAR001', c.token, 'lambda parameters are separated by spaces', 'Write \\a b. e.');
      commas = true;
      c.advance();
      continue;
    }
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
  if (c.token.kind === 'name') c.fail('PAR001', c.token, nestedFunction, nestedFunctionHint(c.token.text));
  return literalAfter(c, start);
}

export const nestedFunction = 'a function with a name cannot be declared inside another';
export const nestedFunctionHint = (name: string): string =>
  `Declare func ${name} at the top level, or write letrec ${name} = \\x. e.`;

/** A function literal from its parameters on. */
export function literalAfter(c: Cursor, start: number): Expr {
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
