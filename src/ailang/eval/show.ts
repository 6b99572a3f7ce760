import { List } from './list.js';
import { SortedMap } from './sorted-map.js';
import { ArrayValue, Bytes, Data, Float, RecordValue, Tuple, type Value } from './values.js';

const MAX_LEVEL = 3;
const MAX_BYTES = 80;
const KEPT_BYTES = 20;

/** The printed form (ailang-language section 4). */
export function show(value: Value): string {
  return typeof value === 'string' ? value : render(value, 0);
}

function render(value: Value, level: number): string {
  if (level > MAX_LEVEL) return '...';
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'undefined':
      return '()';
    case 'function':
      return '<function>';
  }
  const inner = (part: Value): string => render(part, level + 1);
  if (value instanceof Float) return showFloat(value.v);
  if (value instanceof Data) {
    const args = value.args();
    return args.length === 0 ? value.c.name : `${value.c.name}(${args.map(inner).join(', ')})`;
  }
  if (value instanceof List) return elide(`[${value.toArray().map(inner).join(', ')}]`);
  if (value instanceof ArrayValue) return elide(`#[${value.items.map(inner).join(', ')}]`);
  if (value instanceof Tuple) return elide(`(${value.items.map(inner).join(', ')})`);
  if (value instanceof RecordValue) {
    const values = value.values();
    return elide(`{${value.names.map((name, index) => `${name}: ${inner(values[index])}`).join(', ')}}`);
  }
  if (value instanceof SortedMap) {
    return elide(
      `Map{${value
        .entries()
        .map(([key, item]) => `${inner(key)}: ${inner(item)}`)
        .join(', ')}}`,
    );
  }
  return value instanceof Bytes ? `<bytes:${value.content.length}>` : '<value>';
}

/** Over 80 bytes only the first and last 20 remain; a character that would be cut is left out. */
function elide(text: string): string {
  if (text.length <= MAX_BYTES / 3) return text;
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= MAX_BYTES) return text;
  let head = KEPT_BYTES;
  while (isContinuation(bytes[head])) head -= 1;
  let tail = bytes.length - KEPT_BYTES;
  while (isContinuation(bytes[tail])) tail += 1;
  return `${bytes.toString('utf8', 0, head)}...${bytes.toString('utf8', tail)}`;
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Shortest digits that read back, never with an exponent, always with a point. */
export function showFloat(value: number): string {
  const text = plainDigits(value);
  return /[.a-z]/i.test(text) ? text : `${text}.0`;
}

/** As `showFloat`, without a fraction when whole. */
export function plainDigits(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const text = String(value);
  const scientific = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (scientific === null) return text;
  const [, sign = '', first = '', rest = '', power = '0'] = scientific;
  const digits = first + rest;
  const point = 1 + Number(power);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, '0')}`;
}
