import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { referencePage, referenceSections, searchReference } from '../../../src/ailang/cli/commands/reference.js';
import { runCommand } from '../../../src/ailang/cli/commands/table.js';
import { stdModules, stdSource } from '../../../src/ailang/std/source.js';
import { fileContext } from './context.js';

describe('programs of the reference check', () => {
  for (const page of ['prompt.md', 'agent-prompt.md'])
    for (const [, program = ''] of referencePage(page).matchAll(/```ailang\n([\s\S]*?)```/g)) {
      const path = `${/^module (\S+)/.exec(program)?.[1]}.ail`;
      test(`${page}: ${path}`, () => {
        const { exitCode, stderr } = runCommand(['check', path], fileContext({ [path]: program }));
        assert.equal(exitCode, 0, stderr);
        assert.equal(stderr, '');
      });
    }
});

test('every library module and most of its names are in the prompt', () => {
  const prompt = referencePage('prompt.md');
  const hidden = ['std/net', 'std/debug'];
  for (const module of stdModules()) if (!hidden.includes(module)) assert.ok(prompt.includes(module), module);
  for (const module of ['std/io', 'std/option', 'std/result', 'std/map'])
    for (const [, name = ''] of stdSource(module)?.matchAll(/^export (?:pure )?func (\w+)/gm) ?? [])
      if (name !== 'printErr') assert.ok(prompt.includes(name), `${module} ${name}`);
});

for (const [query, path] of [
  ['MOD010', 'reference/errors.md#module-and-import-errors'],
  ['record update', 'reference/prompt.md#types'],
  ['files outside the sandbox escapes', 'reference/running.md#files'],
] as const)
  test(`docs search finds ${query}`, () => {
    const found = searchReference(query)
      .hits.slice(0, 3)
      .map(({ section }) => section.path);
    assert.ok(found.includes(path), found.join(' '));
  });

test('scores lie between 0 and 1, best first, and code blocks have no headings', () => {
  const { hits, total } = searchReference('effects of a function');
  assert.equal(total, referenceSections().length);
  assert.ok(hits.every(({ score }) => score > 0 && score <= 1));
  assert.deepEqual(
    hits.map(({ score }) => score),
    hits.map(({ score }) => score).sort((a, b) => b - a),
  );
  assert.deepEqual(searchReference('zzzzqqq').hits, []);
});
