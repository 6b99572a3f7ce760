import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { packageRoot } from '../../ailang/package-root.js';
import { WorldError } from '../../errors.js';

const STOP_MS = 12_000;

/** A temporary repository with a daemon of its own; nothing of the user's is touched. */
export interface Stage {
  /** `http://127.0.0.1:…/mcp/` */
  readonly endpoint: string;
  readonly sessionFile: string;
  readonly token: string;
  /** Runs git in the repository and resolves with what it printed. */
  git(...args: string[]): Promise<string>;
  /** Runs a verb of this program in the repository. */
  worldd(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  /** Path for a new file outside the repository. */
  file(name: string): string;
  /** Stops the daemon and removes everything. */
  clear(): Promise<void>;
}

/** @throws WorldError `demo` when git or the daemon does not start */
export async function setStage(
  files: Readonly<Record<string, string>>,
  environment: NodeJS.ProcessEnv,
): Promise<Stage> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'ailang-world-demo-')));
  const repository = join(base, 'repository');
  const env = cleanEnvironment(environment, base);
  const program = join(packageRoot(), 'dist', 'ailang-worldd.js');
  let daemon: ChildProcess | undefined;
  const clear = async (): Promise<void> => {
    if (daemon !== undefined) await stop(daemon);
    await rm(base, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    for (const name of ['repository', 'home', 'state', 'run']) await mkdir(join(base, name), { mode: 0o700 });
    const git = async (...args: string[]): Promise<string> => {
      const result = await run('git', args, repository, env);
      if (result.code !== 0) throw new WorldError('demo', `git ${args[0]} failed: ${result.stderr.trim()}`);
      return result.stdout;
    };
    await git('init', '-q', '-b', 'main');
    for (const [name, content] of Object.entries(files)) await writeFile(join(repository, name), content);
    await git('add', '-A');
    await git('commit', '-q', '-m', 'Begin');
    daemon = spawn(process.execPath, [program, 'up', '--json', '--port', '0'], {
      cwd: repository,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { url: endpoint, session_file: sessionFile } = await announcement(daemon);
    return {
      endpoint,
      sessionFile,
      token: (await readFile(sessionFile, 'utf8')).trim(),
      git,
      worldd: (...args) => run(process.execPath, [program, ...args], repository, env),
      file: (name) => join(base, name),
      clear,
    };
  } catch (error) {
    await clear();
    throw error;
  }
}

/** No git or session settings of the user may reach into the demo. */
function cleanEnvironment(environment: NodeJS.ProcessEnv, base: string): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => !name.startsWith('GIT_') && name !== 'WORLD_SESSION');
  return {
    ...Object.fromEntries(kept),
    HOME: join(base, 'home'),
    XDG_STATE_HOME: join(base, 'state'),
    XDG_CONFIG_HOME: join(base, 'home'),
    XDG_RUNTIME_DIR: join(base, 'run'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Demo',
    GIT_AUTHOR_EMAIL: 'demo@example.org',
    GIT_COMMITTER_NAME: 'Demo',
    GIT_COMMITTER_EMAIL: 'demo@example.org',
  };
}

async function announcement(daemon: ChildProcess): Promise<{ url: string; session_file: string }> {
  if (daemon.stdout === null) throw new WorldError('demo', 'the daemon has no output');
  const lines = createInterface({ input: daemon.stdout });
  const line = await Promise.race([
    once(lines, 'line').then(([text]) => String(text)),
    once(daemon, 'exit').then(() => undefined),
  ]);
  if (line === undefined) throw new WorldError('demo', 'the daemon ended before it listened');
  return JSON.parse(line) as { url: string; session_file: string };
}

async function stop(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return;
  const gone = once(daemon, 'exit');
  daemon.kill('SIGTERM');
  const timer = setTimeout(() => daemon.kill('SIGKILL'), STOP_MS);
  await gone;
  clearTimeout(timer);
}

async function run(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const [code] = await Promise.race([
    once(child, 'close') as Promise<[number | null]>,
    once(child, 'error').then(([cause]) => {
      throw new WorldError('demo', `cannot run ${program}`, { hint: 'the demo needs node and git', cause });
    }),
  ]);
  return { code: code ?? 1, stdout, stderr };
}
