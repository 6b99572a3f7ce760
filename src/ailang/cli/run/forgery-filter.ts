const marks = ['policy:', 'policy-result:'].map((mark) => Buffer.from(mark));
const prefix = Buffer.from('worker: ');
const newline = 0x0a;

/**
 * Passes a program's standard error on, but marks lines that pretend to be the supervisor's. Holds back only the first
 * bytes of a line, as long as they could still become such a line.
 */
export class ForgeryFilter {
  #held: Buffer = Buffer.alloc(0);
  #atLineStart = true;

  push(chunk: Buffer): Buffer {
    const input = Buffer.concat([this.#held, chunk]);
    const output: Buffer[] = [];
    let at = 0;
    this.#held = Buffer.alloc(0);
    while (at < input.length) {
      if (this.#atLineStart) {
        const rest = input.subarray(at);
        if (marks.some((mark) => startsWith(rest, mark))) output.push(prefix);
        else if (marks.some((mark) => startsWith(mark, rest))) {
          this.#held = Buffer.from(rest);
          return Buffer.concat(output);
        }
      }
      const end = input.indexOf(newline, at);
      this.#atLineStart = end >= 0;
      const stop = end < 0 ? input.length : end + 1;
      output.push(input.subarray(at, stop));
      at = stop;
    }
    return Buffer.concat(output);
  }

  /** What is still held, and a newline when the last line has none: the supervisor's line must begin a line. */
  end(): Buffer {
    const rest = this.#held;
    const open = rest.length > 0 || !this.#atLineStart;
    this.#held = Buffer.alloc(0);
    this.#atLineStart = true;
    return open ? Buffer.concat([rest, Buffer.of(newline)]) : rest;
  }
}

const startsWith = (bytes: Buffer, part: Buffer): boolean =>
  bytes.length >= part.length && bytes.subarray(0, part.length).equals(part);
