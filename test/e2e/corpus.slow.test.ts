import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suitsTheTool } from './corpus-command.js';
import { corpusPrograms } from './corpus-program.js';
import { runAsCommand, runAsTool } from './corpus-runs.js';

test('`ailang run` gives every program of the corpus its expected output', async (t) => {
  assert.deepEqual(await runAsCommand(t, corpusPrograms()), []);
});

test('the tool ailang-run gives all that need no more than its defaults the same output', async (t) => {
  assert.deepEqual(await runAsTool(t, corpusPrograms().filter(suitsTheTool)), []);
});
