/** A pattern translated for JavaScript's engine, or why it is no valid pattern. */
export type RegexSource =
  | { readonly source: string; readonly multiline: boolean; readonly names: readonly (string | null)[] }
  | { readonly error: string };

class SyntaxFailure extends Error {}

interface Flags {
  i: boolean;
  m: boolean;
  s: boolean;
}

const CLASSES: Readonly<Record<string, string>> = { d: '0-9', w: '0-9A-Za-z_', s: '\\t\\n\\f\\r ' };
const POSIX: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7f',
  blank: '\\t ',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};
const CONTROL: Readonly<Record<string, string>> = { a: '\\x07', f: '\\f', n: '\\n', r: '\\r', t: '\\t', v: '\\v' };
const MAX_REPEAT = 1000;

/**
 * Translates RE2 syntax into a JavaScript source that needs no flag but `m`, so that V8 can hand a pattern that
 * backtracks too much to its linear engine. Backreferences and lookaround, which RE2 has not, are refused.
 */
export function translateRegex(pattern: string): RegexSource {
  try {
    const translated = new Translator([...pattern]).run();
    new RegExp(translated.source);
    return translated;
  } catch (error) {
    if (error instanceof SyntaxFailure) return { error: `error parsing regexp: ${error.message}` };
    if (error instanceof SyntaxError) return { error: `error parsing regexp: invalid pattern: ${pattern}` };
    throw error;
  }
}

class Translator {
  private at = 0;
  private flags: Flags = { i: false, m: false, s: false };
  private readonly outer: Flags[] = [];
  private readonly names: (string | null)[] = [];
  private multiline = false;
  /** Whether a quantifier may follow. */
  private repeatable = false;

  constructor(private readonly input: readonly string[]) {}

  run(): { source: string; multiline: boolean; names: readonly (string | null)[] } {
    let source = '';
    while (this.at < this.input.length) source += this.next();
    if (this.outer.length > 0) throw new SyntaxFailure('missing closing )');
    return { source, multiline: this.multiline, names: this.names };
  }

  private next(): string {
    const character = this.take();
    switch (character) {
      case '(':
        return this.group();
      case ')':
        return this.close();
      case '[':
        return this.atom(this.bracket());
      case '\\':
        return this.escape();
      case '*':
      case '+':
      case '?':
        return this.quantifier(character);
      case '{':
        return this.counted();
      case '|':
        return this.noAtom('|');
      case '.':
        return this.atom(this.flags.s ? '[\\s\\S]' : '[^\\n]');
      case '^':
      case '$':
        return this.noAtom(this.anchor(character));
      default:
        return this.atom(this.literal(character));
    }
  }

  private take(): string {
    const character = this.input[this.at];
    if (character === undefined) throw new SyntaxFailure('trailing backslash at end of expression');
    this.at += 1;
    return character;
  }

  private atom(source: string): string {
    this.repeatable = true;
    return source;
  }

  private noAtom(source: string): string {
    this.repeatable = false;
    return source;
  }

  /** One flag serves the whole pattern, so anchors of the other kind are spelled out. */
  private anchor(character: '^' | '$'): string {
    if (!this.flags.m) return character;
    this.multiline = true;
    return character;
  }

  private literal(character: string): string {
    if (!this.flags.i) return quote(character);
    const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
    return lower === upper || [...lower].length > 1 || [...upper].length > 1
      ? quote(character)
      : `[${quote(lower)}${quote(upper)}]`;
  }

  private group(): string {
    const saved = { ...this.flags };
    if (this.input[this.at] !== '?') {
      this.outer.push(saved);
      this.names.push(null);
      return this.noAtom('(');
    }
    this.at += 1;
    const rest = this.input.slice(this.at).join('');
    const named = /^P?<([A-Za-z_]\w*)>/.exec(rest);
    if (named !== null) {
      this.at += named[0].length;
      this.outer.push(saved);
      if (this.names.includes(named[1] ?? '')) throw new SyntaxFailure(`duplicate capture group name: ${named[1]}`);
      this.names.push(named[1] ?? '');
      return this.noAtom('(');
    }
    const flags = /^([ims]*)(?:-([ims]+))?([:)])/.exec(rest);
    if (flags === null) throw new SyntaxFailure(`invalid or unsupported Perl syntax: (?${rest.slice(0, 2)}`);
    this.at += flags[0].length;
    for (const flag of flags[1] ?? '') this.flags[flag as keyof Flags] = true;
    for (const flag of flags[2] ?? '') this.flags[flag as keyof Flags] = false;
    if (flags[3] === ')') return this.noAtom('');
    this.outer.push(saved);
    return this.noAtom('(?:');
  }

  private close(): string {
    const flags = this.outer.pop();
    if (flags === undefined) throw new SyntaxFailure('unexpected )');
    this.flags = flags;
    return this.atom(')');
  }

  private quantifier(quantifier: string): string {
    if (!this.repeatable) throw new SyntaxFailure(`missing argument to repetition operator: ${quantifier}`);
    this.repeatable = false;
    if (this.input[this.at] !== '?') return quantifier;
    this.at += 1;
    return `${quantifier}?`;
  }

  /** A brace that is no repetition stands for itself. */
  private counted(): string {
    const counts = /^(\d+)(?:(,)(\d*))?\}/.exec(this.input.slice(this.at, this.at + 16).join(''));
    if (counts === null) return this.atom('\\{');
    this.at += counts[0].length;
    const [low, high] = [Number(counts[1]), Number(counts[3] || counts[1])];
    if (low > MAX_REPEAT || high > MAX_REPEAT || high < low)
      throw new SyntaxFailure(`invalid repeat count: {${counts[0]}`);
    return this.quantifier(`{${counts[0]}`);
  }

  private escape(): string {
    const character = this.take();
    if (character === 'A') return this.noAtom(this.absolute('^'));
    if (character === 'z') return this.noAtom(this.absolute('$'));
    if (character === 'b' || character === 'B') return this.noAtom(`\\${character}`);
    if (character === 'Q') return this.quoted();
    const set = CLASSES[character.toLowerCase()];
    if (set !== undefined) return this.atom(`[${character === character.toLowerCase() ? '' : '^'}${set}]`);
    if (/[1-9k]/.test(character))
      throw new SyntaxFailure(`invalid escape sequence: \\${character} (no backreferences)`);
    return this.atom(this.literal(this.escapedCharacter(character)));
  }

  private absolute(anchor: string): string {
    if (this.multiline) throw new SyntaxFailure('\\A and \\z cannot be combined with (?m)');
    return anchor;
  }

  private quoted(): string {
    let source = '';
    while (this.at < this.input.length && !(this.input[this.at] === '\\' && this.input[this.at + 1] === 'E')) {
      source += this.literal(this.take());
    }
    this.at += 2;
    return this.atom(source);
  }

  private escapedCharacter(character: string): string {
    const control = CONTROL[character];
    if (control !== undefined)
      return JSON.parse(`"${control.replace('\\x07', '\\u0007').replace('\\v', '\\u000b')}"`) as string;
    if (character === 'x') {
      const digits = /^(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,6})\})/.exec(
        this.input.slice(this.at, this.at + 8).join(''),
      );
      const point = Number.parseInt(digits?.[1] ?? digits?.[2] ?? '', 16);
      if (digits === null || !(point <= 0x10ffff)) throw new SyntaxFailure('invalid escape sequence: \\x');
      this.at += digits[0].length;
      return String.fromCodePoint(point);
    }
    if (/[A-Za-z0-9]/.test(character)) throw new SyntaxFailure(`invalid escape sequence: \\${character}`);
    return character;
  }

  private bracket(): string {
    let source = '[';
    if (this.input[this.at] === '^') {
      source += '^';
      this.at += 1;
    }
    let first = true;
    for (;;) {
      const character = this.input[this.at];
      if (character === undefined) throw new SyntaxFailure('missing closing ]');
      this.at += 1;
      if (character === ']' && !first) return `${source}]`;
      first = false;
      source += this.bracketItem(character);
    }
  }

  private bracketItem(character: string): string {
    const posix = character === '[' ? /^:(\^?)(\w+):\]/.exec(this.input.slice(this.at, this.at + 12).join('')) : null;
    if (posix !== null) {
      const set = POSIX[posix[2] ?? ''];
      if (set === undefined || posix[1] === '^') throw new SyntaxFailure(`invalid character class range: [${posix[0]}`);
      this.at += posix[0].length;
      return set;
    }
    const low = this.classCharacter(character);
    if (low.length > 1 && low.startsWith('\\s')) return low.slice(2);
    if (this.input[this.at] !== '-' || this.input[this.at + 1] === ']' || this.input[this.at + 1] === undefined)
      return this.either(low);
    this.at += 1;
    const high = this.classCharacter(this.take());
    if ((high.codePointAt(0) ?? 0) < (low.codePointAt(0) ?? 0))
      throw new SyntaxFailure(`invalid character class range: ${low}-${high}`);
    const range = `${quote(low)}-${quote(high)}`;
    if (!this.flags.i) return range;
    if (/^[a-z]$/.test(low) && /^[a-z]$/.test(high)) return `${range}${low.toUpperCase()}-${high.toUpperCase()}`;
    if (/^[A-Z]$/.test(low) && /^[A-Z]$/.test(high)) return `${range}${low.toLowerCase()}-${high.toLowerCase()}`;
    return range;
  }

  private either(character: string): string {
    const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
    return this.flags.i && lower.length === upper.length ? quote(lower) + quote(upper) : quote(character);
  }

  /** One character, or `\s` and the members of a class such as `\d`. */
  private classCharacter(character: string): string {
    if (character !== '\\') return character;
    const escaped = this.take();
    const set = CLASSES[escaped];
    if (set !== undefined) return `\\s${set}`;
    if (CLASSES[escaped.toLowerCase()] !== undefined) return `\\s\\${escaped}`;
    return this.escapedCharacter(escaped);
  }
}

const quote = (text: string): string =>
  [...text]
    .map((character) =>
      /[\w ]/.test(character) || character > '\x7f'
        ? character
        : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
    )
    .join('');
