import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../src/ailang/package-root.js';
import { connect } from './client.js';
import { makeSandbox, startDaemon } from './world.js';

/**
 * A program of the corpus and what it must do, written in comments after its last declaration:
 * `--| line of stdout`, `--< line of stdin`, `--! part of stderr`, `--args JSON`, `--exit status`.
 */
interface Program {
  readonly path: string;
  readonly stdin: string;
  readonly args: string | null;
  readonly stdout: string;
  readonly stderr: readonly string[];
  readonly exit: number;
}

const corpus = join(packageRoot(), 'test', 'corpus');

function readProgram(path: string): Program {
  const lines = readFileSync(join(corpus, path), 'utf8').split('\n');
  const marked = (mark: string): string[] =>
    lines.filter((line) => line === mark || line.startsWith(`${mark} `)).map((line) => line.slice(mark.length + 1));
  const joined = (mark: string): string =>
    marked(mark)
      .map((line) => `${line}\n`)
      .join('');
  return {
    path,
    stdin: joined('--<'),
    args: marked('--args')[0] ?? null,
    stdout: joined('--|'),
    stderr: marked('--!'),
    exit: Number(marked('--exit')[0] ?? 0),
  };
}

const programs = readdirSync(corpus, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ail'))
  .sort()
  .map(readProgram)
  .filter((program) => program.stdout !== '');

function judge(program: Program, result: { exit: number | null; stdout: string; stderr: string }): string | null {
  const problems: string[] = [];
  if (result.stdout !== program.stdout) problems.push(`stdout ${JSON.stringify(result.stdout)}`);
  if (result.exit !== program.exit) problems.push(`exit ${result.exit}`);
  for (const part of program.stderr) if (!result.stderr.includes(part)) problems.push(`no ${part} in stderr`);
  if (problems.length === 0) return null;
  return `${program.path}: ${problems.join('; ')}\n${result.stderr}`;
}

test('the corpus has at least 60 programs', () => {
  assert.ok(programs.length >= 60, `${programs.length} programs`);
});

test('`ailang run` gives every program of the corpus its expected output', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'ailang-corpus-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  cpSync(corpus, directory, { recursive: true });
  const ailang = join(packageRoot(), 'dist', 'ailang.js');
  const runOne = async (program: Program): Promise<string | null> => {
    const flags = ['run', '--caps', 'IO,FS', ...(program.args === null ? [] : ['--args-json', program.args])];
    const child = spawn(process.execPath, [ailang, ...flags, program.path], { cwd: directory });
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
    return judge(program, { exit, stdout, stderr });
  };
  const failures: string[] = [];
  const queue = [...programs];
  const worker = async (): Promise<void> => {
    for (let program = queue.shift(); program !== undefined; program = queue.shift()) {
      const failure = await runOne(program);
      if (failure !== null) failures.push(failure);
    }
  };
  await Promise.all([worker(), worker()]);
  assert.deepEqual(failures, []);
});

test('the tool ailang-run gives every program of the corpus the same output', async (t) => {
  const files = Object.fromEntries(
    readdirSync(corpus, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ail'))
      .map((name) => [name, readFileSync(join(corpus, name), 'utf8')]),
  );
  const sandbox = makeSandbox(t, { files });
  mkdirSync(sandbox.workspaceRoot, { recursive: true });
  const daemon = await startDaemon(t, sandbox, { args: ['--budget', '1000'] });
  const world = await connect(t, daemon);
  const failures: string[] = [];
  for (const program of programs) {
    const { output } = await world.call('ailang-run', {
      path: program.path,
      stdin: program.stdin,
      ...(program.args === null ? {} : { args_json: program.args }),
    });
    assert.equal(output.admitted, true, `${program.path}: ${JSON.stringify(output)}`);
    const failure = judge(program, {
      exit: Number(output.exit_code),
      stdout: String(output.stdout),
      stderr: String(output.stderr),
    });
    if (failure !== null) failures.push(failure);
  }
  assert.deepEqual(failures, []);
  assert.equal(await daemon.stop(), 0);
});
