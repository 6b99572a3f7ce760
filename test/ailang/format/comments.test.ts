import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { format } from '../../../src/ailang/format/format.js';
import { sameTree } from '../../../src/ailang/format/same-tree.js';
import type { Expr } from '../../../src/ailang/syntax/ast.js';
import { lex } from '../../../src/ailang/syntax/lexer.js';
import { allSources, commentsOf, parsed } from './sources.js';

/** Canonical programs without comments, each statement and declaration on a line of its own. */
const programs = allSources().flatMap(({ path, text }) => {
  const bare = text
    .split('\n')
    .filter((line) => !/^\s*--/.test(line))
    .join('\n');
  const result = format(bare, path);
  return result.ok && commentsOf(result.text).length === 0 ? [result.text] : [];
});

/** Line starts where a declaration or a statement of a function body begins. */
function commentLines(text: string): number[] {
  const { file } = parsed(text);
  const offsets = [file.module, ...file.imports, ...file.declarations].flatMap((item) =>
    item === null ? [] : item.start,
  );
  for (const declaration of file.declarations)
    if (declaration.k === 'function') offsets.push(...statements(declaration.body));
  return [...new Set(offsets.map((offset) => text.lastIndexOf('\n', offset - 1) + 1))];
}

function statements(expr: Expr): number[] {
  if (expr.k !== 'block') return [];
  return expr.statements.map((statement) => (statement.k === 'let' ? statement.name.start : statement.value.start));
}

const comment = fc
  .tuple(fc.constantFrom('--', '//'), fc.string({ unit: 'grapheme', maxLength: 12 }))
  .map(([mark, text]) => {
    return `${mark} ${text.normalize('NFC').replace(/[\n\r]/g, ' ')}`.trimEnd();
  });

test('comments put before any declarations and statements survive in their order', () => {
  assert.ok(programs.length > 50);
  const places = fc.constantFrom(...programs).chain((text) =>
    fc.record({
      text: fc.constant(text),
      inserted: fc.array(fc.tuple(fc.constantFrom(...commentLines(text)), comment, fc.constantFrom('\n', '\n\n')), {
        minLength: 1,
        maxLength: 6,
      }),
    }),
  );
  fc.assert(
    fc.property(places, ({ text, inserted }) => {
      let commented = text;
      for (const [at, words, gap] of [...inserted].sort((a, b) => b[0] - a[0]))
        commented = `${commented.slice(0, at)}  ${words}${gap}${commented.slice(at)}`;
      const result = format(commented, 'x.ail');
      assert.ok(result.ok, result.ok ? '' : `${result.message}\n${commented}`);
      assert.deepEqual(commentsOf(result.text), commentsOf(commented));
      assert.ok(sameTree(parsed(text).file, parsed(result.text).file));
      assert.deepEqual(format(result.text, 'x.ail'), result);
    }),
    { numRuns: 300 },
  );
});

test('a comment at the end of any line is kept there or refused, never lost', () => {
  const places = fc.constantFrom(...programs).chain((text) => {
    const count = text.split('\n').length - 1;
    return fc.record({ text: fc.constant(text), at: fc.nat(count - 1), words: comment });
  });
  let kept = 0;
  fc.assert(
    fc.property(places, ({ text, at, words }) => {
      const lines = text.split('\n');
      const commented = lines.with(at, `${lines[at]} ${words}`).join('\n');
      const before = commentsOf(commented);
      if (before.length !== 1 || parsed(commented).diagnostics.length > 0) return;
      const result = format(commented, 'x.ail');
      if (!result.ok) {
        assert.equal(result.exitCode, 2);
        return;
      }
      kept++;
      assert.deepEqual(commentsOf(result.text), before);
      assert.ok(sameTree(parsed(commented).file, parsed(result.text).file));
      assert.deepEqual(format(result.text, 'x.ail'), result);
    }),
    { numRuns: 300 },
  );
  assert.ok(kept > 250, `${kept} of 300 kept`);
});

test('a comment that would not keep still is refused by its place', () => {
  const text = 'module x\n\nfunc f(a: int) -> string =\n  show((\n--\nif a == 1 then 10 else 20) + 1)\n';
  assert.deepEqual(format(text, 'x.ail'), {
    ok: false,
    exitCode: 2,
    message: 'x.ail:5:1: a comment would move again each time the file is formatted; move it to a line of its own',
  });
});

test('comments between any two tokens, on a line of their own or behind one, survive or are refused, never lost', () => {
  const gaps = fc.constantFrom(...programs).chain((text) => {
    const { tokens } = lex(text);
    return fc.record({
      text: fc.constant(text),
      at: fc.constantFrom(...tokens.filter(({ kind }) => !kind.startsWith('string-')).map(({ start }) => start)),
      own: fc.boolean(),
      words: fc.array(comment, { minLength: 1, maxLength: 3 }),
      newline: fc.constantFrom('\n', '\r\n'),
    });
  });
  const outcomes = { kept: 0, refused: 0 };
  fc.assert(
    fc.property(gaps, ({ text, at, own, words, newline }) => {
      const block = words.map((line) => `${line}${newline}`).join('');
      const commented = `${text.slice(0, at)}${own ? newline : ' '}${block}${text.slice(at)}`;
      const { file, diagnostics } = parsed(commented);
      const before = commentsOf(commented);
      // A line break may change the meaning, and a text that is a string by now holds no comment.
      if (before.length !== words.length || diagnostics.length > 0 || !sameTree(parsed(text).file, file)) return;
      const result = format(commented, 'x.ail');
      if (!result.ok) {
        assert.equal(result.exitCode, 2);
        assert.match(result.message, /^x\.ail:\d+:\d+: a comment /);
        outcomes.refused++;
        return;
      }
      outcomes.kept++;
      assert.deepEqual(commentsOf(result.text), before);
      assert.ok(sameTree(file, parsed(result.text).file));
      assert.deepEqual(format(result.text, 'x.ail'), result);
    }),
    { numRuns: 800 },
  );
  assert.ok(outcomes.kept > 100 && outcomes.refused > 0, JSON.stringify(outcomes));
});
