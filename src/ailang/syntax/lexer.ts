import { readEscape } from './escapes.js';
import { type Comment, keywords, operatorsBy, type Token } from './tokens.js';

export interface Lexed {
  /** Ends with one `end` token. */
  readonly tokens: readonly Token[];
  readonly comments: readonly Comment[];
  /** Other languages' ways of writing a token, read as what they mean. */
  readonly mistakes: readonly Mistake[];
}

export interface Mistake {
  readonly start: number;
  readonly message: string;
  readonly hint: string;
}

/** A text with more bad places than this is no program: lexing ends. */
const maximumIllegal = 100;
const largestInt = 9223372036854775807n;
const nameStart = /[\p{L}_]/u;
const namePattern = /[\p{L}_][\p{L}\p{N}\p{M}_']*/uy;
const numberPattern =
  /0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|[0-9]+/y;

/** Quotes of other languages and of word processors, with the ones that end their strings. */
const foreignQuotes: Readonly<Record<string, string>> = { '`': '`', '“': '”', '‘': '’' };
const foreignDigits = /(?:_[0-9]+)+|\.(?![.\p{L}_0-9])/uy;

/** Turns the normalised text into tokens; never throws, a bad place becomes an `illegal` token. */
export function lex(text: string): Lexed {
  return new Lexer(text).run();
}

const ordinary = (pairs: string): [string, string][] =>
  pairs.split(' ').map((pair) => [pair[0] ?? '', `Write \`${pair.slice(1)}\`.`]);

/** Characters of typeset programs, with what to type instead. */
const lookalikes: ReadonlyMap<string, string> = new Map([
  ...ordinary('→-> ⇒=> ←<- ≠!= ≤<= ≥>= ×* ·* ÷/ −- –- —- …... ∷:: ∧&& ∨|| ¬not ，, ；; ：: （( ）)'),
  ...[...'`“”‘’«»'].map((quote): [string, string] => [quote, 'Strings are written "…" with ${expr} for values.']),
  ...[...'\u00a0\u2007\u202f\u200b\u3000'].map((blank): [string, string] => [blank, 'Write an ordinary space.']),
]);

class Lexer {
  #at = 0;
  #newline = false;
  #illegal = 0;
  readonly #tokens: Token[] = [];
  readonly #comments: Comment[] = [];
  readonly #mistakes: Mistake[] = [];
  /** One entry for each open interpolation hole: how many braces are open inside it. */
  readonly #holes: number[] = [];
  /** The quote that ends the string around each of them. */
  readonly #quotes: string[] = [];

  constructor(readonly text: string) {}

  run(): Lexed {
    for (;;) {
      this.#skipBlank();
      if (this.#at >= this.text.length) break;
      this.#token();
    }
    if (this.#holes.length > 0) {
      const open = this.#tokens.findLast((token) => token.kind === 'hole');
      this.#push(
        'illegal',
        open?.start ?? this.#at,
        'this interpolation hole is never closed',
        'Close it with } before the string ends.',
      );
    }
    this.#push('end', this.#at, 'end of file');
    return { tokens: this.#tokens, comments: this.#comments, mistakes: this.#mistakes };
  }

  #push(kind: Token['kind'], start: number, text: string, hint?: string): void {
    const end = this.#at;
    const newline = this.#newline;
    this.#tokens.push(
      hint === undefined ? { kind, text, start, end, newline } : { kind, text, start, end, newline, hint },
    );
    if (kind === 'illegal' && ++this.#illegal >= maximumIllegal) this.#at = this.text.length;
    this.#newline = false;
  }

  #skipBlank(): void {
    for (; this.#at < this.text.length; ) {
      const char = this.text[this.#at] ?? '';
      if (char === '\n') this.#newline = true;
      if (char === ' ' || char === '\t' || char === '\r' || char === '\n') {
        this.#at++;
        continue;
      }
      const two = this.text.slice(this.#at, this.#at + 2);
      if (two !== '--' && two !== '//') return;
      const start = this.#at;
      const end = this.text.indexOf('\n', start);
      this.#at = end === -1 ? this.text.length : end;
      const ownLine = this.#newline || this.#tokens.length === 0;
      this.#comments.push({ text: this.text.slice(start, this.#at).trimEnd(), start, end: this.#at, ownLine });
    }
  }

  #token(): void {
    const start = this.#at;
    const char = this.text[start] ?? '';
    const closer = char === '"' || char === "'" ? char : foreignQuotes[char];
    if (closer !== undefined) {
      this.#at++;
      if (closer !== char || char === '`') this.#foreignString(start, char, closer);
      this.#string(start, closer);
      return;
    }
    if (char >= '0' && char <= '9') {
      this.#number(start);
      return;
    }
    if (nameStart.test(char) || char >= '\ud800') {
      const name = this.#match(namePattern);
      if (name !== null) {
        this.#push(keywords.has(name) ? 'keyword' : 'name', start, name);
        return;
      }
    }
    this.#operator(start, char);
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) return null;
    this.#at += found.length;
    return found;
  }

  #operator(start: number, char: string): void {
    if (this.#holes.length > 0 && (char === '{' || char === '}')) {
      const depth = this.#holes[this.#holes.length - 1] ?? 0;
      if (char === '}' && depth === 0) {
        this.#holes.pop();
        this.#at++;
        this.#push('hole-end', start, '}');
        this.#string(start + 1, this.#quotes.pop() ?? '"');
        return;
      }
      this.#holes[this.#holes.length - 1] = depth + (char === '{' ? 1 : -1);
    }
    if (this.#foreignComment(start, char)) return;
    const operator = operatorsBy.get(char)?.find((candidate) => this.text.startsWith(candidate, start));
    if (operator !== undefined) {
      this.#at += operator.length;
      this.#push('operator', start, operator);
      return;
    }
    const point = String.fromCodePoint(this.text.codePointAt(start) ?? 0);
    this.#at += point.length;
    const hint = lookalikes.get(point) ?? 'Remove it.';
    this.#push('illegal', start, `unexpected character ${JSON.stringify(point)}`, hint);
  }

  /** A string in other quotes that ends on its line is read as one. */
  #foreignString(start: number, char: string, closer: string): void {
    const end = this.text.indexOf(closer, start + 1);
    const message = `unexpected character ${JSON.stringify(char)}`;
    this.#mistake(start, message, 'Strings are written "…" with ${expr} for values.');
    if (end === -1) this.#at = this.text.length;
  }

  #mistake(start: number, message: string, hint: string): void {
    if (this.#mistakes.length < maximumIllegal) this.#mistakes.push({ start, message, hint });
  }

  /** Comments of other languages are passed over, however long they are. */
  #foreignComment(start: number, char: string): boolean {
    const block = this.text.startsWith('/*', start);
    if (!block && (char !== '#' || this.text[start + 1] === '[')) return false;
    const end = block ? this.text.indexOf('*/', start + 2) : this.text.indexOf('\n', start);
    this.#at = end === -1 ? this.text.length : end + (block ? 2 : 0);
    const what = block ? 'there are no block comments' : '`#` begins no comment';
    this.#mistake(start, what, 'Begin each line of a comment with --.');
    return true;
  }

  #number(start: number): void {
    const digits = this.#match(numberPattern) ?? '';
    if (this.#foreignNumber(start, digits)) return;
    if (/^0[xXbBoO]/.test(digits)) {
      const value = BigInt(digits);
      if (value >> 64n !== 0n) this.#tooLarge(start, digits);
      else this.#numberToken('int', start, digits, BigInt.asIntN(64, value));
    } else if (/[.eE]/.test(digits)) this.#numberToken('float', start, digits, Number(digits));
    else if (digits.length > 19 || BigInt(digits) > largestInt) this.#tooLarge(start, digits);
    else this.#numberToken('int', start, digits, BigInt(digits));
  }

  /** `1_000` and `1.` of other languages. */
  #foreignNumber(start: number, digits: string): boolean {
    const next = this.text[this.#at];
    if (next !== '_' && next !== '.') return false;
    foreignDigits.lastIndex = this.#at;
    const found = foreignDigits.exec(this.text)?.[0];
    if (found === undefined || !/^(?:[0-9]+|0[xXbBoO].+)$/.test(digits)) return false;
    if (found === '.' && digits.length > 1 && /^0[xXbBoO]/.test(digits)) return false;
    this.#at += found.length;
    if (found === '.') {
      this.#mistake(start, 'a float has digits after its point', `Write ${digits}.0.`);
      this.#numberToken('float', start, digits, Number(digits));
      return true;
    }
    const whole = (digits + found).replaceAll('_', '');
    this.#mistake(start, 'digits are not grouped', `Write ${whole.slice(0, 40)}.`);
    this.#numberToken('int', start, whole, BigInt.asIntN(64, BigInt(whole.slice(0, 40))));
    return true;
  }

  #numberToken(kind: 'int' | 'float', start: number, text: string, value: bigint | number): void {
    const end = this.#at;
    const newline = this.#newline;
    this.#tokens.push(
      typeof value === 'bigint'
        ? { kind, text, start, end, newline, int: value }
        : { kind, text, start, end, newline, float: value },
    );
    this.#newline = false;
  }

  #tooLarge(start: number, digits: string): void {
    const shown = digits.length > 40 ? `${digits.slice(0, 40)}…` : digits;
    const smallest =
      BigInt(digits.slice(0, 40)) === largestInt + 1n ? 'The smallest int is written 0x8000000000000000. ' : '';
    this.#push(
      'illegal',
      start,
      `integer literal ${shown} is out of range`,
      `${smallest}The largest int is ${largestInt}; write ${digits.length > 40 ? 'a float such as 1e20' : `${shown}.0`} for a float.`,
    );
  }

  /** Reads on inside a string until its quote or a hole; `start` is where this piece begins. */
  #string(start: number, quote: string): void {
    let value = '';
    let from = this.#at;
    for (;;) {
      const char = this.text[this.#at];
      if (char === undefined && this.#holes.length > 0) return;
      if (char === undefined) {
        this.#push(
          'illegal',
          start,
          'this string is never closed',
          `Close it with ${quote} before the end of the file.`,
        );
        this.#holes.length = 0;
        return;
      }
      if (char === quote) {
        value += this.text.slice(from, this.#at++);
        this.#endString(start, value);
        return;
      }
      if (char === '\\') {
        value += this.text.slice(from, this.#at);
        const found = readEscape(this.text, this.#at);
        const at = this.#at;
        this.#at += found.length;
        if (found.ok) value += found.value;
        else this.#push('illegal', at, found.message, 'Double the backslash to write it literally.');
        from = this.#at;
        continue;
      }
      if (char === '$' && quote !== "'" && this.text[this.#at + 1] === '{') {
        value += this.text.slice(from, this.#at);
        this.#push('string-part', start, value);
        const hole = this.#at;
        this.#at += 2;
        this.#push('hole', hole, '${');
        this.#holes.push(0);
        this.#quotes.push(quote);
        return;
      }
      this.#at++;
    }
  }

  #endString(start: number, value: string): void {
    if (this.#tokens.at(-1)?.kind !== 'hole-end') {
      this.#push('string', start, value);
      return;
    }
    this.#push('string-part', start, value);
    this.#push('string-end', this.#at - 1, '"');
  }
}
