import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { format } from '../../../src/ailang/format/format.js';
import { packageRoot } from '../../../src/ailang/package-root.js';
import { allSources } from './sources.js';

/** A line for each program: the digest of its text, and that of its canonical form. */
const list = join(packageRoot(), 'test', 'fixtures', 'format', 'canonical.txt');

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

function canonical(text: string, path: string): string {
  const result = format(text, path);
  assert.ok(result.ok, result.ok ? '' : result.message);
  return result.text;
}

// GOLDEN=write records what the formatter does now.
test('the canonical form of every program is the recorded one, byte for byte', () => {
  const sources = allSources();
  if (process.env.GOLDEN === 'write')
    writeFileSync(
      list,
      sources
        .map(({ path, text }) => `${digest(text)} ${digest(canonical(text, path))}\n`)
        .sort()
        .join(''),
    );
  const recorded = new Map(
    readFileSync(list, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  );
  const known = sources.filter(({ text }) => recorded.has(digest(text)));
  for (const { path, text } of known) assert.equal(digest(canonical(text, path)), recorded.get(digest(text)), path);
  assert.ok(known.length >= sources.length / 2, 'programs changed: record their canonical forms with GOLDEN=write');
});
