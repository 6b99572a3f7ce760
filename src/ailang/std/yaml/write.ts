import { type JsonNode, jsonNumber } from '../json-text.js';
import { resolvePlain } from './scalar.js';
import { YamlError } from './source.js';

/** YAML text of a tree, block style, with a final newline. @throws YamlError when an object has a key twice */
export function writeYaml(node: JsonNode): string {
  return `${write(node, '').trimStart()}\n`;
}

/** What follows a dash or colon: ` value`, or a break and lines indented by `indent`. */
function write(node: JsonNode, indent: string): string {
  switch (node.k) {
    case 'array':
      if (node.items.length === 0) return ' []';
      return node.items.map((item) => `\n${indent}-${compact(item, indent)}`).join('');
    case 'object':
      if (node.members.length === 0) return ' {}';
      refuseRepeated(node.members);
      return node.members.map(({ key, value }) => `\n${indent}${scalar(key)}:${write(value, `${indent}  `)}`).join('');
    case 'string':
      return ` ${scalar(node.value)}`;
    case 'number':
      return ` ${jsonNumber(Number(node.text))}`;
    case 'bool':
      return ` ${node.value}`;
    case 'null':
      return ' null';
  }
}

/** A collection inside a sequence begins on the line of its dash. */
function compact(item: JsonNode, indent: string): string {
  const text = write(item, `${indent}  `);
  return text.startsWith('\n') ? ` ${text.trimStart()}` : text;
}

function refuseRepeated(members: readonly { readonly key: string }[]): void {
  const seen = new Set<string>();
  for (const { key } of members) {
    if (seen.has(key)) throw new YamlError(`the key ${JSON.stringify(key)} occurs twice`);
    seen.add(key);
  }
}

/** Words that older readers take for booleans. */
const words = /^(?:y|n|yes|no|on|off)$/i;

function scalar(text: string): string {
  const plain = /^[\p{L}_/][\p{L}\p{N}_ ./@+-]*$/u.test(text) && !text.endsWith(' ') && !words.test(text);
  if (plain && resolvePlain(text).k === 'string') return text;
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, escapeCharacter);
}

const escapeCharacter = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
