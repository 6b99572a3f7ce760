import { appendNode, MAX_DEPTH, type MarkupElement, MarkupError, type MarkupNode } from './node.js';
import { type Dialect, MarkupReader } from './reader.js';
import { FORBIDDEN, xmlReference } from './references.js';

/** Largest text accepted, in bytes of UTF-8. */
export const MAX_XML_BYTES = 100 * 1024 * 1024;

const strict: Dialect = { tolerant: false, named: xmlReference, foldCase: false, rawText: new Map() };
const lenient: Dialect = { ...strict, tolerant: true };

/** The root element. @throws MarkupError */
export function parseXml(text: string, mode: 'strict' | 'lenient', maxBytes = MAX_XML_BYTES): MarkupElement {
  for (const element of elements(text, mode, null, maxBytes)) return element;
  throw new MarkupError('there is no element');
}

/**
 * Elements of a name in document order, one at a time; those inside another match belong to it. A reader who stops early
 * leaves the rest of the text unread. @throws MarkupError
 */
export function* matchingElements(text: string, tag: string): Generator<MarkupElement> {
  yield* elements(text, 'strict', tag, MAX_XML_BYTES);
}

/** `tag` null: the root, once the whole document is read. */
function* elements(
  text: string,
  mode: 'strict' | 'lenient',
  tag: string | null,
  maxBytes: number,
): Generator<MarkupElement> {
  const limit = Math.min(maxBytes, MAX_XML_BYTES);
  if (Buffer.byteLength(text) > limit) throw new MarkupError(`the text is larger than ${limit} bytes`);
  const reader = new MarkupReader(text, mode === 'strict' ? strict : lenient);
  if (mode === 'strict') refuseForbidden(text, reader);
  const open: string[] = [];
  /** The match being built and its open descendants, outermost first. */
  const building: MarkupElement[] = [];
  let root: MarkupElement | null = null;
  let done = false;
  const finish = (): MarkupElement | null => {
    open.pop();
    done = open.length === 0;
    const finished = building.pop() ?? null;
    if (finished === null || building.length > 0) return null;
    if (tag !== null) return finished;
    root = finished;
    return null;
  };
  for (let event = reader.next(); event !== null; event = reader.next()) {
    if (open.length === 0 && event.k !== 'comment' && done && (mode === 'lenient' || !isBlank(event))) {
      if (mode === 'lenient') break;
      reader.fail('there is more after the root element');
    }
    if (event.k === 'open') {
      if (open.length === MAX_DEPTH) reader.fail(`elements are nested deeper than ${MAX_DEPTH}`);
      open.push(event.tag);
      if (building.length > 0 || tag === null || tag === event.tag) {
        const element: MarkupElement = { k: 'element', tag: event.tag, attributes: event.attributes, children: [] };
        building.at(-1)?.children.push(element);
        building.push(element);
      }
      const finished = event.empty ? finish() : null;
      if (finished !== null) yield finished;
    } else if (event.k === 'close') {
      if (open.at(-1) !== event.tag) {
        if (mode === 'strict') reader.fail(mismatch(event.tag, open.at(-1)));
        if (!open.includes(event.tag)) continue;
      }
      for (let closed: string | undefined; closed !== event.tag; ) {
        closed = open.at(-1);
        const finished = finish();
        if (finished !== null) yield finished;
      }
    } else {
      const parent = building.at(-1);
      if (parent !== undefined) appendNode(parent.children, event as MarkupNode);
      else if (mode === 'strict' && open.length === 0 && !isBlank(event))
        reader.fail('there is text outside the root element');
    }
  }
  if (open.length > 0 && mode === 'strict') reader.fail(`the element ${open.at(-1)} is not closed`, text.length);
  while (open.length > 0) {
    const finished = finish();
    if (finished !== null) yield finished;
  }
  if (mode === 'strict' && !done) throw new MarkupError('there is no element');
  if (root !== null) yield root;
}

const isBlank = (event: { readonly k: string; readonly text?: string }): boolean =>
  event.k === 'comment' || (event.k === 'text' && /^[ \t\r\n]*$/.test(event.text ?? ''));

const mismatch = (found: string, expected: string | undefined): string =>
  expected === undefined ? `</${found}> closes nothing` : `</${found}> found where </${expected}> is expected`;

function refuseForbidden(text: string, reader: MarkupReader): void {
  const found = FORBIDDEN.exec(text);
  if (found === null) return;
  const code = text.charCodeAt(found.index).toString(16).toUpperCase().padStart(4, '0');
  reader.fail(`the character U+${code} is not allowed in XML`, found.index);
}
