import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { format } from '../../../src/ailang/format/format.js';
import { packageRoot } from '../../../src/ailang/package-root.js';

const directory = join(packageRoot(), 'test/fixtures/format');

describe('golden files: every construct in its canonical form', () => {
  for (const name of readdirSync(directory).filter((file) => file.endsWith('.in.ail'))) {
    const canonical = readFileSync(join(directory, name.replace('.in.', '.out.')), 'utf8');
    test(name, () => {
      assert.deepEqual(format(readFileSync(join(directory, name), 'utf8'), name), { ok: true, text: canonical });
      assert.deepEqual(format(canonical, name), { ok: true, text: canonical });
    });
  }
});

const body = (expr: string): string => `func f() -> int = ${expr}\n`;

/** Each row: what is written, what becomes of it. */
const rows: readonly (readonly [string, string, string])[] = [
  ['an empty file stays empty', '', ''],
  ['only a comment', '  -- c  ', '-- c\n'],
  ['CRLF becomes LF, a BOM goes', '\ufeffmodule a\r\n\r\nlet x = 1\r\n', 'module a\n\nlet x = 1\n'],
  ['number spellings are kept', body('0xFF + 1e3 + 0b1'), body('0xFF + 1e3 + 0b1')],
  ['string spellings are kept', body('"\\u{41}\\x41"'), body('"\\u{41}\\x41"')],
  ['redundant parentheses go', body('((a) + (b * c))'), body('a + b * c')],
  ['needed parentheses stay', body('(a + b) * c'), body('(a + b) * c')],
  ['two minus signs are no comment', body('-(-x) - -y'), body('-(-x) - -y')],
  ['cons is infix', body('::(a, b)'), body('a :: b')],
  ['one parameter needs no parentheses', 'type F = (int) -> int', 'type F = int -> int\n'],
  ['a leading bar goes where there are several', 'type T = | A | B', 'type T = A | B\n'],
  ['a leading bar stays where it makes the sum', 'type T = | A', 'type T = | A\n'],
  ['trailing commas go', body('f(a, b,)'), body('f(a, b)')],
  ['a comma tuple of one stays', body('(a,)'), body('(a,)')],
  ['a braced body takes its lines', 'func f() -> int { 1 }', 'func f() -> int {\n  1\n}\n'],
];

describe('small rules', () => {
  for (const [name, input, output] of rows)
    test(name, () => assert.deepEqual(format(input, 'x.ail'), { ok: true, text: output }));
});

test('lines are broken at 120 columns, counted in code points', () => {
  const call = (length: number): string => body(`f("${'😀'.repeat(length)}", b)`);
  const widest = 120 - 'func f() -> int = f("", b)'.length;
  assert.deepEqual(format(call(widest), 'x.ail'), { ok: true, text: call(widest) });
  const wider = format(call(widest + 1), 'x.ail');
  assert.equal(wider.ok && wider.text.split('\n').length, 5);
});
