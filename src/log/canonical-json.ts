import { WorldError } from '../errors.js';
import { normaliseDecimal } from './decimal.js';
import { parseJson } from './json-source.js';
import type { JsonValue } from './types.js';

/** A number kept as its normalised text, because a 64-bit float might not hold it. */
class Decimal {
  constructor(readonly text: string) {}
}
type Source = null | boolean | number | string | Decimal | readonly Source[] | { readonly [key: string]: Source };

/** Deepest nesting that is read or written; deeper values are refused instead of exhausting the stack. */
export const maxDepth = 1000;

/**
 * Canonical JSON (world-formats 9.1): keys in order of their UTF-8 bytes, no whitespace, plain decimals, only `"`, `\`
 * and control characters escaped.
 * @throws WorldError `json-value` for what JSON cannot hold (undefined, NaN, lone surrogates), `json-depth`, `json-number`
 */
export function encodeCanonical(value: JsonValue): Buffer {
  return Buffer.from(encode(value, canonicalStyle, 0));
}

/**
 * The encoder of input objects and handler results (world-formats 9.1 (b)): sorted keys, but `<`, `>`, `&`, U+2028 and
 * U+2029 escaped, and numbers as 64-bit floats in shortest form, with an exponent from 1e21 up and below 1e-6.
 * @throws WorldError as `encodeCanonical`
 */
export function encodeInput(value: JsonValue): Buffer {
  return Buffer.from(encode(value, inputStyle, 0));
}

/**
 * Re-encodes JSON text canonically; numbers keep every digit.
 * @throws WorldError `json-syntax`, `json-duplicate-key`, `json-surrogate`, `json-depth`, `json-number`, `json-too-large`
 */
export function canonicalise(source: Buffer): Buffer {
  return Buffer.from(
    encode(
      parseJson<Source>(source, (token) => new Decimal(normaliseDecimal(token))),
      canonicalStyle,
      0,
    ),
  );
}

/**
 * Parses JSON text under the rules of canonical sources. A number that a 64-bit float cannot hold is refused: nothing
 * is rounded silently.
 * @throws WorldError as `canonicalise`
 */
export function parseCanonicalSource(source: Buffer): JsonValue {
  return parseJson<JsonValue>(source, exactNumber);
}

function exactNumber(token: string): number {
  const value = Number(token);
  const text = normaliseDecimal(token);
  if (Number.isFinite(value) && normaliseDecimal(String(value)) === text) return value === 0 ? 0 : value;
  throw new WorldError('json-number', `the number ${token.slice(0, 40)} does not fit a 64-bit float exactly`);
}

/** A JSON string literal as Go's encoder writes it in the fixed-order records. */
export function encodeGoString(text: string): string {
  return inputStyle.string(text);
}

const loneSurrogate = /\p{Surrogate}/u;

interface Style {
  number(value: number): string;
  string(text: string): string;
}

const canonicalStyle: Style = {
  number: (value) => normaliseDecimal(String(value)),
  string: (text) => quote(text),
};

const inputStyle: Style = {
  number: (value) => (Object.is(value, -0) ? '-0' : String(value)),
  string: (text) =>
    quote(text).replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
};

function encode(value: Source | undefined, style: Style, depth: number): string {
  if (depth > maxDepth) throw new WorldError('json-depth', `the value is nested deeper than ${maxDepth} levels`);
  switch (typeof value) {
    case 'string':
      return style.string(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'number':
      if (!Number.isFinite(value)) throw new WorldError('json-value', `JSON has no number ${value}`);
      return style.number(value);
    case 'object':
      break;
    default:
      throw new WorldError('json-value', `JSON cannot hold a value of type ${typeof value}`);
  }
  if (value === null) return 'null';
  if (value instanceof Decimal) return value.text;
  if (isList(value)) return `[${value.map((item) => encode(item, style, depth + 1)).join(',')}]`;
  const members = Object.keys(value)
    .sort(byUtf8)
    .map((key) => `${style.string(key)}:${encode(value[key], style, depth + 1)}`);
  return `{${members.join(',')}}`;
}

function isList(value: Source): value is readonly Source[] {
  return Array.isArray(value);
}

/** UTF-16 order differs from UTF-8 order only where surrogates meet U+E000 to U+FFFF. */
function byUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function quote(text: string): string {
  if (loneSurrogate.test(text))
    throw new WorldError('json-surrogate', 'the text holds a lone surrogate, which is not Unicode');
  return JSON.stringify(text);
}
