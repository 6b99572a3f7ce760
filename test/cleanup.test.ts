import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { atEnd, temporaryDirectory } from './cleanup.js';

test('what a test set up last goes first, and a directory after all that uses it', async (t) => {
  const seen: string[] = [];
  let directory = '';
  await t.test('a test that sets up three things', (inner) => {
    directory = temporaryDirectory(inner);
    atEnd(inner, () => seen.push(`first, directory there: ${existsSync(directory)}`));
    atEnd(inner, async () => {
      await Promise.resolve();
      writeFileSync(join(directory, 'late'), '');
      seen.push('second');
    });
  });
  assert.deepEqual(seen, ['second', 'first, directory there: true']);
  assert.equal(existsSync(directory), false);
});
