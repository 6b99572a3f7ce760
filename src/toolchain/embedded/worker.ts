import { Socket } from 'node:net';
import { RunChild, runChildProgram } from '../../ailang/cli/run/child-process.js';
import { splitLines } from '../../ailang/cli/run/json-lines.js';
import { RunPool } from '../../ailang/cli/run/run-pool.js';
import { supervise } from '../../ailang/cli/run/supervise.js';
import { parsePolicy } from '../../ailang/policy/policy-file.js';
import { CommandRunner } from './command-runner.js';
import type { HelperReply, HelperRequest, HelperSettings } from './protocol.js';

/**
 * The helper of the embedded toolchain: a small process that owns the run children (starting a process from a big
 * daemon is dear) and the commands' threads. It lives as long as the daemon's channel on descriptor 3.
 */
const channel = new Socket({ fd: 3 });
let parts: { readonly pool: RunPool; readonly commands: CommandRunner } | null = null;

function end(): void {
  parts?.pool.close();
  process.exit(0);
}
channel.on('close', end);
channel.on('error', end);
splitLines(channel, (line) => receive(JSON.parse(line) as HelperRequest));

function receive(request: HelperRequest): void {
  if (request.kind === 'settings') {
    parts = start(request.settings);
    return;
  }
  answer(request).then(
    (reply) => channel.write(`${JSON.stringify(reply)}\n`),
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      channel.write(`${JSON.stringify({ id: request.id, kind: 'failed', message } satisfies HelperReply)}\n`);
    },
  );
}

function start({ program, examples, idleChildren, z3Program }: HelperSettings) {
  const environment = { ...process.env } as Record<string, string>;
  // Of the commands' threads, not of the run children.
  if (z3Program !== null) process.env.AILANG_Z3_PATH = z3Program;
  const cwd = environment.HOME ?? '/';
  return {
    pool: new RunPool(
      () => new RunChild({ program: runChildProgram(), environment, cwd, stdin: 'pipe' }),
      idleChildren,
    ),
    commands: new CommandRunner(program, examples),
  };
}

async function answer(request: Exclude<HelperRequest, { kind: 'settings' }>): Promise<HelperReply> {
  if (parts === null) throw new Error('the helper has no settings');
  const { id } = request;
  if (request.kind === 'warm') {
    await Promise.all([parts.pool.warm(), parts.commands.run(['version'], null, 30_000)]);
    return { id, kind: 'warm', pids: parts.pool.pids };
  }
  if (request.kind === 'command')
    return { id, kind: 'command', outcome: await parts.commands.run(request.argv, request.root, request.deadlineMs) };
  return run(parts.pool, request);
}

async function run(
  pool: RunPool,
  { id, request, stdin, deadlineMs }: HelperRequest & { kind: 'run' },
): Promise<HelperReply> {
  const policy = parsePolicy(request.policyPath, Buffer.from(request.policyText));
  const started = performance.now();
  const child = await pool.take(deadlineMs);
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let expired = false;
  const left = Math.max(0, deadlineMs - (performance.now() - started));
  const timer = setTimeout(() => {
    expired = true;
    child.kill();
  }, left);
  const streams = {
    stdin,
    stdout: (chunk: Buffer) => void stdout.push(chunk),
    stderr: (chunk: Buffer) => void stderr.push(chunk),
  };
  const exitCode = await supervise(child, policy, request, streams);
  clearTimeout(timer);
  if (expired) throw new Error('the run passed its deadline');
  const text = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString('utf8');
  return { id, kind: 'run', result: { exitCode, stdout: text(stdout), stderr: text(stderr) } };
}
