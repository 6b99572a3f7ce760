import type { Import, ImportItem, ModuleHeader, Name } from './ast.js';
import { type Cursor, quote } from './cursor.js';
import { restOfStatement } from './source-text.js';

export function parseModuleHeader(c: Cursor): ModuleHeader {
  const start = c.advance().start;
  const parts = [segment(c, 'PAR004', 'PAR_HYPHEN_IN_MODULE')];
  while (!c.token.newline && (c.is('/') || c.is('.') || c.is('::'))) {
    if (!c.is('/') && c.peek(1).text === 'ail')
      c.fail('PAR004', c.token, 'a module path has no file ending', `Write module ${parts.join('/')}.`);
    if (!c.is('/'))
      c.fail(
        'PAR004',
        c.token,
        'module paths are separated by `/`',
        `Write module ${parts.join('/')}/${c.peek(1).text}.`,
      );
    c.advance();
    parts.push(segment(c, 'PAR004', 'PAR_HYPHEN_IN_MODULE'));
  }
  if (c.is('{') && !c.token.newline)
    c.fail('PAR004', c.token, 'a module has no braces', 'Remove them: the rest of the file belongs to the module.');
  c.accept(';');
  return { path: parts.join('/'), ...c.span(start) };
}

function segment(c: Cursor, code: string, hyphenCode: string): string {
  const token = c.token;
  if (token.kind !== 'name' && token.kind !== 'keyword')
    return c.unexpected(
      'expected a part of a module path',
      code,
      token.kind === 'string' ? `Write ${token.text}, without quotes.` : 'Write a/b/c: names separated by `/`.',
    );
  c.advance();
  if (c.is('-') && !c.token.newline) {
    const whole = `${token.text}_${c.peek(1).text}`;
    c.fail(hyphenCode, c.token, 'a module path has no hyphens', `Write ${whole}, and name the file likewise.`);
  }
  return token.text;
}

export function parseImport(c: Cursor): Import {
  const start = c.advance().start;
  const pathStart = c.token.start;
  const path = importPath(c);
  const pathSpan = c.span(pathStart);
  const alias = parseAlias(c);
  const items = c.is('(') && !c.token.newline ? importItems(c) : null;
  if (c.isWord('from'))
    c.fail('PAR005', c.token, 'an import names the module first', 'Write import std/list (map, filter).');
  if (c.is('{') && !c.token.newline)
    c.fail('PAR005', c.token, 'imported names stand in parentheses', `Write import ${path} (a, b).`);
  if (c.is('.') && c.is('{', 1))
    c.fail('PAR005', c.token, 'imported names stand in parentheses', `Write import ${path} (a, b).`);
  if (alias === null && items === null) {
    const name = aliasFor(c, path);
    const span = { start: pathSpan.start, end: pathSpan.end };
    c.mend(
      'IMP012_UNSUPPORTED_NAMESPACE',
      { start },
      `the import of ${quote(path)} names nothing`,
      c.token.kind === 'name' && !c.token.newline
        ? `Imported names stand in parentheses: import ${path} (${restOfStatement(c, c.token.start)}).`
        : `Write import ${path} (name, other), or import ${path} as ${name}.`,
    );
    if (c.token.kind !== 'name' || c.token.newline)
      return { path, pathSpan, alias: { text: name, ...span }, items: null, ...c.span(start) };
    c.mended.delete(c.diagnostics.at(-1) as (typeof c.diagnostics)[number]);
  }
  c.accept(';');
  return { path, pathSpan, alias, items, ...c.span(start) };
}

/** `as Name`, when it follows. */
function parseAlias(c: Cursor): Name | null {
  if (!c.isWord('as')) return null;
  c.advance();
  return c.name('an alias', 'PAR005');
}

/** The alias the file seems to use already, `list` of `list.map(…)`. */
function aliasFor(c: Cursor, path: string): string {
  const last = path.split('/').at(-1) ?? 'm';
  if (c.source.text.includes(`${last}.`)) return last;
  return (last[0] ?? 'm').toUpperCase() + last.slice(1);
}

function importPath(c: Cursor): string {
  if (c.token.kind === 'string') return c.advance().text.replace(/\.ail$/, '');
  if (c.is('{') || c.is('*'))
    c.fail('PAR005', c.token, 'an import names the module first', 'Write import std/list (map, filter).');
  const parts: string[] = [];
  for (;;) {
    if (c.is('.') || c.is('..')) parts.push(c.advance().text);
    else parts.push(segment(c, 'PAR005', 'PAR_HYPHEN_IN_IMPORT'));
    if (c.isWord('from'))
      c.fail(
        'PAR005',
        c.token,
        'an import names the module first',
        `Write import ${lineAfter(c)} (${parts.join('')}).`,
      );
    if (c.is('::') || (c.is('.') && c.peek(1).kind === 'name')) {
      c.fail(
        'PAR005',
        c.token,
        'module paths are separated by `/`',
        parts.length > 1
          ? `Write import ${parts.join('/')} (${c.peek(1).text}).`
          : `Write import ${parts.join('/')}/${c.peek(1).text} (name).`,
      );
    }
    if (!c.accept('/')) return parts.join('/');
    if (c.is('('))
      c.fail('PAR005', c.token, 'no `/` before the list of names', `Write import ${parts.join('/')} (a, b).`);
  }
}

function importItems(c: Cursor): ImportItem[] {
  const opener = c.advance().start;
  const items: ImportItem[] = [];
  while (!c.is(')')) {
    if (c.is('*') || c.is('..') || c.is('...'))
      c.fail(
        'PAR005',
        c.token,
        'there is no import of everything',
        'List the names, or give the module an alias: import std/list as L.',
      );
    if (c.is('type'))
      c.fail('PAR005', c.token, 'types are imported by their name', 'Write import m (Name, Constructor).');
    const name = c.name('an imported name', 'PAR005');
    if (c.is('('))
      c.fail(
        'PAR005',
        c.token,
        'constructors are imported by name, beside their type',
        `Write (${name.text}, ${constructorsOf(c, name.text)}).`,
      );
    const alias = parseAlias(c);
    items.push({ name, alias });
    if (!c.accept(',')) break;
  }
  c.close(')', opener);
  return items;
}

/** At `(` after the name of a type: the constructors listed there, or those of the type when it is well known. */
function constructorsOf(c: Cursor, type: string): string {
  if (c.peek(1).kind === 'name') return c.peek(1).text;
  const known: Readonly<Record<string, string>> = { Option: 'Some, None', Result: 'Ok, Err' };
  return Object.hasOwn(known, type) ? (known[type] ?? '') : 'Constructor';
}

/** `export { a, b }`, which has no effect. */
export function parseExportList(c: Cursor): void {
  c.advance();
  const opener = c.advance().start;
  while (!c.is('}')) {
    c.name('an exported name');
    if (!c.accept(',')) break;
  }
  c.close('}', opener);
}

/** The module path written after `from`. */
function lineAfter(c: Cursor): string {
  const rest = /^[^\n;]*/.exec(c.source.text.slice(c.token.end, c.token.end + 80))?.[0] ?? '';
  return rest.replace(/["'\s]/g, '') || 'std/list';
}
