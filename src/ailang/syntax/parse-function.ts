import type {
  Attribute,
  Expr,
  ExternDeclaration,
  FunctionDeclaration,
  InlineProperty,
  InlineTest,
  Parameter,
  PropertyDeclaration,
  Statement,
  TestDeclaration,
} from './ast.js';
import { type Cursor, describe, quote } from './cursor.js';
import { refuseAssignment, refuseJuxtaposed } from './mistakes.js';
import { parseBlock, parseStatement } from './parse-brace.js';
import { parseEffects } from './parse-effects.js';
import { parseExpr, startsStatement } from './parse-expr.js';
import { parseParameters } from './parse-parameters.js';
import { parseType, refuseUnion } from './parse-type.js';
import { parseTypeParameters } from './parse-type-declaration.js';
import { restOfStatement } from './source-text.js';

interface FunctionStart {
  readonly start: number;
  readonly attributes: readonly Attribute[];
  readonly exported: boolean;
  readonly pure: boolean;
}

export function parseFunction(c: Cursor, begin: FunctionStart): FunctionDeclaration {
  c.advance();
  const name = c.name('a function name', 'PAR003', 'Write func name(x: int) -> int { e }.');
  if (c.is('<'))
    c.fail(
      'PAR_TYPE_ARGUMENTS',
      c.token,
      'type parameters are written in square brackets',
      `Write func ${name.text}[a](x: a) -> a.`,
    );
  const typeParameters = c.is('[') ? parseTypeParameters(c) : [];
  if (!c.is('('))
    c.unexpected(
      `expected ${quote('(')} after ${quote(`func ${name.text}`)}`,
      'PAR003',
      `Write func ${name.text}() -> int { e }, or func ${name.text}(x: int) -> int { e }.`,
    );
  const parameters = parseParameters(c);
  const colon = c.is(':');
  if (colon) {
    const hint = `Write func ${name.text}(…) -> int { e }.`;
    c.mend('PAR009', c.token, 'the result type follows `->`, not `:`', hint);
    c.advance();
  }
  const result = colon || c.accept('->') ? parseType(c) : null;
  refuseUnion(c);
  const effects = c.is('!') ? parseEffects(c) : null;
  if (c.is('->'))
    c.fail(
      'PAR010',
      c.token,
      'the result type stands before the effects',
      `Write func ${name.text}(…) -> int ! {IO}, first the result type, then the effects.`,
    );
  const requires = c.is('requires') ? predicates(c) : null;
  const ensures = c.is('ensures') ? predicates(c) : null;
  if (c.is('requires'))
    c.fail(
      'PAR010',
      c.token,
      'requires comes before ensures',
      'Put the requires clause first; each clause at most once.',
    );
  const tests = c.is('tests') ? inlineTests(c, parameters.length) : null;
  const properties = c.is('properties') ? inlineProperties(c) : null;
  if (c.is('tests'))
    c.fail('PAR013', c.token, 'tests comes before properties', 'Put the tests clause first; each clause at most once.');
  const equation = c.is('=');
  const body = functionBody(c, name.text);
  return {
    k: 'function',
    ...begin,
    name,
    typeParameters,
    parameters,
    result,
    effects,
    requires,
    ensures,
    tests,
    properties,
    body,
    equation,
    ...c.span(begin.start),
  };
}

function functionBody(c: Cursor, name: string): Expr {
  if (c.is('{')) return parseBlock(c);
  if (c.is('=>')) {
    const hint = `Write func ${name}(…) -> int = e.`;
    c.mend('PAR010', c.token, 'a function body is `{ … }` or `= e`, not `=> e`', hint);
    c.advance();
    return equationBody(c);
  }
  if (c.accept('=')) return equationBody(c);
  if (c.is('requires') || c.is('ensures'))
    c.fail(
      'PAR010',
      c.token,
      `${quote(c.token.text)} is out of place`,
      'The order is: effects, requires, ensures, tests, properties, body; each at most once.',
    );
  if (c.is('with') || c.isWord('where') || c.isWord('uses'))
    c.fail(
      'PAR010',
      c.token,
      `${quote(c.token.text)} has no place in a function head`,
      'Effects are written ! {IO} after the result type.',
    );
  if (c.token.kind === 'name' && !c.token.newline)
    c.unexpected('expected `->` before the result type', 'PAR010', `Write func ${name}(…) -> ${c.token.text} { e }.`);
  return c.unexpected(
    'expected the body of the function',
    'PAR010',
    `Write func ${name}(…) -> int { e } or func ${name}(…) -> int = e; effects stand before the body: ! {IO}.`,
  );
}

/** `= e; e`, up to the next declaration. */
function equationBody(c: Cursor): Expr {
  const start = c.token.start;
  const statements: Statement[] = [parseStatement(c)];
  while (c.is(';')) {
    while (c.accept(';'));
    if (endsEquation(c)) break;
    statements.push(parseStatement(c));
  }
  const [only] = statements;
  if (only?.k === 'let' && statements.length === 1 && c.token.newline && startsStatement(c) && !endsEquation(c)) {
    const hint = `Put the body in braces { … }, or write let ${only.name.text} = … in before the next line.`;
    c.fail('PAR017', c.token, 'a body of several statements needs braces', hint);
  }
  if (!c.token.newline && c.token.kind !== 'end' && !endsEquation(c)) {
    refuseAssignment(c);
    refuseJuxtaposed(c);
    if (startsStatement(c))
      c.unexpected(
        'expected `;` between two statements on one line',
        'PAR020',
        'Put the body in braces and separate its statements with `;` or line breaks.',
      );
    const closer = [')', ']', '}'].find((text) => c.is(text));
    if (closer !== undefined)
      c.fail('PAR001', c.token, `this ${quote(closer)} closes nothing`, 'Remove it, or add the missing opener before.');
    c.unexpected(
      'expected the end of the function body',
      'PAR001',
      'The body after `=` is one expression; put several statements in braces: { a; b }.',
    );
  }
  if (only?.k === 'expression' && statements.length === 1) return only.value;
  return { k: 'block', statements, ...c.span(start) };
}

function endsEquation(c: Cursor): boolean {
  if (c.token.kind === 'end') return true;
  if (c.is('func')) return c.peek(1).kind === 'name';
  if (['export', 'type', 'import', 'extern', 'pure', '@'].some((word) => c.is(word))) return true;
  return (c.is('test') || c.is('property')) && c.peek(1).kind === 'string';
}

/** The boolean clauses of requires and ensures. */
function predicates(c: Cursor): Expr[] {
  const keyword = c.advance();
  const example = `Write ${keyword.text} { x > 0, y > 0 }.`;
  if (!c.is('{')) {
    const message = `expected ${quote('{')} after ${quote(keyword.text)}, found ${describe(c.token)}`;
    const clause = restOfStatement(c, c.token.start);
    c.mend('PAR_CONTRACT_INVALID_PRED', c.token, message, `Write ${keyword.text} { ${clause} }.`);
    return [parseExpr(c)];
  }
  const opener = c.advance().start;
  const found: Expr[] = [];
  while (!c.is('}')) {
    found.push(parseExpr(c));
    if (c.is(';')) c.fail('PAR_CONTRACT_INVALID_PRED', c.token, 'clauses are separated by commas', example);
    if (!c.accept(',')) break;
  }
  if (!c.is('}')) {
    const from = c.source.position(opener);
    c.unexpected(
      `expected ${quote('}')} to close the clause opened at line ${from.line}:${from.column}`,
      'PAR_CONTRACT_UNCLOSED',
      example,
    );
  }
  c.advance();
  return found;
}

function inlineTests(c: Cursor, arity: number): InlineTest[] {
  c.advance();
  const example =
    arity > 1
      ? 'Write tests [((1, 2), 3)]: the inputs, then the result.'
      : 'Write tests [(1, 2)]: the input, then the result.';
  if (!c.is('[')) c.unexpected('expected `[` after `tests`', 'PAR006', example);
  const opener = c.advance().start;
  const found: InlineTest[] = [];
  while (!c.is(']')) {
    const start = c.token.start;
    const pair = parseExpr(c);
    const [input, expected] = pair.k === 'tuple' ? pair.items : [];
    if (pair.k !== 'tuple' || input === undefined || expected === undefined)
      c.fail('PAR006', { start }, 'a test is a pair of input and result', example);
    const flat = pair.items.length === arity + 1 && arity !== 1;
    if (pair.items.length !== 2 && !flat) c.fail('PAR006', { start }, 'a test is a pair of input and result', example);
    found.push({ ...testInputs(pair.items, arity), ...c.span(start) });
    if (!c.accept(',')) break;
  }
  c.close(']', opener);
  return found;
}

function testInputs(items: readonly Expr[], arity: number): Pick<InlineTest, 'inputs' | 'expected'> {
  const expected = items[items.length - 1] as Expr;
  const [input] = items;
  if (items.length !== 2 || input === undefined) return { inputs: items.slice(0, -1), expected };
  if (arity > 1 && input.k === 'tuple') return { inputs: input.items, expected };
  if (arity === 0 && input.k === 'unit') return { inputs: [], expected };
  return { inputs: [input], expected };
}

function inlineProperties(c: Cursor): InlineProperty[] {
  c.advance();
  const example = 'Write properties [forall(x: int) => f(x) >= 0].';
  if (!c.is('[')) c.unexpected('expected `[` after `properties`', 'PAR007', example);
  const opener = c.advance().start;
  const found: InlineProperty[] = [];
  while (!c.is(']')) {
    const start = c.token.start;
    c.expect('forall', 'at the beginning of a property', 'PAR007', example);
    if (!c.is('(')) c.unexpected('expected `(` after `forall`', 'PAR007', example);
    const binders = typedBinders(c);
    c.expect('=>', 'before the claim of a property', 'PAR007', example);
    found.push({ binders, body: parseExpr(c), ...c.span(start) });
    if (!c.accept(',')) break;
  }
  c.close(']', opener);
  return found;
}

function typedBinders(c: Cursor): Parameter[] {
  const binders = parseParameters(c);
  for (const binder of binders) {
    if (binder.type === null)
      c.fail(
        'PAR007',
        binder.name,
        `the variable ${quote(binder.name.text)} needs a type`,
        `Write ${binder.name.text}: int.`,
      );
  }
  return binders;
}

export function parseTestDeclaration(c: Cursor): TestDeclaration {
  const start = c.advance().start;
  const title = declarationTitle(c, 'PAR006', 'Write test "name" = 1 + 1 == 2.');
  c.expect('=', 'after the name of a test', 'PAR006', 'Write test "name" = 1 + 1 == 2.');
  return { k: 'test', title, body: parseExpr(c), ...c.span(start) };
}

export function parsePropertyDeclaration(c: Cursor): PropertyDeclaration {
  const start = c.advance().start;
  const example = 'Write property "name" (x: int) = x + 0 == x.';
  const title = declarationTitle(c, 'PAR007', example);
  if (!c.is('(')) c.unexpected('expected the variables of the property', 'PAR007', example);
  const binders = typedBinders(c);
  c.expect('=', 'before the claim of a property', 'PAR007', example);
  return { k: 'property', title, binders, body: parseExpr(c), ...c.span(start) };
}

function declarationTitle(c: Cursor, code: string, example: string): string {
  if (c.token.kind !== 'string') c.unexpected('expected a name in quotes', code, example);
  return c.advance().text;
}

export function parseExtern(c: Cursor): ExternDeclaration {
  const start = c.advance().start;
  if (!c.is('func'))
    c.unexpected(
      'expected `func` after `extern`',
      'PAR_EXTERN_REQUIRES_FUNC',
      'Write func name(x: int) -> int { e }, or type Name = A | B(int): nothing extern can be used here.',
    );
  c.advance();
  const name = c.name('a function name', 'PAR003');
  if (!c.is('(')) c.unexpected('expected the parameters', 'PAR003', `Write func ${name.text}(x: int) -> int { e }.`);
  const parameters = parseParameters(c);
  c.expect('->', 'before the result type of an extern function', 'PAR003', `Write extern func ${name.text}(…) -> int.`);
  const result = parseType(c);
  const effects = c.is('!') ? parseEffects(c) : null;
  return { k: 'extern', name, parameters, result, effects, ...c.span(start) };
}
