import type { MarkupNode } from './node.js';
import { FORBIDDEN } from './references.js';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

const escaping = (pattern: RegExp) => (text: string) => text.replace(pattern, (character) => escapes[character] ?? '');

/** For text and attribute values alike: the five characters with a meaning. */
export const escapeXml = escaping(/[&<>"']/g);
// What a reader would turn into another character is written as a reference.
const escapeText = escaping(/[&<>\r]/g);
const escapeValue = escaping(/[&<>"\t\n\r]/g);

/** Without the characters no XML document may contain. */
export const sanitizeXml = (text: string): string => text.replace(new RegExp(FORBIDDEN, 'g'), '');

/** XML text of a tree. */
export function writeXml(node: MarkupNode): string {
  if (node.k === 'text') return escapeText(node.text);
  if (node.k === 'comment') return `<!--${node.text.replace(/-(?=-|$)/g, '- ')}-->`;
  const attributes = node.attributes.map(({ name, value }) => ` ${name}="${escapeValue(value)}"`).join('');
  if (node.children.length === 0) return `<${node.tag}${attributes}/>`;
  return `<${node.tag}${attributes}>${node.children.map(writeXml).join('')}</${node.tag}>`;
}
