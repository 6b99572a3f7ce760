import type { Position } from '../diagnostic.js';

/** A source text as the lexer sees it: without BOM, in NFC, with offsets that turn into positions on demand. */
export class Source {
  readonly text: string;
  readonly #lineStarts: number[];
  readonly #plain: boolean;
  #memo = { offset: 0, column: 1 };

  constructor(
    readonly file: string,
    raw: string,
  ) {
    this.text = (raw.charCodeAt(0) === 0xfeff ? raw.slice(1) : raw).normalize('NFC');
    this.#lineStarts = [0];
    let next = this.text.indexOf('\n');
    while (next !== -1) {
      this.#lineStarts.push(next + 1);
      next = this.text.indexOf('\n', next + 1);
    }
    this.#plain = !/[\ud800-\udfff]/.test(this.text);
  }

  /** Line and column of a UTF-16 offset; columns count code points. */
  position(offset: number): Position {
    const line = this.#lineOf(offset);
    const start = this.#lineStarts[line] ?? 0;
    const column = this.#plain ? offset - start + 1 : this.#column(start, offset);
    return { file: this.file, line: line + 1, column };
  }

  /** The text of a line, counted from 1, without its terminator. */
  line(number: number): string {
    const start = this.#lineStarts[number - 1] ?? this.text.length;
    const end = this.#lineStarts[number] ?? this.text.length + 1;
    return this.text.slice(start, end - 1).replace(/\r$/, '');
  }

  #lineOf(offset: number): number {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Walks on from the last answer, because positions are mostly asked for in order and a line may be very long. */
  #column(start: number, offset: number): number {
    let at = start;
    let column = 1;
    if (this.#memo.offset >= start && this.#memo.offset <= offset) {
      at = this.#memo.offset;
      column = this.#memo.column;
    }
    while (at < offset) {
      at += (this.text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
      column++;
    }
    this.#memo = { offset: at, column };
    return column;
  }
}
