import { type Attribute, MarkupError } from './node.js';
import { decodeReferences, type NamedReference } from './references.js';

export type MarkupEvent =
  | { readonly k: 'open'; readonly tag: string; readonly attributes: readonly Attribute[]; readonly empty: boolean }
  | { readonly k: 'close'; readonly tag: string }
  | { readonly k: 'text'; readonly text: string }
  | { readonly k: 'comment'; readonly text: string };

/** How markup is read. */
export interface Dialect {
  /** Mend what is malformed instead of refusing it. */
  readonly tolerant: boolean;
  readonly named: NamedReference;
  readonly foldCase: boolean;
  /** Elements whose content is text up to their closing tag; true: references are decoded in it. */
  readonly rawText: ReadonlyMap<string, boolean>;
}

const START =
  ':A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const NAME = new RegExp(`[${START}][${START}\\-.0-9\\u00B7\\u0300-\\u036F\\u203F\\u2040]*`, 'uy');
const LOOSE_NAME = /[^\s/>=]+/y;
const SPACE = /[ \t\r\n\f]*/y;
const UNQUOTED = /[^\s>]*/y;

/** Reads markup piece by piece, from the start of the text to its end; balance of tags is the caller's matter. */
export class MarkupReader {
  #at = 0;
  /** The raw-text element just opened. */
  #raw: string | null = null;
  /** A declaration without an end was met; looking for that of another would read the rest again and again. */
  #endless = false;

  constructor(
    readonly text: string,
    readonly dialect: Dialect,
  ) {
    if (text.startsWith('\ufeff')) this.#at = 1;
  }

  /** The next piece, null at the end. @throws MarkupError */
  next(): MarkupEvent | null {
    for (;;) {
      if (this.#at >= this.text.length) return null;
      const event = this.#raw === null ? this.#piece() : this.#rawText(this.#raw);
      if (event !== null) return event;
    }
  }

  fail(problem: string, at = this.#at): never {
    let line = 1;
    for (let index = this.text.indexOf('\n'); index !== -1 && index < at; index = this.text.indexOf('\n', index + 1))
      line += 1;
    throw new MarkupError(`line ${line}: ${problem}`);
  }

  #piece(): MarkupEvent | null {
    const { text } = this;
    if (text[this.#at] !== '<') return this.#characters();
    if (text.startsWith('<!--', this.#at)) return this.#comment();
    if (text.startsWith('<![CDATA[', this.#at)) {
      return { k: 'text', text: newlines(this.#upTo(9, ']]>', 'CDATA section')) };
    }
    if (text.startsWith('<?', this.#at)) {
      this.#upTo(2, '?>', 'processing instruction');
      return null;
    }
    if (text.startsWith('<!', this.#at)) {
      this.#declaration();
      return null;
    }
    return text[this.#at + 1] === '/' ? this.#close() : this.#open();
  }

  /** The content between an opener of so many characters and a closer, which is passed. */
  #upTo(skip: number, closer: string, what: string): string {
    const start = this.#at + skip;
    const end = this.text.indexOf(closer, start);
    if (end === -1) {
      if (!this.dialect.tolerant) this.fail(`the ${what} is not closed`);
      this.#at = this.text.length;
      return this.text.slice(start);
    }
    this.#at = end + closer.length;
    return this.text.slice(start, end);
  }

  #comment(): MarkupEvent {
    const start = this.#at;
    const text = this.#upTo(4, '-->', 'comment');
    if (!this.dialect.tolerant && (text.includes('--') || text.endsWith('-')))
      this.fail('a comment contains --', start);
    return { k: 'comment', text: newlines(text) };
  }

  /** A document type is passed over, its entity declarations with it. */
  #declaration(): void {
    const start = this.#at;
    const { text } = this;
    if (!this.dialect.tolerant && !text.startsWith('<!DOCTYPE', start)) this.fail('unexpected <!');
    let depth = 0;
    let at = start + 2;
    while (at < text.length && !this.#endless) {
      const character = text[at];
      if (character === '"' || character === "'") {
        const end = text.indexOf(character, at + 1);
        at = end === -1 ? text.length : end + 1;
        continue;
      }
      if (text.startsWith('<!--', at)) {
        const end = text.indexOf('-->', at + 4);
        at = end === -1 ? text.length : end + 3;
        continue;
      }
      at += 1;
      if (character === '[') depth += 1;
      else if (character === ']') depth -= 1;
      else if (character === '>' && depth <= 0) {
        this.#at = at;
        return;
      }
    }
    if (!this.dialect.tolerant) this.fail('the document type is not closed');
    this.#endless = true;
    // Without its end only the first > can be it.
    const end = text.indexOf('>', start);
    this.#at = end === -1 ? text.length : end + 1;
  }

  #characters(): MarkupEvent {
    const start = this.#at;
    const end = this.text.indexOf('<', start);
    return this.#run(start, end === -1 ? this.text.length : end);
  }

  #run(start: number, end: number): MarkupEvent {
    const raw = this.text.slice(start, end);
    if (!this.dialect.tolerant && raw.includes(']]>')) this.fail('text contains ]]>', start);
    const text = decodeReferences(newlines(raw), this.dialect.named, (reference) =>
      this.#badReference(reference, start),
    );
    this.#at = end;
    return { k: 'text', text };
  }

  #badReference(reference: string, at: number): string {
    if (this.dialect.tolerant) return reference;
    const problem = reference === '&' ? '& starts no reference; write &amp;' : `unknown reference ${reference}`;
    return this.fail(problem, at);
  }

  #rawText(tag: string): MarkupEvent | null {
    this.#raw = null;
    const start = this.#at;
    const closer = new RegExp(`</${tag}(?=[\\s/>])`, 'gi');
    closer.lastIndex = start;
    const end = closer.exec(this.text)?.index ?? this.text.length;
    if (end === start) return null;
    this.#at = end;
    const text = newlines(this.text.slice(start, end));
    const decoded = this.dialect.rawText.get(tag) === true;
    return { k: 'text', text: decoded ? decodeReferences(text, this.dialect.named, (reference) => reference) : text };
  }

  #close(): MarkupEvent | null {
    const start = this.#at;
    this.#at += 2;
    const tag = this.#match(NAME);
    if (this.dialect.tolerant) {
      this.#upTo(0, '>', 'tag');
      return tag === '' ? null : { k: 'close', tag: this.#fold(tag) };
    }
    if (tag === '') this.fail('a closing tag has no name', start);
    this.#match(SPACE);
    if (this.text[this.#at] !== '>') this.fail(`the closing tag ${tag} is not closed by >`, start);
    this.#at += 1;
    return { k: 'close', tag };
  }

  #open(): MarkupEvent {
    const start = this.#at;
    this.#at += 1;
    const name = this.#match(NAME);
    if (name === '') {
      if (!this.dialect.tolerant) this.fail('< starts no tag; write &lt;', start);
      const next = this.text.indexOf('<', start + 1);
      return this.#run(start, next === -1 ? this.text.length : next);
    }
    const tag = this.#fold(name);
    const attributes: Attribute[] = [];
    const names = new Set<string>();
    for (;;) {
      const space = this.#match(SPACE);
      const character = this.text[this.#at];
      if (character === '>' || (character === '/' && this.text[this.#at + 1] === '>')) break;
      if (character === undefined) {
        if (!this.dialect.tolerant) this.fail(`the tag ${tag} is not closed by >`, start);
        return { k: 'open', tag, attributes, empty: false };
      }
      if (this.dialect.tolerant && character === '<') return this.#opened(tag, attributes, false);
      if (!this.dialect.tolerant && space === '') this.fail(`space is missing in the tag ${tag}`);
      const attribute = this.#attribute(tag);
      if (attribute === null) continue;
      if (!names.has(attribute.name)) attributes.push(attribute);
      else if (!this.dialect.tolerant) this.fail(`attribute ${attribute.name} occurs twice in the tag ${tag}`, start);
      names.add(attribute.name);
    }
    const empty = this.text[this.#at] === '/';
    this.#at += empty ? 2 : 1;
    return this.#opened(tag, attributes, empty);
  }

  #opened(tag: string, attributes: readonly Attribute[], empty: boolean): MarkupEvent {
    if (!empty && this.dialect.rawText.has(tag)) this.#raw = tag;
    return { k: 'open', tag, attributes, empty };
  }

  #attribute(tag: string): Attribute | null {
    const { tolerant } = this.dialect;
    const name = this.#fold(this.#match(tolerant ? LOOSE_NAME : NAME));
    if (name === '') {
      if (!tolerant) this.fail(`unexpected ${JSON.stringify(this.text[this.#at])} in the tag ${tag}`);
      this.#at += 1;
      return null;
    }
    const after = this.#at;
    this.#match(SPACE);
    if (this.text[this.#at] !== '=') {
      if (!tolerant) this.fail(`attribute ${name} has no value`);
      this.#at = after;
      return { name, value: '' };
    }
    this.#at += 1;
    this.#match(SPACE);
    return { name, value: this.#value(name) };
  }

  #value(name: string): string {
    const { tolerant, named } = this.dialect;
    const start = this.#at;
    const quote = this.text[start];
    let raw: string;
    if (quote === '"' || quote === "'") {
      raw = this.#upTo(1, quote, `value of attribute ${name}`);
      if (!tolerant && raw.includes('<')) this.fail(`the value of attribute ${name} contains <`, start);
    } else {
      if (!tolerant) this.fail(`the value of attribute ${name} is not quoted`);
      raw = this.#match(UNQUOTED);
    }
    const spaced = this.dialect.foldCase ? raw : raw.replace(/\r\n|[\t\n\r]/g, ' ');
    return decodeReferences(spaced, named, (reference) => this.#badReference(reference, start));
  }

  #fold(name: string): string {
    return this.dialect.foldCase ? name.toLowerCase() : name;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }
}

const newlines = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);
