import type { DataType, EntryPoint } from '../core/types.js';
import { type JsonNode, parseJson } from '../std/json-text.js';
import { RuntimeFailure } from './failure.js';
import { wrap } from './integers.js';
import { List, nil } from './list.js';
import { Float, recordClass, type Value } from './values.js';

/** The arguments of the entry point from `--args-json` (ailang-language 3.7). @throws RuntimeFailure */
export function decodeArguments(entry: EntryPoint, json: string): Value[] {
  const { name, parameters } = entry;
  if (parameters.length > 1) {
    throw new RuntimeFailure(
      'RUN_MULTIARG_UNSUPPORTED',
      `RUN_MULTIARG_UNSUPPORTED: entrypoint '${name}' takes ${parameters.length} arguments; an entry takes none or one\nHint: take one record`,
    );
  }
  const parsed = parseJson(json.trim() === '' ? 'null' : json);
  if ('error' in parsed) {
    throw new RuntimeFailure('ARG_DECODE_INVALID', `failed to decode arguments: invalid JSON: ${parsed.error}`);
  }
  const [type] = parameters;
  if (type !== undefined) return [decode(type, parsed.value)];
  if (parsed.value.k === 'null') return [];
  throw new RuntimeFailure(
    'ARG_DECODE_MISMATCH',
    `entrypoint '${name}' takes no arguments, but --args-json was provided`,
  );
}

function decode(type: DataType, json: JsonNode): Value {
  switch (type.k) {
    case 'unit':
      if (json.k === 'null') return undefined;
      break;
    case 'int':
      if (json.k === 'number') return integer(json.text);
      break;
    case 'float':
      if (json.k === 'number') return new Float(Number(json.text));
      break;
    case 'string':
      if (json.k === 'string') return json.value;
      break;
    case 'bool':
      if (json.k === 'bool') return json.value;
      break;
    case 'list':
      if (json.k === 'array') return List.of(json.items.map((item) => decode(type.item, item)));
      break;
    case 'record':
      if (json.k === 'object') return decodeRecord(type, json);
      break;
    case 'any':
      return natural(json);
    case 'other':
      throw mismatch(type, json, `a value of type ${type.text} cannot be written as JSON`);
  }
  throw mismatch(type, json, 'the JSON value has another type');
}

function decodeRecord(type: Extract<DataType, { k: 'record' }>, json: Extract<JsonNode, { k: 'object' }>): Value {
  const members = new Map(json.members.map(({ key, value }) => [key, value]));
  const fields = [...type.fields].sort((a, b) => (a.name < b.name ? -1 : 1));
  const values = fields.map((field) => {
    const member = members.get(field.name);
    if (member === undefined) throw mismatch(type, json, `the field '${field.name}' is missing`);
    return decode(field.type, member);
  });
  return new (recordClass(fields.map((field) => field.name)))(...values);
}

/** What a value of unknown type becomes. */
function natural(json: JsonNode): Value {
  switch (json.k) {
    case 'null':
      return undefined;
    case 'bool':
    case 'string':
      return json.value;
    case 'number':
      return /^-?\d+$/.test(json.text) ? integer(json.text) : new Float(Number(json.text));
    case 'array':
      return json.items.length === 0 ? nil : List.of(json.items.map(natural));
    case 'object': {
      const members = [...new Map(json.members.map(({ key, value }) => [key, natural(value)]))];
      members.sort(([a], [b]) => (a < b ? -1 : 1));
      return new (recordClass(members.map(([key]) => key)))(...members.map(([, value]) => value));
    }
  }
}

/** A JSON number cut to its whole part. */
function integer(text: string): Value {
  if (/^-?\d+$/.test(text)) return wrap(BigInt(text));
  const whole = Math.trunc(Number(text));
  return Number.isFinite(whole) ? wrap(BigInt(whole)) : 0;
}

const mismatch = (type: DataType, json: JsonNode, reason: string): RuntimeFailure =>
  new RuntimeFailure(
    'ARG_DECODE_MISMATCH',
    `ARG_DECODE_MISMATCH: expected ${typeText(type)}, got ${json.k}\n${reason}`,
  );

function typeText(type: DataType): string {
  if (type.k === 'list') return `[${typeText(type.item)}]`;
  if (type.k === 'record')
    return `{${type.fields.map((field) => `${field.name}: ${typeText(field.type)}`).join(', ')}}`;
  if (type.k === 'other') return type.text;
  return type.k === 'unit' ? '()' : type.k;
}
