import type { JsonValue } from '../log/types.js';

/** Deepest nesting and largest number of values a request may have. */
const MAX_DEPTH = 128;
const MAX_VALUES = 100_000;

export type StrictJson =
  /** `flaw` names something JSON allows and we do not, because passing it on would change what the caller said. */
  | { readonly ok: true; readonly value: JsonValue; readonly flaw: string | null }
  | { readonly ok: false; readonly message: string };

/**
 * Parses a request body. The order of keys is kept. Not JSON, not UTF-8, too deep or too many values: refused without
 * building anything. Duplicate keys, `__proto__`, numbers that would be rounded and lone surrogates are reported as a
 * flaw beside the value, so that the refusal can name the request it belongs to.
 */
export function parseStrictJson(bytes: Buffer): StrictJson {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { ok: false, message: 'the body is not valid UTF-8' };
  }
  const found = new Inspection(text).run();
  if (found.fatal !== null) return { ok: false, message: found.fatal };
  try {
    return { ok: true, value: JSON.parse(text) as JsonValue, flaw: found.flaw };
  } catch {
    return { ok: false, message: 'the body is not valid JSON' };
  }
}

interface Frame {
  /** Keys seen so far; null in an array. */
  readonly keys: Set<string> | null;
  expectsKey: boolean;
}

/** One pass over the text with a stack of its own. Malformed text is left to JSON.parse. */
class Inspection {
  readonly #text: string;
  readonly #frames: Frame[] = [];
  #values = 1;
  #flaw: string | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  run(): { fatal: string | null; flaw: string | null } {
    let at = 0;
    while (at < this.#text.length) {
      const char = this.#text.charAt(at);
      const frame = this.#frames.at(-1);
      if (char === '"') at = this.#string(at, frame);
      else if (char === '-' || (char >= '0' && char <= '9')) at = this.#number(at);
      else {
        at += 1;
        if (char === '{') this.#frames.push({ keys: new Set(), expectsKey: true });
        else if (char === '[') this.#frames.push({ keys: null, expectsKey: false });
        else if (char === '}' || char === ']') this.#frames.pop();
        else if (char === ':' && frame !== undefined) frame.expectsKey = false;
        else if (char === ',' && frame !== undefined) {
          this.#values += 1;
          frame.expectsKey = frame.keys !== null;
        }
      }
      if (this.#frames.length > MAX_DEPTH) return this.#refuse(`nested deeper than ${MAX_DEPTH} levels`);
      if (this.#values > MAX_VALUES) return this.#refuse(`more than ${MAX_VALUES} values`);
    }
    return { fatal: null, flaw: this.#flaw };
  }

  #refuse(why: string) {
    return { fatal: `the body is ${why}`.replace('is more', 'holds more'), flaw: null };
  }

  #string(start: number, frame: Frame | undefined): number {
    let at = start + 1;
    let escaped = false;
    for (; at < this.#text.length; at++) {
      const code = this.#text.charCodeAt(at);
      if (code === 0x22) break;
      if (code === 0x5c) {
        escaped = true;
        at += 1;
      }
    }
    const end = at + 1;
    if (!escaped && frame?.expectsKey !== true) return end;
    const value = decodeString(this.#text.slice(start, end), escaped);
    if (escaped && /\p{Surrogate}/u.test(value)) this.#note('a string holds a lone surrogate');
    if (frame?.expectsKey === true && frame.keys !== null) {
      if (value === '__proto__') this.#note('the key "__proto__" is not allowed');
      if (frame.keys.has(value)) this.#note(`duplicate key ${JSON.stringify(value.slice(0, 100))}`);
      frame.keys.add(value);
    }
    return end;
  }

  #number(start: number): number {
    let at = start;
    while (at < this.#text.length && '+-.eE0123456789'.includes(this.#text.charAt(at))) at += 1;
    const token = this.#text.slice(start, at);
    const value = Number(token);
    const rounded = /^-?\d+$/.test(token) ? !Number.isSafeInteger(value) : !Number.isFinite(value);
    if (rounded) this.#note(`the number ${token.slice(0, 40)} cannot be kept exactly`);
    return at;
  }

  #note(flaw: string): void {
    this.#flaw ??= flaw;
  }
}

function decodeString(literal: string, escaped: boolean): string {
  if (!escaped) return literal.slice(1, -1);
  try {
    return String(JSON.parse(literal));
  } catch {
    return '';
  }
}
