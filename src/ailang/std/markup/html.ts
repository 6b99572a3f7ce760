import { htmlReference } from './html-references.js';
import { type Attribute, appendNode, MAX_DEPTH, type MarkupElement, MarkupError, type MarkupNode } from './node.js';
import { type Dialect, MarkupReader } from './reader.js';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const html: Dialect = {
  tolerant: true,
  named: htmlReference,
  foldCase: true,
  rawText: new Map([
    ['script', false],
    ['style', false],
    ['textarea', true],
    ['title', true],
  ]),
};

const voidElements = words('area base br col embed hr img input link meta param source track wbr');
const headElements = words('base link meta script style title');
const blocks =
  'address article aside blockquote details div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul';

/** Which open elements an opening tag ends, by the tag that opens. */
const ends: Readonly<Record<string, ReadonlySet<string>>> = {
  li: words('li p'),
  dt: words('dt dd p'),
  dd: words('dt dd p'),
  tr: words('tr td th'),
  td: words('td th'),
  th: words('td th'),
  thead: words('thead tbody tfoot tr td th'),
  tbody: words('thead tbody tfoot tr td th'),
  tfoot: words('thead tbody tfoot tr td th'),
  option: words('option'),
  optgroup: words('option optgroup'),
  body: words('head'),
  ...Object.fromEntries(blocks.split(' ').map((tag) => [tag, words('p')])),
};

/** Elements an implied end does not reach out of. */
const walls = words('html table ul ol dl select td th button div section article body');

/** The nodes of a piece of HTML. Any text is HTML: what is malformed is mended. @throws MarkupError when nested too deeply */
export function parseHtmlFragment(text: string): MarkupNode[] {
  const reader = new MarkupReader(text, html);
  const top: MarkupNode[] = [];
  const open: MarkupElement[] = [];
  for (let event = reader.next(); event !== null; event = reader.next()) {
    const children = open.at(-1)?.children ?? top;
    if (event.k === 'text' || event.k === 'comment') appendNode(children, { ...event });
    else if (event.k === 'close') closeTag(open, event.tag);
    else {
      closeImplied(open, event.tag);
      if (open.length === MAX_DEPTH) throw new MarkupError(`elements are nested deeper than ${MAX_DEPTH}`);
      const element: MarkupElement = { k: 'element', tag: event.tag, attributes: event.attributes, children: [] };
      (open.at(-1)?.children ?? top).push(element);
      if (!voidElements.has(event.tag) && !event.empty) open.push(element);
    }
  }
  return top;
}

/** The `html` element of a document, with one `head` and one `body`, made where the text leaves them out. */
export function parseHtml(text: string): MarkupElement {
  const attributes: Attribute[] = [];
  const head: MarkupElement = { k: 'element', tag: 'head', attributes: [], children: [] };
  let body: MarkupElement = { k: 'element', tag: 'body', attributes: [], children: [] };
  const place = (node: MarkupNode): void => {
    if (node.k === 'element' && node.tag === 'html') {
      attributes.push(...node.attributes);
      node.children.forEach(place);
    } else if (node.k === 'element' && node.tag === 'head') head.children.push(...node.children);
    else if (node.k === 'element' && node.tag === 'body') {
      body = { ...body, attributes: [...body.attributes, ...node.attributes] };
      body.children.push(...node.children);
    } else if (body.children.length === 0 && (isBlank(node) || belongsToHead(node))) {
      if (!isBlank(node)) head.children.push(node);
    } else appendNode(body.children, node);
  };
  parseHtmlFragment(text).forEach(place);
  return { k: 'element', tag: 'html', attributes, children: [head, body] };
}

const isBlank = (node: MarkupNode): boolean => node.k === 'text' && node.text.trim() === '';
const belongsToHead = (node: MarkupNode): boolean => node.k === 'element' && headElements.has(node.tag);

function closeTag(open: MarkupElement[], tag: string): void {
  const index = open.findLastIndex((element) => element.tag === tag);
  if (index !== -1) open.length = index;
}

function closeImplied(open: MarkupElement[], tag: string): void {
  const ended = Object.hasOwn(ends, tag) ? ends[tag] : undefined;
  if (ended === undefined) return;
  for (let index = open.length - 1; index >= 0; index -= 1) {
    const name = open[index]?.tag ?? '';
    if (ended.has(name)) open.length = index;
    else if (walls.has(name)) return;
  }
}
