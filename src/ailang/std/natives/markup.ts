import { call2 } from '../../eval/calls.js';
import { toNumber } from '../../eval/integers.js';
import { List } from '../../eval/list.js';
import { type Callable, constructorValue, Data, type Int, type Value } from '../../eval/values.js';
import { parseHtml, parseHtmlFragment } from '../markup/html.js';
import { MarkupError, type MarkupNode } from '../markup/node.js';
import { escapeXml, sanitizeXml, writeXml } from '../markup/write.js';
import { matchingElements, parseXml } from '../markup/xml.js';
import { err, field, type Natives, ok, record } from './native.js';

const element = constructorValue('Element', 3) as Callable;
const text = constructorValue('Text', 1) as Callable;
const comment = constructorValue('Comment', 1) as Callable;

function toValue(node: MarkupNode): Value {
  if (node.k === 'text') return text(0, node.text);
  if (node.k === 'comment') return comment(0, node.text);
  const attributes = node.attributes.map(({ name, value }) => record({ name, value }));
  return element(0, node.tag, List.of(attributes), List.of(node.children.map(toValue)));
}

function fromValue(value: Value): MarkupNode {
  const [first, attributes, children] = (value as Data).args();
  if (attributes === undefined) return { k: kindOf(value), text: first as string };
  return {
    k: 'element',
    tag: first as string,
    attributes: (attributes as List)
      .toArray()
      .map((pair) => ({ name: field(pair, 'name') as string, value: field(pair, 'value') as string })),
    children: (children as List).toArray().map(fromValue),
  };
}

const kindOf = (value: Value): 'text' | 'comment' => ((value as Data).c.name === 'Text' ? 'text' : 'comment');

function attempt(action: () => Value): Value {
  try {
    return ok(action());
  } catch (error) {
    if (error instanceof MarkupError) return err(error.message);
    throw error;
  }
}

/** The arguments of a node that is an element. */
const elementArgs = (node: Value): readonly Value[] | null =>
  node instanceof Data && node.c.name === 'Element' ? node.args() : null;

/** Every element in document order, the node itself first; keeps its own stack, so depth is no problem. */
function* elementsOf(root: Value): Generator<Value> {
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const args = elementArgs(node);
    if (args === null) continue;
    yield node;
    pushReversed(pending, args[2] as List);
  }
}

function pushReversed(pending: Value[], children: List): void {
  for (let index = children.size - 1; index >= 0; index -= 1) pending.push(children.at(index));
}

function textOf(root: Value): string {
  const parts: string[] = [];
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const args = elementArgs(node);
    if (args !== null) pushReversed(pending, args[2] as List);
    else if (kindOf(node) === 'text') parts.push((node as Data).args()[0] as string);
  }
  return parts.join('');
}

function elements(source: string, tag: string, limit: Int): Value {
  const wanted = limit > 0 ? toNumber(limit) : Number.POSITIVE_INFINITY;
  const found: Value[] = [];
  for (const node of matchingElements(source, tag)) {
    found.push(toValue(node));
    if (found.length >= wanted) break;
  }
  return List.of(found);
}

/** The step returns a `FoldStep`. */
export function foldElements(depth: number, source: string, tag: string, initial: Value, step: Callable): Value {
  let result = initial;
  for (const node of matchingElements(source, tag)) {
    const next = call2(step, depth + 1, result, toValue(node)) as Data;
    result = next.args()[0];
    if (next.c.name === 'Stop') break;
  }
  return result;
}

export const markupNatives: Natives = {
  _xml_parse: (_depth, source: string) => attempt(() => toValue(parseXml(source, 'strict'))),
  _xml_parseLenient: (_depth, source: string) => attempt(() => toValue(parseXml(source, 'lenient'))),
  _xml_parseWithLimit: (_depth, source: string, limit: Int) =>
    attempt(() => toValue(parseXml(source, 'strict', toNumber(limit)))),
  _xml_parseElements: (_depth, source: string, tag: string, limit: Int) => attempt(() => elements(source, tag, limit)),
  _xml_parseFold: (depth, source: string, tag: string, initial: Value, step: Callable) =>
    attempt(() => foldElements(depth, source, tag, initial, step)),
  _xml_findAll: (_depth, node: Value, tag: string) =>
    List.of([...elementsOf(node)].filter((found) => elementArgs(found)?.[0] === tag)),
  _xml_getText: (_depth, node: Value) => textOf(node),
  _xml_serialize: (_depth, node: Value) => writeXml(fromValue(node)),
  _xml_escape: (_depth, source: string) => escapeXml(source),
  _xml_sanitize: (_depth, source: string) => sanitizeXml(source),
  _html_parse: (_depth, source: string) => attempt(() => toValue(parseHtml(source))),
  _html_parseFragment: (_depth, source: string) => attempt(() => List.of(parseHtmlFragment(source).map(toValue))),
};
