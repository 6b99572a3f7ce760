import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type JsonNode, parseJson } from '../../../src/ailang/std/json-text.js';
import { parseYaml } from '../../../src/ailang/std/yaml/parse.js';
import { writeYaml } from '../../../src/ailang/std/yaml/write.js';

function plain(node: JsonNode): unknown {
  switch (node.k) {
    case 'null':
      return null;
    case 'number':
      return Number(node.text);
    case 'array':
      return node.items.map(plain);
    case 'object':
      return Object.fromEntries(node.members.map(({ key, value }) => [key, plain(value)]));
    default:
      return node.value;
  }
}

function read(text: string): unknown {
  const parsed = parseYaml(text);
  return 'error' in parsed ? parsed.error : plain(parsed.value);
}

test('documents read to their values', () => {
  const cases: readonly (readonly [string, unknown])[] = [
    ['', null],
    ['# only a comment\n', null],
    ['a: 1\nb: two\nc:\n  d: true\n  e: ~\n', { a: 1, b: 'two', c: { d: true, e: null } }],
    ['a:\n- 1\n- 2\nb:\n  - x: 1\n    y: 2\n  - - 3\n    - 4\n', { a: [1, 2], b: [{ x: 1, y: 2 }, [3, 4]] }],
    ['%YAML 1.2\n---\na: b # note\n...\n', { a: 'b' }],
    ['--- text\n', 'text'],
    ["a: {b: [1, \"x, y\", 'it''s'], c: d e, f: }\n", { a: { b: [1, 'x, y', "it's"], c: 'd e', f: null } }],
    ['a: [\n  1,\n  2, # two\n]\nb: 3', { a: [1, 2], b: 3 }],
    ['a: |\n  one\n   two\n\n  three\nb: 1', { a: 'one\n two\n\nthree\n', b: 1 }],
    ['a: |-\n  x\n\nb: |+\n  y\n\nc: >\n  one\n  two\n\n  three\n', { a: 'x', b: 'y\n\n', c: 'one two\nthree\n' }],
    ['a: >\n  one\n    two\n  three\n', { a: 'one\n  two\nthree\n' }],
    ['a: |2\n    indented\n', { a: '  indented\n' }],
    ['- # nothing\n-\n- a: b\n', [null, null, { a: 'b' }]],
    ['a: one\n  two\n\n  three\nb: "one\n  two\\n"\n', { a: 'one two\nthree', b: 'one two\n' }],
    ['"a b": 1\n\'c\': 2\n? : 3', 'line 3: complex keys are not supported'],
    [
      '- 0x1F\n- 0o17\n- 1e3\n- -.5\n- 1_000\n- 2026-12-01\n- yes\n- 12:30:00\n',
      [31, 15, 1000, -0.5, '1_000', '2026-12-01', 'yes', '12:30:00'],
    ],
    ['url: http://x/y#z\ntime: a:b', { url: 'http://x/y#z', time: 'a:b' }],
    ['"\\u00e9\\x41\\t\\U0001F600"', 'éA\t😀'],
    ['a:\r\n  - b\r\n', { a: ['b'] }],
  ];
  for (const [text, value] of cases) assert.deepEqual(read(text), value, text);
});

test('what is not supported or wrong is refused with the line', () => {
  const cases = [
    ['a: &x 1', 'line 1: anchors are not supported'],
    ['a: &x {b: 1}', 'line 1: anchors are not supported'],
    ['a: *x', 'line 1: aliases are not supported'],
    ['a: !!str 1', 'line 1: tags are not supported'],
    ['a: 1\n<<: b', 'line 2: merge keys are not supported'],
    ['a: 1\n---\nb: 2', 'line 2: several documents in one text are not supported'],
    ['a: 1\na: 2', 'line 2: the key "a" occurs twice'],
    ['a: {b: 1, b: 2}', 'line 1: the key "b" occurs twice'],
    ['a:\n\tb: 1', 'line 2: tabs cannot indent; use spaces'],
    ['a: b: c', 'line 1: a mapping or sequence cannot start on the line of its key'],
    ['a: [1, 2', 'line 1: [ is not closed'],
    ['a: "x', 'line 1: a quoted scalar is not closed'],
    ['a: "\\q"', 'line 1: unknown escape \\q'],
    ['a: 1\n  b: 2', 'line 2: a key inside a scalar; is the line indented too far?'],
    ['a: "x" y', 'line 1: unexpected "y" after the value'],
    ['a: @x', 'line 1: a plain scalar cannot start with @; quote it'],
    ['a:\n    b: 1\n  c: 2', 'line 3: unexpected content; is it indented as the lines above?'],
  ] as const;
  for (const [text, problem] of cases) assert.equal(read(text), problem, text);
});

test('aliases cannot multiply a text and nesting is bounded', () => {
  assert.match(String(read('a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]')), /anchors are not supported/);
  assert.match(String(read('['.repeat(100_000))), /nesting deeper than 1000/);
  assert.match(String(read('- '.repeat(2000))), /nesting deeper than 1000/);
});

const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 2 }));

test('what is written reads back to the same value', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }), object), (value) => {
      const text = JSON.stringify(value);
      const parsed = parseJson(text);
      assert.ok('value' in parsed);
      const yaml = writeYaml(parsed.value);
      assert.deepEqual(read(yaml), JSON.parse(text), yaml);
    }),
  );
});

test('any text is read or refused', () => {
  const piece = fc.constantFrom(
    'a',
    ': ',
    '- ',
    '\n',
    '  ',
    '[',
    ']',
    '{',
    '}',
    ',',
    '"',
    "'",
    '|',
    '>',
    '#',
    ' #',
    '&',
    '?',
    '---',
    '\t',
    '\\',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const parsed = parseYaml(pieces.join(''));
      assert.ok('value' in parsed || /^line \d+: /.test(parsed.error));
    }),
    { numRuns: 500 },
  );
});

test('what another reader could take for something else is quoted', () => {
  for (const value of ['yes', 'Off', 'n', 'null', '1', '', ' a', 'a: b', '- a', '#', '\u0085']) {
    assert.match(writeYaml({ k: 'string', value }), /^".*"\n$/, value);
  }
  assert.equal(writeYaml({ k: 'string', value: 'plain text' }), 'plain text\n');
});

test('a key that occurs twice cannot be written', () => {
  const one: JsonNode = { k: 'null' };
  const members = [
    { key: 'a', value: one },
    { key: 'a', value: one },
  ];
  assert.throws(() => writeYaml({ k: 'object', members }), { message: 'the key "a" occurs twice' });
});
