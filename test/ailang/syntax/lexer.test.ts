import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lex } from '../../../src/ailang/syntax/lexer.js';
import { Source } from '../../../src/ailang/syntax/source.js';

function single(text: string) {
  const [token, end] = lex(text).tokens;
  assert.equal(end?.kind, 'end', `${text} is one token`);
  return token;
}

test('integers are decimal, hexadecimal, binary and octal; radix literals are 64-bit patterns', () => {
  assert.equal(single('42')?.int, 42n);
  assert.equal(single('0xFF')?.int, 255n);
  assert.equal(single('0b101')?.int, 5n);
  assert.equal(single('0o17')?.int, 15n);
  assert.equal(single('0xFFFFFFFFFFFFFFFF')?.int, -1n);
  assert.equal(single('9223372036854775807')?.int, 9223372036854775807n);
  assert.equal(single('9223372036854775808')?.kind, 'illegal');
});

test('floats need digits on both sides of the dot, or an exponent', () => {
  assert.equal(single('1.5')?.float, 1.5);
  assert.equal(single('1e6')?.float, 1e6);
  assert.equal(single('2.5e-3')?.float, 0.0025);
  assert.deepEqual(
    lex('1.').mistakes.map((mistake) => mistake.hint),
    ['Write 1.0.'],
  );
});

const escapes: readonly (readonly [string, string])[] = [
  ['"a\\nb"', 'a\nb'],
  ['"\\t\\r\\\\\\"\\\'\\$"', '\t\r\\"\'$'],
  ['"\\e\\0"', '\u001b\0'],
  ['"\\x41\\u0042\\u{1F600}"', 'AB😀'],
  ['"\\${x}"', '${x}'],
  ['"two\nlines"', 'two\nlines'],
  ["'x'", 'x'],
];
for (const [text, value] of escapes) {
  test(`the string ${JSON.stringify(text)} is ${JSON.stringify(value)}`, () => {
    const token = single(text);
    assert.equal(token?.kind, 'string');
    assert.equal(token?.text, value);
  });
}

for (const text of ['"\\q"', '"\\01"', '"\\xZ1"', '"\\u{110000}"', '"\\u{D800}"', '"open', '"${x"']) {
  test(`${JSON.stringify(text)} is a lexical error`, () => {
    assert.ok(lex(text).tokens.some((token) => token.kind === 'illegal'));
  });
}

test('interpolation holes are tokens at their true places; braces and strings nest', () => {
  const text = '"a${ {x: "}"}.x }b"';
  const { tokens } = lex(text);
  assert.deepEqual(
    tokens.map((token) => token.kind),
    [
      'string-part',
      'hole',
      'operator',
      'name',
      'operator',
      'string',
      'operator',
      'operator',
      'name',
      'hole-end',
      'string-part',
      'string-end',
      'end',
    ],
  );
  assert.equal(text[tokens[3]?.start ?? -1], 'x');
});

test('comments of both kinds are kept with their places', () => {
  const { comments, tokens } = lex('-- one\nx // two\n');
  assert.deepEqual(
    comments.map(({ text, ownLine }) => [text, ownLine]),
    [
      ['-- one', true],
      ['// two', false],
    ],
  );
  assert.equal(tokens[0]?.text, 'x');
});

test('columns count code points, a BOM does not count, and text is normalised', () => {
  const source = new Source('m.ail', '\ufeff"😀😀" x\ne\u0301 y');
  assert.deepEqual(source.position(source.text.indexOf('x')), { file: 'm.ail', line: 1, column: 6 });
  assert.deepEqual(source.position(source.text.indexOf('y')), { file: 'm.ail', line: 2, column: 3 });
});
