/** JSON as a tree that keeps member order, repeated keys and the text of numbers. */
export type JsonNode =
  | { readonly k: 'null' }
  | { readonly k: 'bool'; readonly value: boolean }
  | { readonly k: 'number'; readonly text: string }
  | { readonly k: 'string'; readonly value: string }
  | { readonly k: 'array'; readonly items: readonly JsonNode[] }
  | { readonly k: 'object'; readonly members: readonly { readonly key: string; readonly value: JsonNode }[] };

export type JsonParse = { readonly value: JsonNode } | { readonly error: string };

const MAX_DEPTH = 1000;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\r\n]*/y;

class JsonError extends Error {}

/** Parses JSON text to the letter of RFC 8259; nesting beyond 1000 is an error. */
export function parseJson(text: string): JsonParse {
  try {
    return { value: new Parser(text).document() };
  } catch (error) {
    if (error instanceof JsonError) return { error: error.message };
    throw error;
  }
}

class Parser {
  private at = 0;

  constructor(private readonly text: string) {}

  document(): JsonNode {
    const value = this.value(0);
    this.space();
    if (this.at < this.text.length) throw this.unexpected('after top-level value');
    return value;
  }

  private value(depth: number): JsonNode {
    if (depth > MAX_DEPTH) throw new JsonError(`nesting deeper than ${MAX_DEPTH}`);
    this.space();
    switch (this.text[this.at]) {
      case '{':
        return this.object(depth);
      case '[':
        return this.array(depth);
      case '"':
        return { k: 'string', value: this.string() };
      case 't':
        return this.word('true', { k: 'bool', value: true });
      case 'f':
        return this.word('false', { k: 'bool', value: false });
      case 'n':
        return this.word('null', { k: 'null' });
      default:
        return this.number();
    }
  }

  private object(depth: number): JsonNode {
    const members: { key: string; value: JsonNode }[] = [];
    this.at += 1;
    if (this.skip('}')) return { k: 'object', members };
    do {
      this.space();
      if (this.text[this.at] !== '"') throw this.unexpected('looking for an object key');
      const key = this.string();
      if (!this.skip(':')) throw this.unexpected('after object key');
      members.push({ key, value: this.value(depth + 1) });
    } while (this.skip(','));
    if (!this.skip('}')) throw this.unexpected('after object key:value pair');
    return { k: 'object', members };
  }

  private array(depth: number): JsonNode {
    const items: JsonNode[] = [];
    this.at += 1;
    if (this.skip(']')) return { k: 'array', items };
    do items.push(this.value(depth + 1));
    while (this.skip(','));
    if (!this.skip(']')) throw this.unexpected('after array element');
    return { k: 'array', items };
  }

  private string(): string {
    const start = this.at;
    let escaped = false;
    for (let at = start + 1; at < this.text.length; at += 1) {
      const unit = this.text.charCodeAt(at);
      if (unit === 0x22) {
        this.at = at + 1;
        return escaped ? this.unescaped(this.text.slice(start, this.at)) : this.text.slice(start + 1, at);
      }
      if (unit === 0x5c) {
        escaped = true;
        at += 1;
      } else if (unit < 0x20) {
        this.at = at;
        throw this.unexpected('in string literal');
      }
    }
    throw new JsonError('unexpected end of JSON input in string literal');
  }

  private unescaped(raw: string): string {
    try {
      // A lone surrogate is no character; U+FFFD stands for it.
      return wellFormed(JSON.parse(raw) as string);
    } catch {
      throw new JsonError('invalid escape in string literal');
    }
  }

  private number(): JsonNode {
    const text = this.take(NUMBER);
    if (text === null) throw this.unexpected('looking for beginning of value');
    if (!Number.isFinite(Number(text))) throw new JsonError(`number ${text} out of range`);
    return { k: 'number', text };
  }

  private word(word: string, node: JsonNode): JsonNode {
    if (!this.text.startsWith(word, this.at)) throw this.unexpected(`in literal ${word}`);
    this.at += word.length;
    return node;
  }

  private take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) return null;
    this.at += found.length;
    return found;
  }

  private space(): void {
    this.take(SPACE);
  }

  private skip(character: string): boolean {
    this.space();
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  private unexpected(where: string): JsonError {
    const found = this.text.codePointAt(this.at);
    if (found === undefined) return new JsonError(`unexpected end of JSON input ${where}`);
    return new JsonError(`invalid character '${String.fromCodePoint(found)}' ${where} at offset ${this.at}`);
  }
}

const wellFormed = (text: string): string =>
  text.replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, (unit) => (unit.length === 2 ? unit : '\ufffd'));

/** The text of a JSON number (v0.51 rule): exponent only outside 1e-6 ≤ |x| < 1e21, `null` for what is no number. */
export function jsonNumber(value: number): string {
  if (!Number.isFinite(value)) return 'null';
  return Object.is(value, -0) ? '-0.0' : String(value);
}
