import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fold } from '../../../src/ailang/policy/fold.js';

const same: readonly (readonly [string, string])[] = [
  ['.GIT', '.git'],
  ['.gitmodule\u017f', '.gitmodules'],
  ['.git\u0130', '.git\u0130'],
  ['\u212a', 'k'],
  ['\u212b', 'a\u030a'],
  ['\u1e9e', '\u00df'],
  ['\u03c2', '\u03c3'],
  ['\u03f4', '\u03b8'],
  ['\u03d1', '\u0398'],
  ['\u00b5', '\u03bc'],
  ['\u2126', '\u03c9'],
  ['\ufb05', '\ufb06'],
  ['e\u0301', '\u00c9'],
  ['\u{10400}', '\u{10428}'],
];
for (const [left, right] of same)
  test(`${JSON.stringify(left)} and ${JSON.stringify(right)} are one name`, () =>
    assert.equal(fold(left), fold(right)));

for (const [left, right] of [
  ['\u0131', 'i'],
  ['\u0130', 'i'],
  ['\u00df', 'ss'],
  ['a', 'b'],
] as const)
  test(`${JSON.stringify(left)} and ${JSON.stringify(right)} are two names`, () =>
    assert.notEqual(fold(left), fold(right)));

test('folding agrees with Unicode simple case folding for every cased character of the first plane', () => {
  const cased = Array.from({ length: 0xffff }, (_, code) => String.fromCharCode(code)).filter(
    (character) => /\p{L}|\p{M}|\p{N}|\p{S}/u.test(character) && character.normalize('NFC') === character,
  );
  for (const character of cased) {
    const other = [character.toUpperCase(), character.toLowerCase()].find(
      (form) =>
        form.length === 1 &&
        form !== character &&
        new RegExp(`^\\u{${character.charCodeAt(0).toString(16)}}$`, 'iu').test(form),
    );
    if (other !== undefined) assert.equal(fold(character), fold(other), `${character} ${other}`);
  }
});
