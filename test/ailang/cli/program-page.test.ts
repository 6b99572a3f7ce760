import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { helpPages } from '../../../src/ailang/cli/commands/help.js';
import { packageRoot } from '../../../src/ailang/package-root.js';
import { ailang } from './program.js';

const page = readFileSync(join(packageRoot(), 'docs', 'ailang-program.md'), 'utf8');

test('the page on the program names every command, and no flag that does not exist', () => {
  for (const name of Object.keys(helpPages)) assert.match(page, new RegExp(`\`${name}\\b`), name);
  const known = Object.values(helpPages)
    .flatMap(({ usage, details }) => [...usage, ...details])
    .join('\n');
  for (const [flag] of page.matchAll(/--[a-z][a-z-]+/g)) assert.ok(known.includes(flag), flag);
});

test('the session that the page shows is what the repl prints', () => {
  const [, session = ''] = /```text\n(ail> [\s\S]*?)```/.exec(page) ?? [];
  const lines = session.trimEnd().split('\n');
  const entered = lines.filter((line) => line.startsWith('ail> ')).map((line) => line.slice('ail> '.length));
  const printed = lines.filter((line) => !line.startsWith('ail> ')).map((line) => `${line}\n`);
  const { stdout, stderr } = ailang(['repl'], { input: entered.join('\n') });
  assert.deepEqual([stdout, stderr], [printed.join(''), '']);
});
