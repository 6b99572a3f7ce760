import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { packageRoot } from '../../src/ailang/package-root.js';
import { atEnd, temporaryDirectory } from '../cleanup.js';

export const HELLO = `module hello

import std/io (println)

export func main() -> () ! {IO} {
  println("hello from ailang-run")
}
`;

/** A temporary repository, with a state directory and a workspace root of its own. Removed after the test. */
export interface Sandbox {
  readonly repository: string;
  readonly workspaceRoot: string;
  readonly env: NodeJS.ProcessEnv;
  git(...args: string[]): string;
}

/** The line that `up --json` prints once it listens. */
export interface Announcement {
  readonly url: string;
  readonly session_file: string;
  readonly episode: string;
  readonly worktree: string;
  readonly repository: string;
  readonly head: string;
}

export interface Daemon extends Announcement {
  /** The daemon's address: `url` without the path of its MCP endpoint. */
  readonly address: string;
  readonly token: string;
  readonly child: ChildProcess;
  /** Everything the daemon wrote to stderr so far. */
  stderr(): string;
  /** SIGTERM, then the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL, then waits until it is gone. */
  kill(): Promise<void>;
}

export function makeSandbox(
  t: TestContext,
  options: { files?: Readonly<Record<string, string>>; objectFormat?: 'sha1' | 'sha256' } = {},
): Sandbox {
  const base = temporaryDirectory(t);
  const repository = join(base, 'repository');
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: join(base, 'home'),
    TMPDIR: join(base, 'tmp'),
    XDG_STATE_HOME: join(base, 'state'),
    XDG_RUNTIME_DIR: join(base, 'run'),
    GIT_CONFIG_NOSYSTEM: '1',
    NO_COLOR: '1',
  };
  for (const name of ['home', 'tmp', 'state', 'run', 'repository']) mkdirSync(join(base, name), { mode: 0o700 });
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: repository, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  git('init', '-q', '-b', 'main', `--object-format=${options.objectFormat ?? 'sha1'}`);
  git('config', 'user.name', 'Olga Operator');
  git('config', 'user.email', 'olga@example.org');
  for (const [name, content] of Object.entries(options.files ?? { 'hello.ail': HELLO })) {
    mkdirSync(dirname(join(repository, name)), { recursive: true });
    writeFileSync(join(repository, name), content);
  }
  git('add', '-A');
  git('commit', '-q', '-m', 'Begin');
  return { repository, workspaceRoot: join(base, 'workspaces'), env, git };
}

/** Starts `ailang-worldd up` on a free port and waits until it listens. Killed after the test if still running. */
export async function startDaemon(
  t: TestContext,
  sandbox: Sandbox,
  options: { args?: readonly string[]; cwd?: string } = {},
): Promise<Daemon> {
  const program = join(packageRoot(), 'dist', 'ailang-worldd.js');
  const child = spawn(
    process.execPath,
    [program, 'up', '--json', '--port', '0', '--workspace-root', sandbox.workspaceRoot, ...(options.args ?? [])],
    { cwd: options.cwd ?? sandbox.repository, env: sandbox.env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const kill = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exited;
  };
  atEnd(t, kill);
  // What the daemon told its operator explains a failing test.
  atEnd(t, () => {
    if (stderr !== '') t.diagnostic(`daemon: ${stderr}`);
  });
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, 'line').then(([line]) => String(line)), exited.then(() => null)]);
  assert.notEqual(first, null, `the daemon ended before it listened: ${stderr}`);
  const announcement = JSON.parse(first ?? '') as Announcement;
  return {
    ...announcement,
    address: new URL(announcement.url).origin,
    token: readFileSync(announcement.session_file, 'utf8').trim(),
    child,
    stderr: () => stderr,
    kill,
    async stop() {
      child.kill('SIGTERM');
      const [code] = await exited;
      return code;
    },
  };
}

/** Runs `ailang-worldd <args>` to its end. */
export async function worldd(
  sandbox: Sandbox,
  args: readonly string[],
  options: { input?: string; env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const program = join(packageRoot(), 'dist', 'ailang-worldd.js');
  const child = spawn(process.execPath, [program, ...args], {
    cwd: options.cwd ?? sandbox.repository,
    env: { ...sandbox.env, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const exited = once(child, 'close') as Promise<[number | null]>;
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  child.stdin.end(options.input ?? '');
  const [code] = await exited;
  return { code, stdout, stderr };
}
