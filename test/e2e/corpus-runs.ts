import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { packageRoot } from '../../src/ailang/package-root.js';
import { temporaryDirectory } from '../cleanup.js';
import { connect } from './client.js';
import { runCommand } from './corpus-command.js';
import { type CorpusProgram, corpusDirectory, corpusModules, judge } from './corpus-program.js';
import { makeSandbox, startDaemon } from './world.js';

/** A copy of the corpus that programs may write into; removed after the test. */
export function corpusCopy(t: TestContext): string {
  const directory = temporaryDirectory(t);
  cpSync(corpusDirectory, directory, { recursive: true });
  return directory;
}

/** Each program in a process of its own, `ailang run`. @returns what went wrong */
export function runAsCommand(t: TestContext, programs: readonly CorpusProgram[]): Promise<string[]> {
  const directory = corpusCopy(t);
  const ailang = join(packageRoot(), 'dist', 'ailang.js');
  return failuresOf(programs, 3, async (program) => {
    const child = spawn(process.execPath, [ailang, 'run', ...runCommand(program)], { cwd: directory });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    child.stdin.on('error', () => {}); // A program that ends without reading closes the pipe.
    child.stdin.end(program.stdin);
    const exit = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { exit, stdout, stderr };
  });
}

/** Each program through a daemon's tool ailang-run. @returns what went wrong */
export async function runAsTool(t: TestContext, programs: readonly CorpusProgram[]): Promise<string[]> {
  const sandbox = makeSandbox(t, { files: Object.fromEntries(corpusModules()) });
  mkdirSync(sandbox.workspaceRoot, { recursive: true });
  const daemon = await startDaemon(t, sandbox, { args: ['--budget', '1000'] });
  const world = await connect(t, daemon);
  const failures = await failuresOf(programs, 4, async ({ path, stdin, args, argv }) => {
    const { output } = await world.call('ailang-run', {
      path,
      stdin,
      ...(args === null ? {} : { args_json: args }),
      ...(argv.length === 0 ? {} : { argv: [...argv] }),
    });
    const exit = output.admitted === true ? Number(output.exit_code) : null;
    return { exit, stdout: String(output.stdout), stderr: String(output.stderr) };
  });
  assert.equal(await daemon.stop(), 0);
  return failures;
}

async function failuresOf(
  programs: readonly CorpusProgram[],
  width: number,
  run: (program: CorpusProgram) => Promise<Parameters<typeof judge>[1]>,
): Promise<string[]> {
  const failures: string[] = [];
  const queue = [...programs];
  const worker = async (): Promise<void> => {
    for (let program = queue.shift(); program !== undefined; program = queue.shift()) {
      const failure = judge(program, await run(program));
      if (failure !== null) failures.push(failure);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return failures.sort();
}
