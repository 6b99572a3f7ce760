import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { packageRoot } from '../../src/ailang/package-root.js';

export interface BenchDaemon {
  /** One MCP call over HTTP. @returns the tool's output */
  call(tool: string, args: object): Promise<Record<string, unknown>>;
  /** Puts a file into the episode's worktree without a call. */
  write(path: string, text: string): Promise<void>;
  stop(): Promise<void>;
}

/** `ailang-worldd up` in a temporary repository of its own. */
export async function startBenchDaemon(): Promise<BenchDaemon> {
  const base = await mkdtemp(join(tmpdir(), 'world-bench-'));
  const repository = join(base, 'repository');
  for (const name of ['repository', 'home', 'run', 'state']) await mkdir(join(base, name), { mode: 0o700 });
  const env = {
    PATH: process.env.PATH,
    HOME: join(base, 'home'),
    XDG_STATE_HOME: join(base, 'state'),
    XDG_RUNTIME_DIR: join(base, 'run'),
    GIT_CONFIG_NOSYSTEM: '1',
  };
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@b', ...args], { cwd: repository, env });
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'Begin');
  const program = join(packageRoot(), 'dist', 'ailang-worldd.js');
  const root = join(base, 'workspaces');
  const child = spawn(process.execPath, [program, 'up', '--json', '--port', '0', '--workspace-root', root], {
    cwd: repository,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { url, session_file, worktree } = JSON.parse(String(line)) as Record<string, string>;
  const token = (await readFile(session_file ?? '', 'utf8')).trim();
  return {
    async call(tool, args) {
      const reply = await fetch(url ?? '', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } }),
      });
      const data = /^data: (.*)$/m.exec(await reply.text())?.[1] ?? '{}';
      const { result } = JSON.parse(data) as { result?: { structuredContent: Record<string, unknown> } };
      if (result === undefined) throw new Error(data);
      return result.structuredContent;
    },
    write: (path, text) => writeFile(join(worktree ?? '', path), text),
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await rm(base, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Milliseconds of some work. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
