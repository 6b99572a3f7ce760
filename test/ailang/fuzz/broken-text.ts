import { lex } from '../../../src/ailang/syntax/lexer.js';
import type { Random } from '../../../src/ailang/testing/random.js';

/** Texts near AILANG programs and far from them, one after the other from a seed. */
export class BrokenTexts {
  readonly #programs: readonly string[];
  readonly #pieces: readonly string[];

  constructor(
    programs: readonly string[],
    readonly random: Random,
  ) {
    this.#programs = programs;
    this.#pieces = [...new Set(programs.flatMap(pieces))];
  }

  next(): string {
    const { random } = this;
    switch (random.between(0, 9)) {
      case 0:
        return this.#noise();
      case 1:
        return Array.from({ length: random.between(1, 400) }, () => random.pick(this.#pieces)).join(' ');
      case 2:
      case 3:
        return this.#flipped();
      default:
        return this.#mutated();
    }
  }

  /** A program with some tokens deleted, doubled, exchanged, replaced, or torn apart. */
  #mutated(): string {
    const { random } = this;
    const parts = pieces(random.pick(this.#programs));
    for (let edits = random.between(1, 6); edits > 0; edits--) {
      const at = random.between(0, parts.length - 1);
      const other = random.between(0, parts.length - 1);
      const [part, exchanged] = [parts[at] ?? '', parts[other] ?? ''];
      switch (random.between(0, 7)) {
        case 0:
          parts.splice(at, 1);
          break;
        case 1:
          parts.splice(at, 0, part, ' ');
          break;
        case 2:
          parts[at] = exchanged;
          parts[other] = part;
          break;
        case 3:
          parts[at] = random.pick(this.#pieces);
          break;
        case 4:
          parts.splice(at, 0, ' ', random.pick(this.#pieces), ' ');
          break;
        case 5:
          parts.splice(at, random.between(1, 40));
          break;
        case 6:
          parts.splice(at, 0, ...pieces(random.pick(this.#programs)).slice(0, random.between(1, 60)));
          break;
        default:
          parts[at] = part.slice(0, random.between(0, part.length));
      }
      if (parts.length === 0) parts.push('');
    }
    return parts.join('');
  }

  /** Bytes of a program changed, so that it may be no UTF-8 any more. */
  #flipped(): string {
    const bytes = Buffer.from(this.random.pick(this.#programs));
    for (let flips = this.random.between(1, 8); flips > 0; flips--) {
      const at = this.random.between(0, bytes.length - 1);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << this.random.between(0, 7));
    }
    return bytes.toString('utf8');
  }

  #noise(): string {
    const { random } = this;
    const bytes = Buffer.from(Array.from({ length: random.between(0, 600) }, () => random.between(0, 255)));
    if (random.between(0, 1) === 0) return bytes.toString(random.pick(['utf8', 'latin1', 'utf16le'] as const));
    return Array.from({ length: random.between(0, 200) }, () =>
      String.fromCodePoint(
        random.pick([random.between(0, 0x7f), random.between(0, 0xffff), random.between(0, 0x10ffff)]),
      ),
    ).join('');
  }
}

/** The tokens of a text and the space between them. */
function pieces(text: string): string[] {
  const found: string[] = [];
  let end = 0;
  for (const token of lex(text).tokens) {
    if (token.start > end) found.push(text.slice(end, token.start));
    if (token.end > token.start) found.push(text.slice(token.start, token.end));
    end = Math.max(end, token.end);
  }
  return found;
}
