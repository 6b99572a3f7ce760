import type { Arm, Expr, Field, Name, Statement } from './ast.js';
import { type Cursor, ParseStop, quote } from './cursor.js';
import { mendBinding } from './foreign-words.js';
import { refuseAssignment, refuseJuxtaposed } from './mistakes.js';
import { lowestPower, parseExpr, startsStatement } from './parse-expr.js';
import {
  literalAfter,
  nestedFunction,
  nestedFunctionHint,
  parseLetHead,
  patternLet,
  patternLetHint,
} from './parse-forms.js';
import { parsePattern } from './parse-pattern.js';
import { unknownExpr } from './unknown.js';

/** `{` begins a record, a record update or a block: section 2.5 says how to tell. */
export function parseBlockOrRecord(c: Cursor): Expr {
  const start = c.token.start;
  const first = c.peek(1);
  const key = first.kind === 'name' || first.kind === 'string';
  if (key && c.is(':', 2)) return parseRecord(c);
  if (first.kind === 'name' && c.is('|', 2)) {
    c.advance();
    const token = c.advance();
    return update(c, { k: 'name', name: token.text, start: token.start, end: token.end }, start);
  }
  if (first.kind === 'name' && c.is('=', 2) && (c.is(',', 4) || c.is('}', 4))) {
    const hint = `Write { ${first.text}: value }, with a colon after each field.`;
    c.mend('PAR_FIELD_COLON_EXPECTED', c.peek(2), 'a record field is written with a colon', hint);
    const opener = c.advance().start;
    return { k: 'record', fields: recordFields(c, opener, true), ...c.span(opener) };
  }
  if (c.is('...', 1) || c.is('..', 1)) {
    const base = c.peek(2).kind === 'name' ? c.peek(2).text : 'r';
    c.mend('PAR001', c.peek(1), 'there is no spread in a record', `Write { ${base} | field: value }.`);
    c.index += 2;
    return foreignUpdate(c, start, parseExpr(c));
  }
  if (first.kind === 'name' && c.is('with', 2)) {
    c.mend('PAR001', c.peek(2), 'a record update is written with `|`', `Write { ${first.text} | field: value }.`);
    c.advance();
    c.advance();
    return foreignUpdate(c, start, { k: 'name', name: first.text, start: first.start, end: first.end });
  }
  if (first.kind === 'name' && c.is(',', 2))
    c.fail(
      'PAR_FIELD_COLON_EXPECTED',
      c.peek(2),
      `expected ${quote(':')} after the field ${quote(first.text)}, found ${quote(',')}`,
      `Write { ${first.text}: ${first.text} } with a value for each field; statements are separated by ${quote(';')}.`,
    );
  return parseBlock(c);
}

/** After `{ ...r` or `{ r`, at the separator before the fields. */
function foreignUpdate(c: Cursor, opener: number, base: Expr): Expr {
  c.advance();
  return { k: 'update', base, fields: recordFields(c, opener, true), ...c.span(opener) };
}

/** A record literal; the cursor is at its brace. */
export function parseRecord(c: Cursor): Expr {
  const start = c.advance().start;
  const fields = recordFields(c, start);
  return { k: 'record', fields, ...c.span(start) };
}

/** Fields up to and with the closing brace. `reported`: that they are written with `=` has been told already. */
function recordFields(c: Cursor, opener: number, reported = false): Field[] {
  const fields: Field[] = [];
  while (!c.is('}')) {
    const token = c.token;
    const name: Name =
      token.kind === 'string'
        ? { text: c.advance().text, start: token.start, end: token.end }
        : c.name('a field name', 'PAR_FIELD_NAME_EXPECTED');
    if (!c.is(':') && !(reported && c.is('='))) {
      const hint = c.is(',') || c.is('}') ? `Write ${name.text}: ${name.text}.` : `Write ${name.text}: value.`;
      c.unexpected(`expected ${quote(':')} after the field ${quote(name.text)}`, 'PAR_FIELD_COLON_EXPECTED', hint);
    }
    c.advance();
    fields.push({ name, value: parseExpr(c) });
    if (c.is(';'))
      c.fail(
        'PAR_FIELD_SEPARATOR',
        c.token,
        'record fields are separated by commas',
        'Put commas between the fields: { a: 1, b: 2 }.',
      );
    if (!c.accept(',')) break;
  }
  c.close('}', opener);
  return fields;
}

function update(c: Cursor, base: Expr, opener: number): Expr {
  c.advance();
  const fields = recordFields(c, opener);
  if (fields.length === 0)
    c.fail(
      'PAR_FIELD_NAME_EXPECTED',
      { start: opener },
      'a record update changes at least one field',
      'Write { r | field: value }.',
    );
  return { k: 'update', base, fields, ...c.span(opener) };
}

/** `{ s1; s2; e }`; also a record update whose base is an expression. */
export function parseBlock(c: Cursor): Expr {
  const opener = c.advance().start;
  return parseStatements(c, opener);
}

/** The statements of a block and its closing brace. */
function parseStatements(c: Cursor, opener: number): Expr {
  const statements: Statement[] = [];
  while (!c.is('}')) {
    const before = c.index;
    const errors = c.diagnostics.length;
    if (declarationBegins(c)) {
      c.reportOpen('}', opener);
      return { k: 'block', statements, ...c.span(opener) };
    }
    try {
      if (c.is('let') && ['(', '{', '['].some((open) => c.is(open, 1))) {
        statements.push({ k: 'expression', value: takenApart(c, opener) });
        return { k: 'block', statements, ...c.span(opener) };
      }
      const statement = mendAssignment(c, parseStatement(c));
      if (c.is('|') && statements.length === 0 && statement.k === 'expression')
        return update(c, statement.value, opener);
      statements.push(statement);
      endStatement(c, opener);
    } catch (error) {
      if (!(error instanceof ParseStop) || error.fatal) throw error;
      c.arrowFollows = false;
      if (c.index === before && !c.is('}')) c.advance();
      if (!skipStatement(c, openBrackets(c, before))) throw error;
      loseNames(c, before);
      statements.push({ k: 'expression', value: unknownExpr(c.span(c.at(before).start)) });
      c.mendSince(errors);
    }
  }
  c.close('}', opener);
  return { k: 'block', statements, ...c.span(opener) };
}

/** The names a statement that could not be read would have bound. */
function loseNames(c: Cursor, from: number): void {
  let binding = false;
  for (let index = from; index < c.index; index++) {
    const { kind, text } = c.at(index);
    if (text === 'let' || text === 'letrec' || ['const', 'var', 'val', 'for'].includes(text)) binding = true;
    else if (text === '=' || text === ':=') binding = false;
    else if (kind === 'name' && (binding || c.at(index + 1).text === '<-' || c.at(index + 1).text === ':'))
      c.lost.add(text);
  }
}

/** `x = e`: an assignment, read as a let. */
function mendAssignment(c: Cursor, statement: Statement): Statement {
  if (!c.is('=') || statement.k !== 'expression' || statement.value.k !== 'name') return statement;
  const errors = c.diagnostics.length;
  try {
    refuseAssignment(c);
  } catch (error) {
    if (!(error instanceof ParseStop) || error.fatal) throw error;
    c.mendSince(errors);
  }
  c.advance();
  const { name: text, start, end } = statement.value;
  return { k: 'let', recursive: false, name: { text, start, end }, type: null, value: parseExpr(c) };
}

/** `let (a, b) = e`, read with the rest of its block as the match it should be. */
function takenApart(c: Cursor, opener: number): Expr {
  const { start } = c.advance();
  const list = c.is('[');
  c.mend('PAR001', c.token, patternLet, patternLetHint(c));
  const pattern = parsePattern(c);
  c.expect('=', 'after the pattern', 'PAR001', 'Write match e { (a, b) => … }.');
  const scrutinee = parseExpr(c);
  if (!c.accept(';') && !c.accept('in') && !c.token.newline) c.close('}', opener);
  const arms: Arm[] = [{ pattern, guard: null, body: parseStatements(c, opener), ...c.span(start) }];
  if (list)
    arms.push({
      pattern: { k: 'wildcard', ...c.span(start) },
      guard: null,
      body: unknownExpr(c.span(start)),
      ...c.span(start),
    });
  return { k: 'match', scrutinee, arms, ...c.span(start) };
}

/** A declaration at the left margin inside a block: the brace before it is missing. */
function declarationBegins(c: Cursor): boolean {
  const { kind, text, newline, start } = c.token;
  if (kind !== 'keyword' || !newline || c.source.position(start).column > 1) return false;
  return text === 'func' ? c.peek(1).kind === 'name' : ['export', 'pure', 'type', 'import'].includes(text);
}

export function parseStatement(c: Cursor): Statement {
  if (c.is('let') || c.is('letrec') || mendBinding(c)) {
    const start = c.token.start;
    const head = parseLetHead(c);
    if (!c.accept('in')) return { k: 'let', ...head };
    const body = parseExpr(c);
    return { k: 'expression', value: { k: 'let', ...head, body, ...c.span(start) } };
  }
  if (c.is('func') && c.peek(1).kind === 'name' && c.is('(', 2)) return nestedFunctionStatement(c);
  return { k: 'expression', value: parseExpr(c, lowestPower) };
}

/** `func name(…) { … }` inside a function, read as the letrec it should be. */
function nestedFunctionStatement(c: Cursor): Statement {
  const { start } = c.advance();
  c.mend('PAR001', c.token, nestedFunction, nestedFunctionHint(c.token.text));
  const { text, start: nameStart, end } = c.advance();
  return {
    k: 'let',
    recursive: true,
    name: { text, start: nameStart, end },
    type: null,
    value: literalAfter(c, start),
  };
}

/** Past the `;` or the line break that ends a statement (section 3.4). */
function endStatement(c: Cursor, opener: number): void {
  if (c.accept(';')) {
    while (c.accept(';'));
    return;
  }
  if (c.is('}')) return;
  refuseAssignment(c);
  if (c.token.newline && startsStatement(c)) return;
  refuseJuxtaposed(c);
  if (startsStatement(c)) {
    c.unexpected(
      'expected `;` between two statements on one line',
      'PAR020',
      `Write a \`;\` before ${quote(c.token.text)}, or begin a new line.`,
    );
  }
  if (c.is(','))
    c.fail(
      'PAR001',
      c.token,
      'statements are separated by `;`, not by a comma',
      'Write a `;`; a record literal has a colon after each field name.',
    );
  c.close('}', opener);
}

/** Brackets opened and not closed since a token: how deep inside the statement the error is. */
function openBrackets(c: Cursor, from: number): number {
  let depth = 0;
  for (let index = from; index < c.index; index++) {
    const { kind, text } = c.at(index);
    if (kind !== 'operator') continue;
    if (text === '(' || text === '[' || text === '{' || text === '#[') depth++;
    else if (text === ')' || text === ']' || text === '}') depth = Math.max(0, depth - 1);
  }
  return depth;
}

/** After an error, goes to the next statement of this block or to its brace; false when the block cannot be found. */
function skipStatement(c: Cursor, open: number): boolean {
  let depth = open;
  for (; c.token.kind !== 'end'; c.index++) {
    const { text, newline, kind } = c.token;
    if (kind === 'keyword' && newline && ['export', 'module', 'import', 'type'].includes(text)) return false;
    if (
      kind === 'keyword' &&
      newline &&
      (text === 'func' || text === 'pure') &&
      c.source.position(c.token.start).column === 1
    )
      return false;
    if (kind === 'operator') {
      if (depth === 0 && text === '}') return true;
      if (text === '(' || text === '[' || text === '{' || text === '#[') depth++;
      else if (text === ')' || text === ']' || text === '}') depth = Math.max(0, depth - 1);
      else if (depth === 0 && text === ';') {
        c.index++;
        return true;
      }
    }
    if (
      depth === 0 &&
      newline &&
      (kind === 'name' || (kind === 'keyword' && ['let', 'letrec', 'if', 'match'].includes(text))) &&
      c.index > 0
    ) {
      return true;
    }
  }
  return false;
}
