import type { Diagnostic } from '../diagnostic.js';
import type { Attribute, Declaration, File, Import, ModuleHeader } from './ast.js';
import { Cursor, ParseStop, quote } from './cursor.js';
import { mendBinding, refuseForeignDefinition } from './foreign-words.js';
import { lex } from './lexer.js';
import { parseExpr } from './parse-expr.js';
import { parseLetHead } from './parse-forms.js';
import { parseExtern, parseFunction, parsePropertyDeclaration, parseTestDeclaration } from './parse-function.js';
import { parseExportList, parseImport, parseModuleHeader } from './parse-header.js';
import { parseTypeDeclaration } from './parse-type-declaration.js';
import type { Source } from './source.js';
import type { Comment, Token } from './tokens.js';

export interface Parsed {
  /** What could be read; whole only when there are no diagnostics. */
  readonly file: File;
  readonly diagnostics: readonly Diagnostic[];
  /** The diagnostics after which a part of the file is missing from the tree. */
  readonly broken: readonly Diagnostic[];
  /** Names the missing parts of the functions in the tree would have bound. */
  readonly lost: ReadonlySet<string>;
  readonly comments: readonly Comment[];
}

/** Parses a file. Never throws: every error becomes a diagnostic and parsing goes on at the next declaration. */
export function parseFile(source: Source): Parsed {
  const { tokens, comments, mistakes } = lex(source.text);
  const c = new Cursor(source, tokens);
  for (const { start, message, hint } of mistakes) c.mend('PAR_ILLEGAL_TOKEN', { start }, message, hint);
  const imports: Import[] = [];
  const declarations: Declaration[] = [];
  let module: ModuleHeader | null = null;
  while (c.token.kind !== 'end') {
    const before = c.index;
    try {
      if (c.accept(';')) continue;
      if (c.is('module')) {
        const header = parseModuleHeader(c);
        if (module !== null)
          c.fail(
            'MOD002',
            header,
            'a file has one module declaration',
            'Remove this one, and put the second module into a file of its own.',
          );
        if (imports.length + declarations.length > 0) {
          const hint = 'Move the module line to the top of the file.';
          c.report('PAR004', header, 'the module line comes before everything else', hint);
        }
        module = header;
      } else if (c.is('import')) {
        const found = parseImport(c);
        if (declarations.length > 0)
          c.report(
            'IMP004',
            found,
            'imports come before all declarations',
            'Move this import to the top of the file, below the module line.',
          );
        imports.push(found);
      } else if (c.is('export') && c.is('{', 1)) parseExportList(c);
      else declarations.push(parseDeclaration(c));
    } catch (error) {
      if (!(error instanceof ParseStop)) throw error;
      if (error.fatal) break;
      c.arrowFollows = false;
      if (c.index === before) c.advance();
      skipToDeclaration(c);
    }
  }
  const broken = c.diagnostics.filter((found) => !c.mended.has(found));
  return { file: { module, imports, declarations }, diagnostics: c.diagnostics, broken, lost: c.lost, comments };
}

function parseDeclaration(c: Cursor): Declaration {
  const attributes: Attribute[] = [];
  while (c.is('@')) attributes.push(attribute(c));
  const start = attributes[0]?.start ?? c.token.start;
  const exported = c.accept('export');
  if (c.is('func') && c.peek(1).kind !== 'operator')
    return parseFunction(c, { start, attributes, exported, pure: false });
  if (c.is('pure')) {
    c.advance();
    if (!c.is('func'))
      c.unexpected('expected `func` after `pure`', 'PAR003', 'Write pure func name(x: int) -> int { e }.');
    return parseFunction(c, { start, attributes, exported, pure: true });
  }
  if (c.is('type')) return parseTypeDeclaration(c, start, exported);
  if (exported) refuseExport(c);
  if (attributes.length > 0)
    c.unexpected('expected a function after the attribute', 'PAR003', 'Attributes stand before func.');
  if (c.is('extern')) return parseExtern(c);
  if (c.is('test') && (c.peek(1).kind === 'string' || c.peek(1).kind === 'name')) return parseTestDeclaration(c);
  if (c.is('property') && (c.peek(1).kind === 'string' || c.peek(1).kind === 'name'))
    return parsePropertyDeclaration(c);
  if (c.is('let') || c.is('letrec') || mendBinding(c)) return moduleLet(c);
  refuseForeignDeclaration(c);
  const value = parseExpr(c);
  if (c.is('=') || c.is('->')) {
    const called = value.k === 'call' && value.callee.k === 'name' ? value.callee.name : null;
    const bound = value.k === 'name' ? value.name : 'x';
    const hint =
      called === null
        ? `Write let ${bound} = e, or func ${bound}() -> int = e.`
        : `Write func ${called}(x: int) -> int = e.`;
    c.fail('PAR015', c.token, 'a binding begins with let, a function with func', hint);
  }
  endOfTopLevel(c);
  return { k: 'expression', value, ...c.span(start) };
}

function moduleLet(c: Cursor): Declaration {
  const start = c.token.start;
  const head = parseLetHead(c);
  if (!c.is('in')) {
    endOfTopLevel(c);
    return { k: 'value', ...head, ...c.span(start) };
  }
  c.advance();
  const body = parseExpr(c);
  return { k: 'expression', value: { k: 'let', ...head, body, ...c.span(start) }, ...c.span(start) };
}

/** A top-level expression ends at `;`, at a line break or at the end. */
function endOfTopLevel(c: Cursor): void {
  if (c.accept(';') || c.token.newline || c.token.kind === 'end') return;
  c.unexpected(
    'expected a line break after this',
    'PAR001',
    'At the top level one declaration or expression ends where a line ends: begin a new line, or complete this one.',
  );
}

function refuseExport(c: Cursor): never {
  if (c.is('let') || c.is('letrec')) {
    const name = c.peek(1).text;
    const type = c.is('=', 2) ? literalType(c.peek(3)) : 'T';
    c.fail(
      'PAR_UNSUPPORTED_EXPORT_LET',
      c.token,
      'a let cannot be exported',
      `Write export func ${name}() -> ${type} { e } and call ${name}().`,
    );
  }
  const type = ['class', 'instance', 'struct', 'enum', 'data', 'interface'].includes(c.token.text);
  return c.unexpected(
    'expected `func`, `pure func` or `type` after `export`',
    'PAR_EXPORT_REQUIRES_FUNC',
    type
      ? `Write export type ${c.peek(1).kind === 'name' ? c.peek(1).text : 'Name'} = { field: int }, or A | B(int).`
      : 'Write export func name(x: int) -> int { e }.',
  );
}

function literalType({ kind, text }: Token): string {
  if (kind === 'int' || kind === 'float' || kind === 'string') return kind;
  return text === 'true' || text === 'false' ? 'bool' : 'T';
}

function refuseForeignDeclaration(c: Cursor): void {
  const token = c.token;
  if (c.is('}') || c.is(')') || c.is(']'))
    c.fail('PAR001', token, `this ${quote(token.text)} closes nothing`, 'Remove it, or add the missing opener before.');
  const next = c.peek(1);
  if (c.is('class')) refuseForeignDefinition(c);
  if (c.is('class') || c.is('instance')) {
    const hint = 'Write type Name = { field: int } or type Name = A | B, and functions that take it.';
    c.fail('PAR001', token, 'classes and instances cannot be defined', hint);
  }
  if (['requires', 'ensures', 'tests', 'properties'].some((word) => c.is(word)))
    c.fail(
      'PAR010',
      token,
      `${quote(token.text)} stands before the body of its function`,
      'Move it up: the order is effects, requires, ensures, tests, properties, body.',
    );
  if (token.kind !== 'name' || next.newline) return;
  if (token.text === 'from' && next.kind === 'name')
    c.fail('PAR005', token, 'an import begins with `import`', 'Write import std/list (map, filter).');
  if ((token.text === 'pub' || token.text === 'public' || token.text === 'private') && next.kind !== 'operator') {
    c.fail(
      'PAR001',
      token,
      `there is no ${quote(token.text)}`,
      'Write export func … for what other modules may use; everything else is private.',
    );
  }
  if (next.kind === 'operator' && next.text === '::') {
    c.fail('PAR001', next, 'a type signature has no line of its own', `Write func ${token.text}(x: int) -> int { e }.`);
  }
}

/** After an error: on to the next token that begins a declaration. */
function skipToDeclaration(c: Cursor): void {
  for (; c.token.kind !== 'end'; c.index++) {
    const { kind, text, newline, start } = c.token;
    if (!newline) continue;
    if (kind === 'operator' && text === '@' && c.source.position(start).column === 1) return;
    if (kind !== 'keyword') continue;
    if (['export', 'import', 'module', 'extern', 'pure', 'type'].includes(text)) return;
    if (text === 'func' && c.peek(1).kind === 'name' && c.source.position(start).column === 1) return;
    if (['test', 'property', 'let', 'letrec'].includes(text) && c.source.position(start).column === 1) return;
  }
}

function attribute(c: Cursor): Attribute {
  const start = c.advance().start;
  const name = c.name('an attribute name');
  if (!c.is('(') || c.token.newline) return { name, arguments: null, ...c.span(start) };
  const opener = c.advance();
  let depth = 1;
  for (; depth > 0; c.index++) {
    if (c.token.kind === 'end') c.close(')', opener.start);
    if (c.is('(')) depth++;
    else if (c.is(')')) depth--;
  }
  return { name, arguments: c.source.text.slice(opener.end, c.previousEnd - 1), ...c.span(start) };
}
