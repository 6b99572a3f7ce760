import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseStrictJson } from '../../src/http/strict-json.js';

const parse = (text: string) => parseStrictJson(Buffer.from(text));

test('whatever JSON.stringify writes of well-formed values is read back the same, without a flaw', () => {
  const value = fc.jsonValue({ noUnicodeString: false }).filter((v) => !JSON.stringify(v).includes('__proto__'));
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 2), (input, indent) => {
      const text = JSON.stringify(input, null, indent);
      const expected = JSON.parse(text);
      const result = parse(text);
      const unsafe = /\d{16,}|[eE]/.test(text);
      assert.ok(result.ok && (unsafe || result.flaw === null || /\\ud/.test(text)), JSON.stringify(result));
      if (result.ok) assert.deepEqual(result.value, expected);
    }),
  );
});

test('any text is either what JSON.parse makes of it or refused', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'{}[]":,\\u0dn1-e. a'.split('')), maxLength: 30 }), (text) => {
      let expected: unknown;
      try {
        expected = JSON.parse(text);
      } catch {
        assert.equal(parse(text).ok, false);
        return;
      }
      const result = parse(text);
      assert.ok(result.ok);
      assert.deepEqual(result.value, expected);
    }),
    { numRuns: 2_000 },
  );
});

test('duplicate keys are seen at any depth and through escapes, equal keys of different objects are not', () => {
  const flaw = (text: string) => {
    const result = parse(text);
    return result.ok ? result.flaw : result.message;
  };
  assert.match(flaw('{"a":[{"b":1,"\\u0062":2}]}') ?? '', /duplicate key "b"/);
  assert.equal(flaw('{"a":{"a":1},"b":[{"a":1},{"a":"a"}]}'), null);
  assert.equal(flaw('["a","a"]'), null);
});

test('128 levels are read, 129 are not', () => {
  assert.equal(parse('['.repeat(128) + ']'.repeat(128)).ok, true);
  assert.equal(parse('['.repeat(129) + ']'.repeat(129)).ok, false);
});

test('keys keep their order', () => {
  const result = parse('{"z":1,"a":2,"m":3}');
  assert.ok(result.ok);
  assert.deepEqual(Object.keys(result.value as object), ['z', 'a', 'm']);
});
