import { call2 } from '../../eval/calls.js';
import { RuntimeFailure } from '../../eval/failure.js';
import { toNumber, wrap } from '../../eval/integers.js';
import { List } from '../../eval/list.js';
import { compareStrings } from '../../eval/order.js';
import { plainDigits } from '../../eval/show.js';
import { characters, pointIndex, textLength, textSlice } from '../../eval/text.js';
import { type Callable, Float, type Int, type Tuple, type Value } from '../../eval/values.js';
import { type Natives, none, some } from './native.js';

const strings = (list: List): string[] => list.toArray() as string[];

const split = (text: string, delimiter: string): string[] =>
  delimiter === '' ? characters(text) : text.split(delimiter);

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** A pattern for any of these texts; where several fit, the one listed first. */
const anyOf = (texts: readonly string[]): RegExp => new RegExp(texts.map(escaped).join('|'), 'gu');

function splitAny(text: string, delimiters: readonly string[]): string[] {
  const real = delimiters.filter((delimiter) => delimiter !== '');
  return real.length === 0 ? [text] : text.split(anyOf(real));
}

function replaceMany(text: string, pairs: List): string {
  const replacements = new Map<string, string>();
  for (const pair of pairs.toArray()) {
    const [old, replacement] = (pair as Tuple).items as readonly [string, string];
    if (old !== '' && !replacements.has(old)) replacements.set(old, replacement);
  }
  if (replacements.size === 0) return text;
  return text.replace(anyOf([...replacements.keys()]), (found) => replacements.get(found) ?? found);
}

function fold(depth: number, f: Callable, initial: Value, parts: readonly string[]): Value {
  return parts.reduce((result: Value, part) => call2(f, depth + 1, result, part), initial);
}

function toInt(text: string): Value {
  if (!/^[+-]?\d+$/.test(text) || text.length > 40) return none;
  const value = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value ? some(wrap(value)) : none;
}

function toFloat(text: string): Value {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? some(new Float(Number(text))) : none;
}

const MAX_LENGTH = 256 * 1024 * 1024;

function repeat(text: string, count: Int): string {
  const times = Math.max(0, toNumber(count));
  if (text.length * times > MAX_LENGTH) throw new RuntimeFailure('RT007', `RT007: repeat: ${count} times is too long`);
  return text.repeat(times);
}

function decodeQuotedPrintable(text: string): string {
  const joined = text.replace(/[ \t]+$/gm, '').replace(/=\r?\n/g, '');
  const parts = joined.split(/((?:=[0-9A-Fa-f]{2})+)/);
  return parts
    .map((part, index) => (index % 2 === 0 ? part : Buffer.from(part.replaceAll('=', ''), 'hex').toString('utf8')))
    .join('');
}

export const stringNatives: Natives = {
  _str_len: (_depth, text: string) => textLength(text),
  _str_substring: (_depth, text: string, start: Int, end: Int) => textSlice(text, toNumber(start), toNumber(end)),
  _str_charAt: (_depth, text: string, index: Int) =>
    index < 0 ? '' : textSlice(text, toNumber(index), toNumber(index) + 1),
  _str_charCode: (_depth, text: string) => text.codePointAt(0) ?? 0,
  _str_chars: (_depth, text: string) => List.of(characters(text)),
  _str_compare: (_depth, left: string, right: string) => compareStrings(left, right),
  _str_find: (_depth, text: string, part: string) => pointIndex(text, text.indexOf(part)),
  _str_contains: (_depth, text: string, part: string) => text.includes(part),
  _str_startsWith: (_depth, text: string, prefix: string) => text.startsWith(prefix),
  _str_endsWith: (_depth, text: string, suffix: string) => text.endsWith(suffix),
  _str_startsWithIgnoreCase: (_depth, text: string, prefix: string) =>
    textSlice(text, 0, textLength(prefix)).toLowerCase() === prefix.toLowerCase(),
  _str_split: (_depth, text: string, delimiter: string) => List.of(split(text, delimiter)),
  _str_splitAny: (_depth, text: string, delimiters: List) => List.of(splitAny(text, strings(delimiters))),
  _str_words: (_depth, text: string) => List.of(text.split(/\s+/u).filter((word) => word !== '')),
  _str_trim: (_depth, text: string) => text.trim(),
  _str_upper: (_depth, text: string) => text.toUpperCase(),
  _str_lower: (_depth, text: string) => text.toLowerCase(),
  _str_replace: (_depth, text: string, old: string, replacement: string) =>
    old === '' ? text : text.split(old).join(replacement),
  _str_replaceMany: (_depth, text: string, pairs: List) => replaceMany(text, pairs),
  _str_concat: (_depth, parts: List) => strings(parts).join(''),
  _str_join: (_depth, delimiter: string, parts: List) => strings(parts).join(delimiter),
  _str_repeat: (_depth, text: string, count: Int) => repeat(text, count),
  _str_toInt: (_depth, text: string) => toInt(text),
  _str_toFloat: (_depth, text: string) => toFloat(text),
  _str_fromInt: (_depth, value: Int) => String(value),
  _str_fromFloat: (_depth, value: Float) => plainDigits(value.v),
  _str_foldChars: (depth, f: Callable, initial: Value, text: string) => fold(depth, f, initial, characters(text)),
  _str_foldSlices: (depth, text: string, delimiter: string, initial: Value, f: Callable) =>
    fold(depth, f, initial, split(text, delimiter)),
  _str_decodeQuotedPrintable: (_depth, text: string) => decodeQuotedPrintable(text),
};
