import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../src/ailang/package-root.js';
import { connect } from './client.js';
import { type CorpusProgram, corpusDirectory, corpusModules, corpusPrograms, judge } from './corpus-program.js';
import { makeSandbox, startDaemon } from './world.js';

/** Runs all with so many at the same time. @returns what went wrong */
async function failuresOf(
  programs: readonly CorpusProgram[],
  width: number,
  run: (program: CorpusProgram) => Promise<string | null>,
): Promise<string[]> {
  const failures: string[] = [];
  const queue = [...programs];
  const worker = async (): Promise<void> => {
    for (let program = queue.shift(); program !== undefined; program = queue.shift()) {
      const failure = await run(program);
      if (failure !== null) failures.push(failure);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return failures.sort();
}

test('`ailang run` gives every program of the corpus its expected output', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'ailang-corpus-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  cpSync(corpusDirectory, directory, { recursive: true });
  const ailang = join(packageRoot(), 'dist', 'ailang.js');
  const failures = await failuresOf(corpusPrograms(), 3, async (program) => {
    const { args, caps, entry, flags, argv, path, stdin } = program;
    const given = ['--entry', entry, ...flags, ...(args === null ? [] : ['--args-json', args])];
    const command = ['run', '--caps', caps ?? 'IO,FS', ...given, path, ...(argv.length === 0 ? [] : ['--', ...argv])];
    const child = spawn(process.execPath, [ailang, ...command], { cwd: directory });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    child.stdin.on('error', () => {}); // A program that ends without reading closes the pipe.
    child.stdin.end(stdin);
    const exit = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return judge(program, { exit, stdout, stderr });
  });
  assert.deepEqual(failures, []);
});

test('the tool ailang-run gives the programs that need no more than its defaults the same output', async (t) => {
  const sandbox = makeSandbox(t, { files: Object.fromEntries(corpusModules()) });
  mkdirSync(sandbox.workspaceRoot, { recursive: true });
  const daemon = await startDaemon(t, sandbox, { args: ['--budget', '1000'] });
  const world = await connect(t, daemon);
  const plain = corpusPrograms().filter(
    ({ caps, flags, entry }) => caps === null && flags.length === 0 && entry === 'main',
  );
  const failures = await failuresOf(plain, 4, async (program) => {
    const { output } = await world.call('ailang-run', {
      path: program.path,
      stdin: program.stdin,
      ...(program.args === null ? {} : { args_json: program.args }),
      ...(program.argv.length === 0 ? {} : { argv: [...program.argv] }),
    });
    if (output.admitted !== true) return `${program.path}: ${JSON.stringify(output)}`;
    const result = {
      exit: Number(output.exit_code),
      stdout: String(output.stdout),
      stderr: String(output.stderr),
    };
    return judge(program, result);
  });
  assert.deepEqual(failures, []);
  assert.equal(await daemon.stop(), 0);
});
