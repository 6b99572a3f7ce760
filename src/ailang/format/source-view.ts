import { lex } from '../syntax/lexer.js';
import type { Source } from '../syntax/source.js';
import type { Comment, Token } from '../syntax/tokens.js';

const openers = new Set(['(', '[', '#[', '{']);
const closers = new Set([')', ']', '}']);

/** A comment stands where the canonical form has no line for it. */
export class CommentInTheWay extends Error {
  constructor(readonly comment: Comment) {
    super('a comment stands inside an expression');
  }
}

/** The text a tree was read from: how literals were spelt, where brackets stand, and the comments not yet printed. */
export class SourceView {
  readonly #tokens: readonly Token[];
  readonly #comments: Comment[];
  readonly #opens = new Map<number, number>();
  readonly #closes = new Map<number, number>();
  readonly #pieces = new Map<number, readonly string[]>();

  /** @param source null for a tree that was made, not read */
  constructor(readonly source: Source | null) {
    const { tokens, comments } = source === null ? { tokens: [], comments: [] } : lex(source.text);
    this.#tokens = tokens;
    this.#comments = [...comments];
    this.#matchBrackets();
    this.#findPieces();
  }

  /** Comments no one asked for yet. */
  get left(): readonly Comment[] {
    return this.#comments;
  }

  /** The spelling of a literal, or null. */
  spelling(span: { readonly start: number; readonly end: number }): string | null {
    return this.source?.text.slice(span.start, span.end) ?? null;
  }

  /** The literal pieces around the holes of an interpolated string, quotes left out; null for a made tree. */
  pieces(start: number): readonly string[] | null {
    return this.#pieces.get(start) ?? null;
  }

  /** Start of the bracket that the closing bracket ending at `end` belongs to. */
  opener(end: number): number {
    return this.#opens.get(end - 1) ?? end;
  }

  /** Start of the closing bracket that belongs to the opening one at `start`. */
  closer(start: number): number {
    return this.#closes.get(start) ?? start;
  }

  /** The first token with this text at or after an offset. */
  find(text: string, from: number): number {
    for (let index = firstFrom(this.#tokens, from); ; index++) {
      const token = this.#tokens[index];
      if (token === undefined) return from;
      if (token.text === text && token.kind !== 'string') return token.start;
    }
  }

  /** Takes out the comments that begin from `from` up to `to`. */
  take(from: number, to: number): readonly Comment[] {
    if (this.#comments.length === 0) return [];
    const first = firstFrom(this.#comments, from);
    let count = 0;
    while ((this.#comments[first + count]?.start ?? to) < to) count++;
    return this.#comments.splice(first, count);
  }

  /** @throws CommentInTheWay when a comment is left between two offsets */
  refuseComments(from: number, to: number): void {
    const found = this.#comments[firstFrom(this.#comments, from)];
    if (found !== undefined && found.start < to) throw new CommentInTheWay(found);
  }

  sameLine(a: number, b: number): boolean {
    return this.source !== null && !this.source.text.slice(Math.min(a, b), Math.max(a, b)).includes('\n');
  }

  /** Whether an empty line lies between two offsets. */
  blankBetween(a: number, b: number): boolean {
    return this.source !== null && /\n[ \t\r]*\n/.test(this.source.text.slice(a, b));
  }

  #matchBrackets(): void {
    const open: number[] = [];
    for (const { kind, text, start } of this.#tokens) {
      if (kind !== 'operator') continue;
      if (openers.has(text)) open.push(start);
      else if (closers.has(text)) {
        const opener = open.pop();
        if (opener === undefined) continue;
        this.#opens.set(start, opener);
        this.#closes.set(opener, start);
      }
    }
  }

  #findPieces(): void {
    const open: { readonly start: number; readonly pieces: string[] }[] = [];
    for (const [index, { kind, start, end }] of this.#tokens.entries()) {
      if (kind === 'string-part') {
        const text = this.source?.text.slice(start, end) ?? '';
        const continues = this.#tokens[index - 1]?.kind === 'hole-end';
        if (!continues) open.push({ start, pieces: [] });
        const last = this.#tokens[index + 1]?.kind === 'string-end';
        open.at(-1)?.pieces.push(text.slice(continues ? 0 : 1, last ? -1 : undefined));
      } else if (kind === 'string-end') {
        const done = open.pop();
        if (done !== undefined) this.#pieces.set(done.start, done.pieces);
      }
    }
  }
}

/** Index of the first item that begins at or after an offset. */
function firstFrom(items: readonly { readonly start: number }[], from: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.start ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
