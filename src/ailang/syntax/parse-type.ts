import type { FieldType, RowRest, TypeExpr } from './ast.js';
import { type Cursor, quote } from './cursor.js';
import { parseEffects } from './parse-effects.js';

const typeStart = 'Types are int, float, string, bool, (), [T], (A, B), {field: T}, Name[T] and (A, B) -> C.';
/** Names other languages use for AILANG's basic types. */
const foreign: Readonly<Record<string, string>> = {
  Int: 'int',
  Integer: 'int',
  i32: 'int',
  i64: 'int',
  Float: 'float',
  Double: 'float',
  double: 'float',
  f64: 'float',
  number: 'int` or `float',
  String: 'string',
  str: 'string',
  Str: 'string',
  Bool: 'bool',
  Boolean: 'bool',
  boolean: 'bool',
  Unit: '()',
  void: '()',
  Void: '()',
};

/** What to write for a type name of another language, or null. */
export function foreignType(name: string): string | null {
  return Object.hasOwn(foreign, name) ? (foreign[name] ?? null) : null;
}

/** A type, with the arrow and its effects when they follow. */
export function parseType(c: Cursor): TypeExpr {
  return c.nested(() => {
    const start = c.token.start;
    const opener = c.is('(');
    const [parameters, single] = opener ? parenthesized(c) : [[primaryType(c)], true];
    if (c.is('->')) {
      c.advance();
      const result = parseType(c);
      const effects = c.is('!') ? parseEffects(c) : null;
      return { k: 'function', parameters, result, effects, ...c.span(start) };
    }
    const [only] = parameters;
    if (single && only !== undefined) return labelled(c, only, start);
    if (parameters.length === 0) return { k: 'unit', ...c.span(start) };
    return labelled(c, { k: 'tuple', items: parameters, ...c.span(start) }, start);
  });
}

/** After a type: `A | B` and `A?` of other languages. */
export function refuseUnion(c: Cursor): void {
  if (c.is('|'))
    c.fail(
      'PAR009',
      c.token,
      'there are no union types',
      'Declare a type with constructors, type T = A(int) | B(string), and write T here.',
    );
  if (c.is('?')) c.fail('PAR009', c.token, 'there are no nullable types', 'Write Option[T].');
}

/** The types between parentheses; the flag is false for a tuple or unit. */
function parenthesized(c: Cursor): [TypeExpr[], boolean] {
  const opener = c.advance().start;
  const items: TypeExpr[] = [];
  while (!c.is(')')) {
    items.push(parseType(c));
    if (!c.accept(',')) break;
  }
  c.close(')', opener);
  return [items, items.length === 1];
}

function primaryType(c: Cursor): TypeExpr {
  const start = c.token.start;
  if (c.is('[')) {
    c.advance();
    const item = parseType(c);
    c.close(']', start);
    return labelled(c, { k: 'list', item, ...c.span(start) }, start);
  }
  if (c.is('{')) return recordType(c);
  if (c.token.kind !== 'name') return c.unexpected('expected a type', 'PAR009', typeStart);
  const parts = [c.advance().text];
  while (c.is('.') && c.peek(1).kind === 'name') {
    c.advance();
    parts.push(c.advance().text);
  }
  const name = parts.join('.');
  const args: TypeExpr[] = [];
  if (c.is('(') && c.token.start === c.previousEnd)
    c.fail(
      'PAR_TYPE_ARGUMENTS',
      c.token,
      'type arguments are written in square brackets',
      `Write ${name}[${c.peek(1).kind === 'name' ? c.peek(1).text : 'T'}].`,
    );
  if (c.is('[') && !c.token.newline) {
    const opener = c.advance().start;
    while (!c.is(']')) {
      args.push(parseType(c));
      if (!c.accept(',')) break;
    }
    c.close(']', opener);
    if (args.length === 0)
      c.fail(
        'PAR_TYPE_ARGUMENTS',
        { start: opener },
        'the brackets of a list type stand around its item',
        `Write [${name}].`,
      );
  }
  return labelled(c, { k: 'name', name, arguments: args, ...c.span(start) }, start);
}

function labelled(c: Cursor, type: TypeExpr, start: number): TypeExpr {
  if (c.is('<') && !c.token.newline) {
    const label = c.peek(1);
    if (label.kind === 'name' && c.is('>', 2) && /^[a-z]/.test(label.text) && !isBasicType(label.text)) {
      c.index += 3;
      return { k: 'label', type, label: label.text, refused: false, ...c.span(start) };
    }
    if (type.k === 'name' && isBasicType(type.name) && label.kind === 'name' && c.is('>', 2))
      c.fail(
        'PAR_LABEL',
        label,
        `${quote(type.name)} takes no arguments; a flow label is lower case`,
        `Write ${type.name}, or ${type.name}<${label.text.toLowerCase()}> for a labelled value.`,
      );
    if (type.k === 'name' && type.arguments.length === 0) return angleArguments(c, type.name, start);
    c.fail(
      'PAR_TYPE_ARGUMENTS',
      c.token,
      'type arguments are written in square brackets',
      'Write Option[int], Map[string, int] or [int].',
    );
  }
  if (c.is('{') && c.is('not', 1) && c.peek(2).kind === 'name' && c.is('}', 3)) {
    const label = c.peek(2).text;
    c.index += 4;
    return { k: 'label', type, label, refused: true, ...c.span(start) };
  }
  return type;
}

/** `Option<int>`. */
function angleArguments(c: Cursor, name: string, start: number): TypeExpr {
  const opener = c.token;
  c.advance();
  const args = [parseType(c)];
  while (c.accept(',')) args.push(parseType(c));
  const inner = c.source.text.slice(opener.end, c.previousEnd);
  const message = 'type arguments are written in square brackets';
  const hint = `Write ${name}[${inner}].`;
  if (!c.is('>') && !c.is('>>')) c.fail('PAR_TYPE_ARGUMENTS', opener, message, hint);
  if (!c.is('>')) c.fail('PAR_TYPE_ARGUMENTS', opener, message, hint);
  c.mend('PAR_TYPE_ARGUMENTS', opener, message, hint);
  c.advance();
  return { k: 'name', name, arguments: args, ...c.span(start) };
}

function isBasicType(name: string): boolean {
  return ['int', 'float', 'string', 'bool', 'bytes', 'char', 'unit'].includes(name);
}

function recordType(c: Cursor): TypeExpr {
  const opener = c.advance().start;
  const fields: FieldType[] = [];
  let rest: RowRest | null = null;
  while (!c.is('}')) {
    if (c.is('...')) {
      rest = rowRest(c);
      break;
    }
    if (c.is('|')) {
      rest = rowRest(c);
      break;
    }
    const name = c.name('a field name', 'PAR_FIELD_NAME_EXPECTED');
    if (!c.is(':')) {
      const instead = c.is('=') ? 'A field type is written with a colon: ' : 'A field needs its type: ';
      c.unexpected(
        `expected ${quote(':')} after the field ${quote(name.text)}`,
        'PAR_FIELD_COLON_EXPECTED',
        `${instead}{ ${name.text}: string }.`,
      );
    }
    c.advance();
    const type = parseType(c);
    fields.push({ name, type });
    if (c.is('|')) continue;
    if (c.is(';'))
      c.fail(
        'PAR_FIELD_SEPARATOR',
        c.token,
        'record fields are separated by commas',
        'Put commas between the fields: { a: int, b: string }.',
      );
    if (!c.accept(',')) break;
  }
  c.accept(',');
  c.close('}', opener);
  return { k: 'record', fields, rest, ...c.span(opener) };
}

function rowRest(c: Cursor): RowRest {
  const mark = c.advance();
  if (c.token.kind === 'name') {
    const name = c.advance().text;
    return { name, ...c.span(mark.start) };
  }
  if (mark.text === '|') c.unexpected('expected a row variable', 'PAR_ROW_VAR_EXPECTED', 'Write { name: string | r }.');
  return { name: null, ...c.span(mark.start) };
}
