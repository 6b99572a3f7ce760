import type { Name, TypeDeclaration, TypeExpr, Variant } from './ast.js';
import { type Cursor, quote } from './cursor.js';
import { parseType } from './parse-type.js';
import { textOf } from './source-text.js';
import type { Token } from './tokens.js';

export function parseTypeDeclaration(c: Cursor, start: number, exported: boolean): TypeDeclaration {
  c.advance();
  const name = c.name('a type name', 'PAR009', 'Write type Name = A | B(int), or type Name = { field: int }.');
  if (c.is('<'))
    c.fail(
      'PAR_TYPE_ARGUMENTS',
      c.token,
      'type parameters are written in square brackets',
      `Write type ${name.text}[a] = …, with small letters for the parameters.`,
    );
  if (c.token.kind === 'name')
    c.fail(
      'PAR_TYPE_ARGUMENTS',
      c.token,
      'type parameters are written in square brackets',
      `Write type ${name.text}[${c.token.text}] = …`,
    );
  const parameters = c.is('[') ? parseTypeParameters(c) : [];
  if (c.is('{')) c.unexpected('expected `=` before the type', 'PAR009', `Write type ${name.text} = { field: int }.`);
  c.expect(
    '=',
    `after ${quote(`type ${name.text}`)}`,
    'PAR009',
    `Write type ${name.text} = A | B(int), or type ${name.text} = { field: int }.`,
  );
  const body = typeBody(c);
  const deriving = c.is('deriving') ? derivedClasses(c) : [];
  c.accept(';');
  return { k: 'type', name, exported, parameters, body, deriving, ...c.span(start) };
}

export function parseTypeParameters(c: Cursor): Name[] {
  const opener = c.advance().start;
  const names: Name[] = [];
  while (!c.is(']')) {
    const name = c.name('a type parameter');
    if (c.is(':'))
      c.fail(
        'PAR_TYPE_PARAMETER',
        c.token,
        'type parameters take no constraints',
        `Write [${name.text}]: comparison and show work on any type that has them.`,
      );
    names.push(name);
    if (!c.accept(',')) break;
  }
  c.close(']', opener);
  return names;
}

function typeBody(c: Cursor): TypeDeclaration['body'] {
  if (c.token.kind === 'name' && c.is('|', 1) && /^\p{Ll}/u.test(c.token.text)) refuseSmallConstructors(c);
  const leading = c.accept('|');
  const upper = c.token.kind === 'name' && /^\p{Lu}/u.test(c.token.text);
  if (!leading && !(upper && variantFollows(c))) return { k: 'alias', type: parseType(c) };
  const variants = [variant(c)];
  while (c.accept('|')) variants.push(variant(c));
  return { k: 'sum', variants };
}

/** `type Color = red | green`. */
function refuseSmallConstructors(c: Cursor): never {
  const names: string[] = [];
  for (let offset = 0; c.peek(offset).kind === 'name'; offset += 2) {
    names.push(capitalised(c.peek(offset).text));
    if (!c.is('|', offset + 1)) break;
  }
  return c.fail(
    'PAR_VARIANT_NAME',
    c.token,
    'a constructor begins with a capital letter',
    `Write ${names.join(' | ')}.`,
  );
}

/** `{ x: int }` as it is written. */
const bracedText = (c: Cursor, start: number): string =>
  textOf(c, { start, end: Math.max(c.source.text.indexOf('}', start), start) + 1 });

const capitalised = (name: string): string => (name[0] ?? '').toUpperCase() + name.slice(1);

/** `A(…)` or `A | …`: a sum; `A` alone or `A[int]` is an alias. */
function variantFollows(c: Cursor): boolean {
  const next = c.peek(1);
  if (c.is('{', 1) && !next.newline) {
    c.fail(
      'PAR_VARIANT_FIELDS',
      next,
      'the fields of a constructor stand in parentheses',
      `Write ${c.token.text}(${bracedText(c, next.start)}).`,
    );
  }
  if (next.kind === 'name' && !next.newline) {
    c.fail(
      'PAR_VARIANT_FIELDS',
      next,
      'the fields of a constructor stand in parentheses',
      `Write ${c.token.text}(${next.text === 'of' && c.peek(2).kind === 'name' ? c.peek(2).text : next.text}).`,
    );
  }
  return next.kind === 'operator' && ((next.text === '(' && !next.newline) || next.text === '|');
}

function variant(c: Cursor): Variant {
  const start = c.token.start;
  const name = c.name('a constructor name', 'PAR_VARIANT_NAME');
  if (!/^\p{Lu}/u.test(name.text)) {
    c.fail('PAR_VARIANT_NAME', name, 'a constructor begins with a capital letter', `Write ${capitalised(name.text)}.`);
  }
  const fields: TypeExpr[] = [];
  if (c.is('{'))
    c.fail(
      'PAR_VARIANT_FIELDS',
      c.token,
      'the fields of a constructor stand in parentheses',
      `Write ${name.text}(${bracedText(c, c.token.start)}).`,
    );
  if (c.is('(') && !c.token.newline) {
    const opener = c.advance().start;
    let named: Token | null = null;
    const types: string[] = [];
    while (!c.is(')')) {
      if (c.token.kind === 'name' && c.is(':', 1)) {
        named ??= c.token;
        c.index += 2;
      }
      const { start: from } = c.token;
      fields.push(parseType(c));
      types.push(c.source.text.slice(from, c.previousEnd));
      if (!c.accept(',')) break;
    }
    if (named !== null) {
      const hint = `Write ${name.text}(${types.join(', ')}), or ${name.text}({ ${named.text}: ${types[0]} }).`;
      c.mend('PAR_VARIANT_FIELDS', named, 'constructor fields have no names', hint);
    }
    c.close(')', opener);
  }
  return { name, fields, ...c.span(start) };
}

function derivedClasses(c: Cursor): Name[] {
  c.advance();
  if (!c.is('(')) c.unexpected('expected `(` after `deriving`', 'PAR_DERIVING_SYNTAX', 'Write deriving (Eq).');
  const opener = c.advance().start;
  const names: Name[] = [];
  while (!c.is(')')) {
    const name = c.name('a class name', 'PAR_DERIVING_SYNTAX', 'Write deriving (Eq).');
    if (name.text !== 'Eq') {
      const hint =
        name.text === 'Show' ? 'Remove it: show works on every value.' : 'Only Eq can be derived: write deriving (Eq).';
      c.report('PAR_DERIVING_UNSUPPORTED', name, `${quote(name.text)} cannot be derived`, hint);
    }
    names.push(name);
    if (!c.accept(',')) break;
  }
  c.close(')', opener);
  return names;
}
