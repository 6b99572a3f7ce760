import type { Globals } from './unit.js';

/** Whether code may be evaluated later than it stands without a difference. */
const isFixed = (code: string): boolean => /^(?:[A-Za-z_][\w]*|\(?-?\d+n?\)?)$/.test(code);

/** Statements of one generated function, in order; `value` code returned by the compiler runs after them. */
export class Emitter {
  private lines: string[] = [];

  constructor(protected readonly globals: Globals) {}

  protected emit(line: string): void {
    this.lines.push(line);
  }

  /** Runs `body` with statements of its own. */
  protected captured<T>(body: () => T): { readonly result: T; readonly lines: readonly string[] } {
    const outer = this.lines;
    this.lines = [];
    try {
      const result = body();
      return { result, lines: this.lines };
    } finally {
      this.lines = outer;
    }
  }

  protected block(head: string, body: () => void, foot = '}'): void {
    const { lines } = this.captured(body);
    this.emit(head);
    for (const line of lines) this.emit(line);
    this.emit(foot);
  }

  /** Evaluates to a name or literal. */
  protected fixed(code: string): string {
    if (isFixed(code)) return code;
    const name = this.globals.unit.fresh('t');
    this.emit(`const ${name} = ${code};`);
    return name;
  }

  /** Values left to right: what stands before a value that needs statements is evaluated before them. */
  protected inOrder(parts: readonly (() => string)[]): string[] {
    const codes: string[] = [];
    for (const part of parts) {
      const { result, lines } = this.captured(part);
      if (lines.length > 0) {
        for (const [index, code] of codes.entries()) codes[index] = this.fixed(code);
        for (const line of lines) this.emit(line);
      }
      codes.push(result);
    }
    return codes;
  }
}
