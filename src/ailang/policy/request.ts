import { quoted } from './go-text.js';
import { Refusal } from './reply.js';

export const requestFields = ['path', 'content', 'old_text', 'new_text', 'module', 'query', 'package'] as const;
export type RequestField = (typeof requestFields)[number];

/** A decoded request; an absent field is the empty string. */
export interface PolicyToolCall {
  readonly op: string;
  readonly fields: Readonly<Record<RequestField, string>>;
  readonly flags: ReadonlyMap<string, string>;
}

const known = new Set<string>(['op', 'flags', ...requestFields]);
const spelling = '(keys are exact and case-sensitive: flags, content, module, …)';

/** The text of one request, strictly: exact keys, each once (ailang-cli 1.1). @throws Refusal */
export function parseRequest(text: string): PolicyToolCall {
  const scan = scanObject(text);
  if (scan.trailing) throw new Refusal('request has data after the JSON object');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Refusal(`request is not a JSON object: ${error instanceof Error ? error.message : String(error)}`);
  }
  const call = checkRequest(value);
  if (scan.twice !== null) {
    const { flag, name } = scan.twice;
    throw new Refusal(`${flag ? 'flag' : 'request key'} ${quoted(name)} appears more than once`);
  }
  return call;
}

/** The same for a request that is a value already. @throws Refusal */
export function checkRequest(value: unknown): PolicyToolCall {
  if (!isObject(value)) throw new Refusal(`request is not a JSON object: it is ${typeName(value)}`);
  for (const [key, member] of Object.entries(value)) {
    if (!known.has(key)) throw new Refusal(`unknown request key ${quoted(key)} ${spelling}`);
    if (key !== 'flags') stringValue(`request key ${quoted(key)}`, member);
  }
  const field = (name: string): string => (Object.hasOwn(value, name) ? (value[name] as string) : '');
  return {
    op: field('op'),
    fields: {
      path: field('path'),
      content: field('content'),
      old_text: field('old_text'),
      new_text: field('new_text'),
      module: field('module'),
      query: field('query'),
      package: field('package'),
    },
    flags: flagsOf(Object.hasOwn(value, 'flags') ? value.flags : {}),
  };
}

function flagsOf(value: unknown): ReadonlyMap<string, string> {
  if (!isObject(value)) throw new Refusal(`request key "flags": value must be an object: it is ${typeName(value)}`);
  return new Map(
    Object.entries(value).map(([name, member]) => [name, stringValue(`flag ${quoted(name)}`, member)] as const),
  );
}

function stringValue(what: string, value: unknown): string {
  if (typeof value !== 'string') throw new Refusal(`${what}: value must be a string: it is ${typeName(value)}`);
  return value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a${typeof value === 'object' ? 'n' : ''} ${typeof value}`;
}

interface Scan {
  readonly twice: { readonly flag: boolean; readonly name: string } | null;
  readonly trailing: boolean;
}

/** What JSON.parse forgets: repeated keys of the request and of its flags, and whether anything follows the object. */
function scanObject(text: string): Scan {
  const token = /"(?:[^"\\]|\\.)*"|[{}[\]]|[^\s"{}[\],:]+|[,:]/gsy;
  const seen: Set<string>[] = [];
  let twice: Scan['twice'] = null;
  let last = '';
  let inFlags = false;
  for (;;) {
    const space = /\s*/y;
    space.lastIndex = token.lastIndex;
    space.exec(text);
    token.lastIndex = space.lastIndex;
    const match = token.exec(text);
    if (match === null) return { twice, trailing: false };
    const word = match[0];
    if (word === '{' || word === '[') seen.push(new Set());
    else if (word === '}' || word === ']') {
      seen.pop();
      if (seen.length <= 1) inFlags = false;
      if (seen.length === 0) return { twice, trailing: text.slice(token.lastIndex).trim() !== '' };
    } else if (word === ':' && (seen.length === 1 || (seen.length === 2 && inFlags))) {
      const name = unescaped(last);
      const keys = seen.at(-1)!;
      if (keys.has(name)) twice ??= { flag: seen.length === 2, name };
      keys.add(name);
      if (seen.length === 1) inFlags = name === 'flags';
    }
    last = word;
  }
}

function unescaped(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}
