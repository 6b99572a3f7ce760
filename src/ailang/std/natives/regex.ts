import { setFlagsFromString } from 'node:v8';
import { toNumber } from '../../eval/integers.js';
import { List } from '../../eval/list.js';
import { pointIndex } from '../../eval/text.js';
import type { Int, Value } from '../../eval/values.js';
import { translateRegex } from '../regex-syntax.js';
import { err, type Natives, ok, record } from './native.js';

interface Compiled {
  readonly plain: RegExp;
  /** For texts with characters above U+FFFF. */
  readonly unicode: RegExp;
  readonly names: readonly (string | null)[];
}

const compiled = new Map<string, Compiled>();
let prepared = false;

/** A pattern that backtracks too much is run by V8's linear engine; the flag must stand before the pattern is compiled. */
function prepare(): void {
  if (prepared) return;
  prepared = true;
  setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
}

function compile(pattern: string): Compiled {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  prepare();
  const translated = translateRegex(pattern);
  if ('error' in translated) throw new Error(translated.error);
  // V8's linear engine takes no other flags; offsets of groups are asked for separately.
  const flags = translated.multiline ? 'gm' : 'g';
  const made = {
    plain: new RegExp(translated.source, flags),
    unicode: new RegExp(translated.source, `${flags}u`),
    names: translated.names,
  };
  compiled.set(pattern, made);
  return made;
}

const isPlain = (pattern: string, text: string): boolean =>
  !/[\ud800-\udfff]/.test(pattern) && !/[\ud800-\udfff]/.test(text);

function regexFor(pattern: string, text: string): RegExp {
  const { plain, unicode } = compile(pattern);
  return isPlain(pattern, text) ? plain : unicode;
}

function matches(pattern: string, text: string, limit: number): RegExpExecArray[] {
  const regex = regexFor(pattern, text);
  regex.lastIndex = 0;
  const found: RegExpExecArray[] = [];
  let end = -1;
  while (limit < 0 || found.length < limit) {
    const match = regex.exec(text);
    if (match === null) break;
    if (match[0] === '') regex.lastIndex += (text.codePointAt(regex.lastIndex) ?? 0) > 0xffff ? 2 : 1;
    // As RE2: an empty match right after the previous match is none.
    if (match[0] !== '' || match.index !== end) found.push(match);
    end = match.index + match[0].length;
  }
  return found;
}

/** The offsets of the groups of a match that was found. */
function spansOf(text: string, match: RegExpExecArray, regex: RegExp): readonly ([number, number] | undefined)[] {
  if (match.length === 1) return [];
  const again = new RegExp(regex.source, `${regex.flags.replace('g', '')}dy`);
  again.lastIndex = match.index;
  return again.exec(text)?.indices ?? [];
}

function matchValue(text: string, match: RegExpExecArray, regex: RegExp): Value {
  const spans = spansOf(text, match, regex);
  // A group that took no part has the empty text at -1.
  const spanValue = (index: number): Value => {
    const span = spans[index];
    const [start, end] = span === undefined ? [-1, -1] : [pointIndex(text, span[0]), pointIndex(text, span[1])];
    return record({ text: match[index] ?? '', start, end });
  };
  const groups = Array.from({ length: match.length - 1 }, (_, index) => spanValue(index + 1));
  const [start, end] = [pointIndex(text, match.index), pointIndex(text, match.index + match[0].length)];
  return record({ text: match[0], start, end, groups: List.of(groups) });
}

/** `$1`, `$name`, `${name}` stand for groups, `$$` for a dollar sign. */
function expand(replacement: string, match: RegExpExecArray, names: readonly (string | null)[]): string {
  return replacement.replace(/\$(?:\$|\{(\w+)\}|(\w+))/g, (_, braced?: string, bare?: string) => {
    const name = braced ?? bare;
    if (name === undefined) return '$';
    const index = /^\d+$/.test(name) ? Number(name) : names.indexOf(name) + 1;
    return index === 0 && name !== '0' ? '' : (match[index] ?? '');
  });
}

function replaceAll(pattern: string, text: string, replacement: string): string {
  const { names } = compile(pattern);
  let result = '';
  let at = 0;
  for (const match of matches(pattern, text, -1)) {
    result += text.slice(at, match.index) + expand(replacement, match, names);
    at = match.index + match[0].length;
  }
  return result + text.slice(at);
}

function split(pattern: string, text: string): string[] {
  const parts: string[] = [];
  let at = 0;
  for (const match of matches(pattern, text, -1)) {
    const end = match.index + match[0].length;
    if (end === 0 || (match[0] === '' && match.index === text.length)) continue;
    parts.push(text.slice(at, match.index));
    at = end;
  }
  return [...parts, text.slice(at)];
}

export const regexNatives: Natives = {
  _regex_compile: (_depth, pattern: string) => {
    const translated = translateRegex(pattern);
    return 'error' in translated ? err(translated.error) : ok(pattern);
  },
  _regex_isMatch: (_depth, pattern: string, text: string) => matches(pattern, text, 1).length > 0,
  _regex_findAll: (_depth, pattern: string, text: string, limit: Int) =>
    List.of(matches(pattern, text, toNumber(limit)).map((match) => matchValue(text, match, regexFor(pattern, text)))),
  _regex_replaceAll: (_depth, pattern: string, text: string, replacement: string) =>
    replaceAll(pattern, text, replacement),
  _regex_split: (_depth, pattern: string, text: string) => List.of(split(pattern, text)),
};
