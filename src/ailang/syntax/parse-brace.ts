import type { Expr, Field, Name, Statement } from './ast.js';
import { type Cursor, ParseStop, quote } from './cursor.js';
import { refuseAssignment, refuseJuxtaposed } from './mistakes.js';
import { lowestPower, parseExpr, startsStatement } from './parse-expr.js';
import { parseLetHead } from './parse-forms.js';

/** `{` begins a record, a record update or a block: section 2.5 says how to tell. */
export function parseBlockOrRecord(c: Cursor): Expr {
  const start = c.token.start;
  const first = c.peek(1);
  const key = first.kind === 'name' || first.kind === 'string';
  if (key && c.is(':', 2)) return recordLiteral(c);
  if (first.kind === 'name' && c.is('|', 2)) {
    c.advance();
    const token = c.advance();
    return update(c, { k: 'name', name: token.text, start: token.start, end: token.end }, start);
  }
  if (first.kind === 'name' && c.is('=', 2) && (c.is(',', 4) || c.is('}', 4))) {
    c.fail(
      'PAR_FIELD_COLON_EXPECTED',
      c.peek(2),
      'a record field is written with a colon',
      `Write { ${first.text}: value }, with a colon after each field.`,
    );
  }
  if (c.is('...', 1) || c.is('..', 1)) {
    const base = c.peek(2).kind === 'name' ? c.peek(2).text : 'r';
    c.fail('PAR001', c.peek(1), 'there is no spread in a record', `Write { ${base} | field: value }.`);
  }
  if (first.kind === 'name' && c.is('with', 2))
    c.fail('PAR001', c.peek(2), 'a record update is written with `|`', `Write { ${first.text} | field: value }.`);
  if (first.kind === 'name' && c.is(',', 2))
    c.fail(
      'PAR_FIELD_COLON_EXPECTED',
      c.peek(2),
      `expected ${quote(':')} after the field ${quote(first.text)}, found ${quote(',')}`,
      `Write { ${first.text}: ${first.text} } with a value for each field; statements are separated by ${quote(';')}.`,
    );
  return parseBlock(c);
}

function recordLiteral(c: Cursor): Expr {
  const start = c.advance().start;
  const fields = recordFields(c, start);
  return { k: 'record', fields, ...c.span(start) };
}

/** Fields up to and with the closing brace. */
function recordFields(c: Cursor, opener: number): Field[] {
  const fields: Field[] = [];
  while (!c.is('}')) {
    const token = c.token;
    const name: Name =
      token.kind === 'string'
        ? { text: c.advance().text, start: token.start, end: token.end }
        : c.name('a field name', 'PAR_FIELD_NAME_EXPECTED');
    if (!c.is(':')) {
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
  const statements: Statement[] = [];
  let failed: ParseStop | null = null;
  while (!c.is('}')) {
    const before = c.index;
    if (declarationBegins(c)) {
      c.reportOpen('}', opener);
      return { k: 'block', statements, ...c.span(opener) };
    }
    try {
      const statement = parseStatement(c);
      if (c.is('|') && statements.length === 0 && statement.k === 'expression')
        return update(c, statement.value, opener);
      statements.push(statement);
      endStatement(c, opener);
    } catch (error) {
      if (!(error instanceof ParseStop) || error.fatal) throw error;
      c.arrowFollows = false;
      if (c.index === before && !c.is('}')) c.advance();
      if (!skipStatement(c, openBrackets(c, before))) throw error;
      failed = error;
    }
  }
  c.close('}', opener);
  if (failed !== null && statements.length === 0) return { k: 'unit', ...c.span(opener) };
  return { k: 'block', statements, ...c.span(opener) };
}

/** A declaration at the left margin inside a block: the brace before it is missing. */
function declarationBegins(c: Cursor): boolean {
  const { kind, text, newline, start } = c.token;
  if (kind !== 'keyword' || !newline || c.source.position(start).column > 1) return false;
  return text === 'func' ? c.peek(1).kind === 'name' : ['export', 'pure', 'type', 'import'].includes(text);
}

export function parseStatement(c: Cursor): Statement {
  if (c.is('let') || c.is('letrec')) {
    const start = c.token.start;
    const head = parseLetHead(c);
    if (!c.accept('in')) return { k: 'let', ...head };
    const body = parseExpr(c);
    return { k: 'expression', value: { k: 'let', ...head, body, ...c.span(start) } };
  }
  return { k: 'expression', value: parseExpr(c, lowestPower) };
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
