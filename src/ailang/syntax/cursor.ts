import { type Diagnostic, diagnosticOf } from '../diagnostic.js';
import type { Name, Span } from './ast.js';
import type { Source } from './source.js';
import type { Token } from './tokens.js';

/** Nesting a program may have; far above any readable program, far below the end of the stack. */
export const maxDepth = 250;
/** Operators, calls and fields one expression may chain. */
export const maxChain = 400;
const maxErrors = 20;

/** Thrown inside the parser after an error is recorded; caught where parsing can go on. */
export class ParseStop extends Error {
  constructor(readonly fatal: boolean) {
    super('parse error');
  }
}

const nameHint = 'A name begins with a letter or `_`; letters, digits and `_` follow.';

/** The token stream with one place to look at, and the errors found on the way. */
export class Cursor {
  readonly diagnostics: Diagnostic[] = [];
  /** Those after which the tree is whole all the same, because what was meant could be read. */
  readonly mended = new Set<Diagnostic>();
  /** Names that what could not be read would have bound. */
  readonly lost = new Set<string>();
  index = 0;
  /** Whether the expression being read ends before an `=>`, as a guard does. */
  arrowFollows = false;
  #depth = 0;
  #lastError = -1;

  constructor(
    readonly source: Source,
    readonly tokens: readonly Token[],
  ) {}

  get token(): Token {
    return this.at(this.index);
  }

  peek(offset: number): Token {
    return this.at(this.index + offset);
  }

  at(index: number): Token {
    return this.tokens[Math.min(index, this.tokens.length - 1)] as Token;
  }

  get previousEnd(): number {
    return this.index === 0 ? 0 : this.at(this.index - 1).end;
  }

  advance(): Token {
    const token = this.token;
    if (token.kind !== 'end') this.index++;
    return token;
  }

  is(text: string, offset = 0): boolean {
    const token = this.peek(offset);
    return token.text === text && (token.kind === 'operator' || token.kind === 'keyword');
  }

  /** A plain name with this text, such as `as`. */
  isWord(text: string, offset = 0): boolean {
    const token = this.peek(offset);
    return token.kind === 'name' && token.text === text;
  }

  accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.index++;
    return true;
  }

  expect(text: string, context: string, code = 'PAR001', suggestion?: string): Token {
    if (this.is(text)) return this.advance();
    return this.unexpected(`expected ${quote(text)} ${context}`, code, suggestion);
  }

  /** A closing bracket; names the place of its opener. */
  close(text: string, opener: number): Token {
    if (this.is(text)) return this.advance();
    this.reportOpen(text, opener);
    throw new ParseStop(this.diagnostics.length >= maxErrors);
  }

  /** The error of a bracket that is not closed here. */
  reportOpen(text: string, opener: number): void {
    const from = this.source.position(opener);
    const code = text === ')' ? 'PAR011' : 'PAR002';
    const what = `the ${quote(this.source.text[opener] === '#' ? '#[' : (this.source.text[opener] ?? ''))} opened at line ${from.line}:${from.column}`;
    const hint =
      text === '}' && this.token.newline
        ? `Add ${quote(text)} before it.`
        : `Add ${quote(text)}, or a comma if another item follows.`;
    const message = `expected ${quote(text)} to close ${what}, found ${describe(this.token)}`;
    this.report(code, this.token, message, hint);
  }

  name(what: string, code = 'PAR001', suggestion = nameHint): Name {
    const token = this.token;
    if (token.kind === 'name') {
      this.index++;
      return { text: token.text, start: token.start, end: token.end };
    }
    if (token.kind === 'keyword') {
      this.fail(
        'PAR012',
        token,
        `${quote(token.text)} is a reserved word and cannot be ${what}`,
        `Choose another name, such as ${quote(`${token.text}_`)} or ${quote(`my${token.text[0]?.toUpperCase()}${token.text.slice(1)}`)}.`,
      );
    }
    return this.unexpected(`expected ${what}`, code, suggestion);
  }

  unexpected(expectation: string, code = 'PAR001', suggestion?: string): never {
    const token = this.token;
    return this.fail(code, token, `${expectation}, found ${describe(token)}`, suggestion);
  }

  fail(code: string, at: { readonly start: number }, message: string, suggestion?: string): never {
    this.report(code, at, message, suggestion);
    throw new ParseStop(this.diagnostics.length >= maxErrors);
  }

  /** An error whose meaning is plain: parsing goes on as if the right thing stood there. */
  mend(code: string, at: { readonly start: number }, message: string, suggestion: string): void {
    this.mendSince(this.diagnostics.length, () => this.report(code, at, message, suggestion));
  }

  /** Counts the errors from the given one on as mended. */
  mendSince(count: number, run: () => void = () => {}): void {
    run();
    for (const found of this.diagnostics.slice(count)) this.mended.add(found);
  }

  report(code: string, at: { readonly start: number }, message: string, suggestion?: string): void {
    const illegal = this.token.kind === 'illegal' && this.token.start === at.start ? this.token : null;
    if (at.start === this.#lastError || this.diagnostics.length >= maxErrors) return;
    this.#lastError = at.start;
    const position = this.source.position(at.start);
    if (illegal !== null) {
      const kind = illegal.text.startsWith('integer literal') ? 'PAR021' : 'PAR_ILLEGAL_TOKEN';
      this.diagnostics.push(diagnosticOf(kind, illegal.text, position, illegal.hint));
    } else this.diagnostics.push(diagnosticOf(code, message, position, suggestion));
  }

  /** Runs one level deeper; a program nested beyond the limit is an error that ends the file. */
  nested<T>(parse: () => T): T {
    if (this.#depth >= maxDepth) {
      this.report(
        'PAR_NESTING_LIMIT',
        this.token,
        `this is nested more than ${maxDepth} levels deep`,
        'Move inner parts into functions of their own.',
      );
      throw new ParseStop(true);
    }
    this.#depth++;
    try {
      return parse();
    } finally {
      this.#depth--;
    }
  }

  chainLimit(): never {
    this.report(
      'PAR_NESTING_LIMIT',
      this.token,
      `this expression chains more than ${maxChain} operations`,
      'Name intermediate results with let, or keep the items in a list.',
    );
    throw new ParseStop(true);
  }

  span(start: number): Span {
    return { start, end: this.previousEnd };
  }
}

export function quote(text: string): string {
  return `\`${text}\``;
}

/** How a token is named in a message. */
export function describe(token: Token): string {
  switch (token.kind) {
    case 'end':
      return 'the end of the file';
    case 'string':
    case 'string-part':
      return 'a string';
    case 'hole':
    case 'hole-end':
    case 'string-end':
      return 'the rest of an interpolated string';
    case 'keyword':
      return `the reserved word ${quote(token.text)}`;
    default:
      return quote(token.text.length > 40 ? `${token.text.slice(0, 40)}…` : token.text);
  }
}
