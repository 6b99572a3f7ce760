import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { threadLimits } from '../../src/ailang/cli/run/limits.js';
import { suitsTheTool } from './corpus-command.js';
import { type CorpusProgram, corpusPrograms } from './corpus-program.js';
import { corpusCopy, runAsCommand, runAsTool } from './corpus-runs.js';

/** So many programs of each folder: those with the most to go wrong outside the evaluator first. */
function sample(programs: readonly CorpusProgram[], each: number): CorpusProgram[] {
  const folders = new Map<string, CorpusProgram[]>();
  for (const program of programs) {
    const folder = program.path.split('/')[0] ?? '';
    folders.set(folder, [...(folders.get(folder) ?? []), program]);
  }
  const demand = ({ stdin, args, argv, exit, stderr }: CorpusProgram): number =>
    [stdin !== '', args !== null, argv.length > 0, exit !== 0, stderr.length > 0].filter(Boolean).length;
  return [...folders.values()].flatMap((all) => all.sort((a, b) => demand(b) - demand(a)).slice(0, each));
}

test('every program of the corpus gives its expected output, run in one thread', async (t) => {
  const thread = new Worker(new URL('./corpus-thread.js', import.meta.url), {
    workerData: corpusCopy(t),
    resourceLimits: threadLimits,
  });
  const [failures] = (await once(thread, 'message')) as [string[]];
  assert.deepEqual(failures, []);
});

test('`ailang run` gives programs of every feature their expected output', async (t) => {
  const special = corpusPrograms().filter((program) => !suitsTheTool(program));
  assert.deepEqual(await runAsCommand(t, [...special, ...sample(corpusPrograms().filter(suitsTheTool), 1)]), []);
});

test('the tool ailang-run gives programs of every feature the same output', async (t) => {
  assert.deepEqual(await runAsTool(t, sample(corpusPrograms().filter(suitsTheTool), 2)), []);
});
