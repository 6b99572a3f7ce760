import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../src/ailang/package-root.js';
import { ALL_TOOLS } from './all-tools.js';

const reference: Record<string, { title: string; description: string }> = JSON.parse(
  readFileSync(join(packageRoot(), 'test/tools/reference.json'), 'utf8'),
);

for (const { descriptor } of ALL_TOOLS) {
  test(`${descriptor.id}: title and description are the tool reference's, to the letter`, () => {
    const { title, description } = descriptor;
    assert.deepEqual({ title, description }, reference[descriptor.id]);
  });

  test(`${descriptor.id}: the input schema is closed and every argument described`, () => {
    assert.equal(descriptor.inputSchema.type, 'object');
    assert.equal(descriptor.inputSchema.additionalProperties, false);
    for (const property of Object.values(
      descriptor.inputSchema.properties as Record<string, { description: string }>,
    )) {
      assert.ok(property.description.length > 0);
    }
  });

  test(`${descriptor.id}: the output schema promises world only and stays open`, () => {
    assert.equal(descriptor.outputSchema.type, 'object');
    assert.deepEqual(descriptor.outputSchema.required, ['world']);
    assert.ok(!Object.hasOwn(descriptor.outputSchema, 'additionalProperties'));
  });

  test(`${descriptor.id}: never destructive, never open-world, so clients may run it unattended`, () => {
    const writes = ['ailang-write', 'ailang-edit', 'ailang-run'].includes(descriptor.id);
    const { readOnlyHint, destructiveHint, openWorldHint } = descriptor.annotations;
    assert.deepEqual(
      { readOnlyHint, destructiveHint, openWorldHint },
      { readOnlyHint: !writes, destructiveHint: false, openWorldHint: false },
    );
  });
}

const effects = Object.fromEntries(ALL_TOOLS.map((tool) => [tool.descriptor.id, tool.descriptor.declaredEffects]));
test('each tool declares the effects of the tool reference at scope worktree and cost 1', () => {
  const one = (effect: string) => ({ effect, scope: 'worktree', cost: 1 });
  assert.deepEqual(effects, {
    'ailang-read': [one('Workspace.Read')],
    'ailang-write': [one('Workspace.Write')],
    'ailang-edit': [one('Workspace.Write')],
    'ailang-check': [one('Ailang.Check')],
    'ailang-run': [one('Ailang.Run'), one('Ailang.RunEnv'), one('Ailang.RunNet')],
    'builtins-search': [one('Ailang.Discover')],
    'examples-search': [one('Ailang.Discover')],
    'ailang-cli': [one('Ailang.CLI')],
  });
});
