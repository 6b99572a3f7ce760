import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { List } from '../../../src/ailang/eval/list.js';
import { show } from '../../../src/ailang/eval/show.js';
import {
  ArrayValue,
  type Callable,
  constructorValue,
  Data,
  Float,
  recordClass,
  Tuple,
  type Value,
} from '../../../src/ailang/eval/values.js';
import { jsonNatives } from '../../../src/ailang/std/natives/json.js';
import { field, record } from '../../../src/ailang/std/natives/native.js';
import { stringNatives } from '../../../src/ailang/std/natives/strings.js';
import { reflected } from './agreement.js';
import { refFloat, refShow } from './reference-show.js';

const text = fc.string({ unit: 'binary' });
const scalar: fc.Arbitrary<Value> = fc.oneof(
  fc.maxSafeInteger(),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
  fc.boolean(),
  text,
  fc.double().map((value) => new Float(value)),
  fc.constant(undefined),
);
const many = (item: fc.Arbitrary<Value>) => fc.array(item, { maxLength: 6 });
const { value: anyValue } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'large', withCrossShrink: true },
    scalar,
    many(tie('value')).map((items) => List.of(items)),
    many(tie('value')).map((items) => new ArrayValue(items)),
    fc.array(tie('value'), { minLength: 2, maxLength: 4 }).map((items) => new Tuple(items)),
    fc.tuple(tie('value'), tie('value')).map(([a, b]) => new (recordClass(['a', 'long_name']))(a, b)),
    many(tie('value')).map((args) => {
      const made = constructorValue('Name', args.length);
      return args.length === 0 ? made : (made as Callable)(0, ...args);
    }),
  ),
}));

test('show follows its table, on every kind of value', () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      assert.equal(show(value), refShow(reflected(value)));
    }),
    { numRuns: 400 },
  );
});

test('a shown float has no exponent, a point, and reads back', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const shown = show(new Float(value));
      assert.equal(shown, refFloat(value));
      assert.match(shown, /^-?\d+\.\d+$/);
      assert.ok(Object.is(Number(shown), value));
    }),
    { numRuns: 800 },
  );
});

/** A JSON value of AILANG. */
function toJson(value: unknown): Value {
  const make = (name: string, content: Value): Value => (constructorValue(name, 1) as Callable)(0, content);
  if (value === null) return constructorValue('JNull', 0);
  if (typeof value === 'boolean') return make('JBool', value);
  if (typeof value === 'number') return make('JNumber', new Float(value));
  if (typeof value === 'string') return make('JString', value);
  if (Array.isArray(value)) return make('JArray', List.of(value.map(toJson)));
  const members = Object.entries(value as object).map(([key, member]) => record({ key, value: toJson(member) }));
  return make('JObject', List.of(members));
}

/** The number rule of ailang-language 5.8, written again. */
function numberText(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-6 || size >= 1e21)) {
    const [mantissa = '', exponent = ''] = value.toExponential().split('e');
    return `${mantissa}e${exponent}`;
  }
  return refFloat(value).replace(/\.0$/, '');
}

function jsonText(value: unknown): string {
  if (typeof value === 'number') return numberText(value);
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`)
      .join(',')}}`;
  return JSON.stringify(value);
}

const call = (natives: Readonly<Record<string, Callable>>, name: string, ...args: Value[]): Value =>
  natives[name]?.(0, ...args) as Value;
const jsonValue = fc.jsonValue({ maxDepth: 4 });

test('JSON text follows its rules and decodes to the value it came from', () => {
  fc.assert(
    fc.property(jsonValue, (value) => {
      const json = toJson(value);
      const encoded = call(jsonNatives, '_json_encode', json) as string;
      assert.equal(encoded, jsonText(value));
      const decoded = call(jsonNatives, '_json_decode', encoded);
      assert.ok(decoded instanceof Data && decoded.c.name === 'Ok');
      assert.equal(call(jsonNatives, '_json_encode', decoded.args()[0]), encoded);
    }),
    { numRuns: 400 },
  );
});

test('a text is JSON exactly when JSON.parse takes it and no number overflows', () => {
  const mangled = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', '0', '-', '.', 'e', '\\', '\u0001', ' '))
    .map(
      ([json, at, put]) => `${json.slice(0, at % (json.length + 1))}${put}${json.slice((at % (json.length + 1)) + 1)}`,
    );
  fc.assert(
    fc.property(fc.oneof(fc.json(), mangled), (source) => {
      let valid = true;
      try {
        JSON.parse(source);
      } catch {
        valid = false;
      }
      const decoded = call(jsonNatives, '_json_decode', source) as Data;
      if (decoded.c.name === 'Ok') assert.ok(valid, source);
      else assert.ok(!valid || /out of range/.test(String(decoded.args()[0])), source);
    }),
    { numRuns: 400 },
  );
});

test('string functions count code points', () => {
  const places = fc.integer({ min: -3, max: 12 });
  fc.assert(
    fc.property(text, places, places, (value, start, end) => {
      const points = [...value];
      const low = Math.min(Math.max(start, 0), points.length);
      assert.equal(call(stringNatives, '_str_len', value), points.length);
      const part = call(stringNatives, '_str_substring', value, start, end);
      assert.equal(part, points.slice(low, Math.max(low, Math.min(end, points.length))).join(''));
      assert.equal(call(stringNatives, '_str_charAt', value, start), start < 0 ? '' : (points[start] ?? ''));
      assert.deepEqual((call(stringNatives, '_str_chars', value) as List).toArray(), points);
    }),
    { numRuns: 400 },
  );
});

test('records compare and print by field name, whatever the order they were made in', () => {
  assert.equal(field(record({ b: 1, a: 2 }), 'a'), 2);
  assert.equal(show(record({ b: 1, a: 2 })), '{a: 2, b: 1}');
});
