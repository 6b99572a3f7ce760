import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { format } from '../../../src/ailang/format/format.js';

/** Each row: the text, the exit code, where the message points. */
const rows: readonly (readonly [string, string, 2 | 3, string])[] = [
  ['a comment in an interpolation hole', 'let x = "a ${ b -- c\n } d"', 2, 'x.ail:1:17:'],
  ['a comment in a pattern', 'func f() -> int = match x { Some( -- c\n y) => 1 }', 2, 'x.ail:1:35:'],
  ['a comment in an effect row', 'func f() -> int ! {IO, -- c\n FS} = 1', 2, 'x.ail:1:24:'],
  ['an export list', 'module a\nexport { f }\nfunc f() -> int = 1', 2, 'x.ail:2:1:'],
  ['a file that does not parse', 'func f( -> int = 1', 3, 'x.ail:1:'],
  ['an unclosed string', 'let x = "abc', 3, 'x.ail:1:9:'],
];

describe('what is refused rather than damaged', () => {
  for (const [name, text, exitCode, place] of rows) {
    test(name, () => {
      const result = format(text, 'x.ail');
      assert.ok(!result.ok);
      assert.equal(result.exitCode, exitCode);
      assert.ok(result.message.startsWith(place), result.message);
    });
  }
});
