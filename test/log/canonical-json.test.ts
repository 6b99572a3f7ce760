import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalise, encodeCanonical, encodeInput, parseCanonicalSource } from '../../src/log/canonical-json.js';
import type { JsonValue } from '../../src/log/types.js';

const canonical = (source: string) => canonicalise(Buffer.from(source)).toString();
const refused = (source: string | Buffer, code: string) =>
  assert.throws(() => canonicalise(Buffer.from(source)), { code }, String(source).slice(0, 60));

const wellFormed = fc.string({ unit: 'grapheme' }).filter((text) => !/\p{Surrogate}/u.test(text));
const jsonValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (n === 0 ? 0 : n)),
    fc.maxSafeInteger(),
    wellFormed,
    fc.array(tie('value')),
    fc.dictionary(fc.oneof(wellFormed, fc.constant('__proto__')), tie('value'), { noNullPrototype: true }),
  ),
})).value;

test('keys are sorted by their UTF-8 bytes, not by UTF-16 units', () => {
  assert.equal(canonical('{"\u{1F600}":1,"\uFF5E":2,"b":3,"a":4,"":5}'), '{"":5,"a":4,"b":3,"\uFF5E":2,"\u{1F600}":1}');
});

test('only quotes, backslashes and controls are escaped', () => {
  assert.equal(
    canonical(String.raw`"\u002f<>&\u0001\u001f\u2028é\b\t\n\f\r\"\\\/"`),
    '"/<>&\\u0001\\u001f\u2028é\\b\\t\\n\\f\\r\\"\\\\/"',
  );
});

test('numbers become plain decimals with every digit kept', () => {
  for (const [source, expected] of [
    ['-0', '0'],
    ['0.0e5', '0'],
    ['1e3', '1000'],
    ['1.50', '1.5'],
    ['-12.3e-3', '-0.0123'],
    ['100E-2', '1'],
    ['9007199254740993', '9007199254740993'],
    ['0.1000000000000000055511151231257827', '0.1000000000000000055511151231257827'],
  ] as const) {
    assert.equal(canonical(source), expected);
  }
});

test('numbers out of bounds and malformed numbers are refused', () => {
  for (const source of [
    `1${'0'.repeat(1024)}`,
    '1e10001',
    '1e-10001',
    '1e999999999999',
    `0.${'0'.repeat(16_384)}`,
    '01',
    '1.',
    '1e',
    '1-2',
  ]) {
    refused(source, 'json-number');
  }
  refused('-', 'json-syntax');
  refused('+1', 'json-syntax');
  refused('.5', 'json-syntax');
});

test('a parsed number that a 64-bit float would round is refused, never rounded', () => {
  assert.throws(() => parseCanonicalSource(Buffer.from('9007199254740993')), { code: 'json-number' });
  assert.throws(() => parseCanonicalSource(Buffer.from('1e400')), { code: 'json-number' });
  assert.equal(parseCanonicalSource(Buffer.from('1.0e2')), 100);
});

test('what is not exactly one strict JSON value is refused', () => {
  for (const source of [
    '',
    '{}{}',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    "'a'",
    '"\u0001"',
    '"\\x"',
    '"abc',
    'nul',
    'NaN',
    '\uFEFF1',
    '// x\n1',
  ]) {
    refused(source, 'json-syntax');
  }
  refused(Buffer.from([0x22, 0xff, 0x22]), 'json-syntax');
  refused('{"a":1,"\\u0061":2}', 'json-duplicate-key');
  refused('"\\ud83d\\ude00"', 'json-surrogate');
});

test('nesting is bounded with an error instead of an exhausted stack', () => {
  refused('['.repeat(1_000_000), 'json-depth');
  refused('{"a":'.repeat(1_000_000), 'json-depth');
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  assert.equal(canonical(nested(1000)), nested(1000));
  let deep: JsonValue = 0;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  assert.throws(() => encodeCanonical(deep), { code: 'json-depth' });
});

test('__proto__ is an ordinary key', () => {
  const source = '{"__proto__":{"polluted":true},"a":1}';
  assert.equal(canonical(source), source);
  const value = parseCanonicalSource(Buffer.from(source)) as Record<string, unknown>;
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.equal(value.polluted, undefined);
  assert.equal(encodeCanonical(value as JsonValue).toString(), source);
});

test('a hundred thousand fields are read and written', () => {
  const source = `{${Array.from({ length: 100_000 }, (_, i) => `"k${i}":${i}`).join(',')}}`;
  assert.equal(Object.keys(parseCanonicalSource(Buffer.from(source)) as object).length, 100_000);
});

test('values JSON cannot hold are refused when encoding', () => {
  assert.throws(() => encodeCanonical(Number.NaN), { code: 'json-value' });
  assert.throws(() => encodeCanonical({ a: undefined } as unknown as JsonValue), { code: 'json-value' });
  assert.throws(() => encodeCanonical('\ud800'), { code: 'json-surrogate' });
  assert.throws(() => encodeCanonical({ '\udc00': 1 }), { code: 'json-surrogate' });
});

test('inputs and handler results escape what Go escapes and keep floats short', () => {
  const value = { b: '<a href="x">&\u2028\u2029é', a: [1e21, 1e-7, 0.5, 9007199254740992] };
  assert.equal(
    encodeInput(value).toString(),
    '{"a":[1e+21,1e-7,0.5,9007199254740992],"b":"\\u003ca href=\\"x\\"\\u003e\\u0026\\u2028\\u2029é"}',
  );
});

test('any value comes back from its canonical form, which is its own canonical form', () => {
  fc.assert(
    fc.property(jsonValue, (value) => {
      const bytes = encodeCanonical(value);
      assert.deepEqual(canonicalise(bytes), bytes);
      assert.deepEqual(parseCanonicalSource(bytes), value);
      assert.deepEqual(parseCanonicalSource(encodeInput(value)), value);
    }),
  );
});

test('whitespace and key order of the source do not matter', () => {
  fc.assert(
    fc.property(fc.dictionary(wellFormed, fc.oneof(fc.boolean(), wellFormed), { noNullPrototype: true }), (value) => {
      const shuffled = Object.fromEntries(Object.entries(value).reverse());
      assert.deepEqual(canonicalise(Buffer.from(JSON.stringify(shuffled, null, 2))), encodeCanonical(value));
    }),
  );
});
