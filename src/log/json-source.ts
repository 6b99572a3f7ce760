import { isUtf8 } from 'node:buffer';
import { WorldError } from '../errors.js';

/** Most bytes one JSON text may have. */
const maxBytes = 64 * 1024 * 1024;
const maxDepth = 1000;
const numberToken = /-?[0-9][0-9.eE+-]*/y;
const stringBody = /[^"\\\u0000-\u001f]*/y;

/**
 * A strict JSON reader: valid UTF-8, exactly one value, no duplicate keys, no escaped surrogates, at most 1000 levels
 * deep. The caller decides what a number becomes.
 * @throws WorldError `json-too-large`, `json-syntax`, `json-duplicate-key`, `json-surrogate`, `json-depth`
 */
export function parseJson<Value>(source: Buffer, number: (token: string) => Value): Value {
  if (source.length > maxBytes) {
    throw new WorldError('json-too-large', `the JSON text has ${source.length} bytes; the limit is ${maxBytes}`);
  }
  if (!isUtf8(source)) throw new WorldError('json-syntax', 'the JSON text is not valid UTF-8');
  const reader = new SourceReader(source.toString('utf8'), number);
  const value = reader.value(0);
  reader.end();
  return value as Value;
}

class SourceReader<Value> {
  readonly #text: string;
  readonly #number: (token: string) => Value;
  #at = 0;

  constructor(text: string, number: (token: string) => Value) {
    this.#text = text;
    this.#number = number;
  }

  value(depth: number): unknown {
    if (depth > maxDepth) throw new WorldError('json-depth', `the JSON text is nested deeper than ${maxDepth} levels`);
    this.#blank();
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(depth);
      case '[':
        return this.#array(depth);
      case '"':
        return this.#string();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      default:
        return this.#numberToken();
    }
  }

  end(): void {
    this.#blank();
    if (this.#at < this.#text.length) throw this.#syntax('text after the value');
  }

  #object(depth: number): Record<string, unknown> {
    const members: Record<string, unknown> = {};
    this.#at++;
    if (this.#closes('}')) return members;
    for (;;) {
      this.#blank();
      if (this.#text[this.#at] !== '"') throw this.#syntax('a key was expected');
      const key = this.#string();
      if (Object.hasOwn(members, key)) {
        throw new WorldError('json-duplicate-key', `the key ${JSON.stringify(key.slice(0, 80))} is given twice`);
      }
      this.#expect(':');
      const value = this.value(depth + 1);
      // A plain assignment to __proto__ would set the prototype and lose the member.
      if (key === '__proto__') {
        Object.defineProperty(members, key, { value, enumerable: true, writable: true, configurable: true });
      } else members[key] = value;
      if (this.#closes('}')) return members;
      this.#expect(',');
    }
  }

  #array(depth: number): unknown[] {
    const items: unknown[] = [];
    this.#at++;
    if (this.#closes(']')) return items;
    for (;;) {
      items.push(this.value(depth + 1));
      if (this.#closes(']')) return items;
      this.#expect(',');
    }
  }

  #string(): string {
    let text = '';
    this.#at++;
    for (;;) {
      stringBody.lastIndex = this.#at;
      const plain = stringBody.exec(this.#text)?.[0] ?? '';
      text += plain;
      this.#at += plain.length;
      const mark = this.#text[this.#at];
      if (mark === '"') {
        this.#at++;
        return text;
      }
      if (mark !== '\\') throw this.#syntax(mark === undefined ? 'an unfinished string' : 'a raw control character');
      text += this.#escape();
    }
  }

  #escape(): string {
    const letter = this.#text[this.#at + 1] ?? '';
    if (letter !== 'u') {
      const at = '"\\/bfnrt'.indexOf(letter);
      if (letter === '' || at < 0) throw this.#syntax('an unknown escape');
      this.#at += 2;
      return '"\\/\b\f\n\r\t'[at] ?? '';
    }
    const digits = this.#text.slice(this.#at + 2, this.#at + 6);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.#syntax('an unfinished \\u escape');
    const unit = Number.parseInt(digits, 16);
    if (unit >= 0xd800 && unit <= 0xdfff) {
      throw new WorldError('json-surrogate', `escaped surrogates are refused: \\u${digits}`);
    }
    this.#at += 6;
    return String.fromCharCode(unit);
  }

  #numberToken(): Value {
    numberToken.lastIndex = this.#at;
    const token = numberToken.exec(this.#text)?.[0];
    if (token === undefined) throw this.#syntax('a value was expected');
    this.#at += token.length;
    return this.#number(token);
  }

  #word<Word>(word: string, value: Word): Word {
    if (!this.#text.startsWith(word, this.#at)) throw this.#syntax('a value was expected');
    this.#at += word.length;
    return value;
  }

  #closes(mark: string): boolean {
    this.#blank();
    if (this.#text[this.#at] !== mark) return false;
    this.#at++;
    return true;
  }

  #expect(mark: string): void {
    this.#blank();
    if (this.#text[this.#at] !== mark) throw this.#syntax(`"${mark}" was expected`);
    this.#at++;
  }

  #blank(): void {
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
      this.#at++;
    }
  }

  #syntax(what: string): WorldError {
    return new WorldError('json-syntax', `not JSON at character ${this.#at}: ${what}`, { data: { at: this.#at } });
  }
}
