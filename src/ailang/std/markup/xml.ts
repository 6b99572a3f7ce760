import { appendNode, MAX_DEPTH, type MarkupElement, MarkupError } from './node.js';
import { type Dialect, type MarkupEvent, MarkupReader } from './reader.js';
import { FORBIDDEN, xmlReference } from './references.js';

/** Largest text accepted, in bytes of UTF-8. */
export const MAX_XML_BYTES = 100 * 1024 * 1024;

const strict: Dialect = { tolerant: false, named: xmlReference, foldCase: false, rawText: new Map() };
const lenient: Dialect = { ...strict, tolerant: true };

/** The root element. @throws MarkupError */
export function parseXml(text: string, mode: 'strict' | 'lenient', maxBytes = MAX_XML_BYTES): MarkupElement {
  for (const element of new ElementReader(text, mode, null, maxBytes).elements()) return element;
  throw new MarkupError('there is no element');
}

/**
 * Elements of a name in document order, one at a time; those inside another match belong to it. A reader who stops early
 * leaves the rest of the text unread. @throws MarkupError
 */
export function* matchingElements(text: string, tag: string): Generator<MarkupElement> {
  yield* new ElementReader(text, 'strict', tag, MAX_XML_BYTES).elements();
}

/** Balances the tags of a document and builds the wanted elements: those of a name, or the root for null. */
class ElementReader {
  readonly #reader: MarkupReader;
  readonly #strict: boolean;
  /** Tags of all open elements, outermost first. */
  readonly #open: string[] = [];
  /** The wanted element being built and its open descendants. */
  readonly #building: MarkupElement[] = [];
  #finished: MarkupElement[] = [];
  #rootClosed = false;

  constructor(
    readonly text: string,
    mode: 'strict' | 'lenient',
    readonly tag: string | null,
    maxBytes: number,
  ) {
    const limit = Math.min(maxBytes, MAX_XML_BYTES);
    if (Buffer.byteLength(text) > limit) throw new MarkupError(`the text is larger than ${limit} bytes`);
    this.#strict = mode === 'strict';
    this.#reader = new MarkupReader(text, this.#strict ? strict : lenient);
    if (this.#strict) refuseForbidden(text, this.#reader);
  }

  /** The root comes once the whole document has been read. */
  *elements(): Generator<MarkupElement> {
    for (let event = this.#reader.next(); event !== null; event = this.#reader.next()) {
      if (this.#rootClosed && !this.#strict) break;
      this.#take(event);
      if (this.tag !== null) yield* this.#found();
    }
    if (this.#strict && this.#open.length > 0) {
      this.#reader.fail(`the element ${this.#open.at(-1)} is not closed`, this.text.length);
    }
    while (this.#open.length > 0) this.#closeLast();
    if (this.#strict && !this.#rootClosed) throw new MarkupError('there is no element');
    yield* this.#found();
  }

  #found(): MarkupElement[] {
    const found = this.#finished;
    this.#finished = [];
    return found;
  }

  #take(event: MarkupEvent): void {
    if (event.k === 'open') this.#openTag(event);
    else if (event.k === 'close') this.#closeTag(event.tag);
    else {
      const parent = this.#building.at(-1);
      if (parent !== undefined) appendNode(parent.children, { ...event });
      else if (this.#strict && this.#open.length === 0 && event.k === 'text' && !/^[ \t\r\n]*$/.test(event.text)) {
        this.#reader.fail(`there is ${this.#rootClosed ? 'more after' : 'text before'} the root element`);
      }
    }
  }

  #openTag({ tag, attributes, empty }: Extract<MarkupEvent, { k: 'open' }>): void {
    if (this.#rootClosed) this.#reader.fail('there is more after the root element');
    if (this.#open.length === MAX_DEPTH) this.#reader.fail(`elements are nested deeper than ${MAX_DEPTH}`);
    this.#open.push(tag);
    if (this.#building.length > 0 || this.tag === null || this.tag === tag) {
      const element: MarkupElement = { k: 'element', tag, attributes, children: [] };
      this.#building.at(-1)?.children.push(element);
      this.#building.push(element);
    }
    if (empty) this.#closeLast();
  }

  #closeTag(tag: string): void {
    if (this.#open.at(-1) !== tag) {
      if (this.#strict) this.#reader.fail(mismatch(tag, this.#open.at(-1)));
      if (!this.#open.includes(tag)) return;
    }
    while (this.#closeLast() !== tag);
  }

  #closeLast(): string | undefined {
    const tag = this.#open.pop();
    this.#rootClosed = this.#open.length === 0;
    const element = this.#building.pop();
    if (element !== undefined && this.#building.length === 0) this.#finished.push(element);
    return tag;
  }
}

const mismatch = (found: string, expected: string | undefined): string =>
  expected === undefined ? `</${found}> closes nothing` : `</${found}> found where </${expected}> is expected`;

function refuseForbidden(text: string, reader: MarkupReader): void {
  const found = FORBIDDEN.exec(text);
  if (found === null) return;
  const code = text.charCodeAt(found.index).toString(16).toUpperCase().padStart(4, '0');
  reader.fail(`the character U+${code} is not allowed in XML`, found.index);
}
