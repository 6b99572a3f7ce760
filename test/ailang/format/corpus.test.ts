import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format } from '../../../src/ailang/format/format.js';
import { sameTree } from '../../../src/ailang/format/same-tree.js';
import { allSources, commentsOf, parsed } from './sources.js';

const sources = allSources();

test('there are programs to format', () => assert.ok(sources.length >= 100));

test('every program keeps its tree and its comments, and is its own canonical form', () => {
  for (const { path, text } of sources) {
    const result = format(text, path);
    assert.ok(result.ok, result.ok ? '' : result.message);
    assert.ok(sameTree(parsed(text).file, parsed(result.text).file), path);
    assert.deepEqual(commentsOf(result.text), commentsOf(text), path);
    assert.deepEqual(format(result.text, path), result, path);
  }
});

test('lines end without white space and stay within 120 columns but for long strings', () => {
  for (const { path, text } of sources) {
    const result = format(text, path);
    if (!result.ok) continue;
    for (const line of result.text.split('\n')) {
      assert.ok(!/[ \t\r]$/.test(line), `${path}: ${line}`);
      assert.ok([...line].length <= 120 || line.includes('"'), `${path}: ${line}`);
    }
    assert.ok(result.text.endsWith('\n') && !result.text.endsWith('\n\n'), path);
  }
});
