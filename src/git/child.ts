import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { WorldError } from '../errors.js';
import { errorCode } from './file-system.js';
import {
  safeArguments,
  safeEnvironment,
  subcommandIndex,
  transportArguments,
  transportEnvironment,
} from './safe-environment.js';
import type { Identity, Repository } from './types.js';

export interface GitOptions {
  /** Working directory. */
  readonly cwd: string;
  /** Standard input; empty when absent. */
  readonly input?: Buffer | string;
  /** Added to the cleaned environment, `GIT_INDEX_FILE` for instance. */
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes that are answers, not failures. Default: 0 only. */
  readonly okExitCodes?: readonly number[];
  /** Milliseconds until the whole process group is killed. Default 60,000. */
  readonly timeoutMs?: number;
  /** Bytes of standard output. Default 256 MiB. */
  readonly maxOutputBytes?: number;
}

export interface GitResult {
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly exitCode: number;
}

const stderrBytes = 64 * 1024;

/**
 * Runs git with hooks, fsmonitor, pager, credential helpers, automatic maintenance and external diffs off.
 * @throws WorldError `git-failed`, `git-timeout`, `git-output-too-large`, `git-missing`, `directory-missing`
 */
export async function git(args: readonly string[], options: GitOptions): Promise<GitResult> {
  // Its own process group: git starts helpers, and a timeout has to end those, too.
  const launch = { args: safeArguments(args), env: safeEnvironment(options.env), ownGroup: true };
  return answerOf(args, options, await run(launch, options));
}

/**
 * Runs a git command that talks to a remote: as `git`, but with the operator's own credential helpers, ssh and proxies.
 * It stays in the terminal's process group, so that Ctrl-C ends it with us.
 * @throws WorldError as `git`
 */
export async function remoteGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const launch = { args: transportArguments(args), env: transportEnvironment(), ownGroup: false };
  return answerOf(args, options, await run(launch, options));
}

async function answerOf(args: readonly string[], options: GitOptions, outcome: Outcome): Promise<GitResult> {
  const command = args[subcommandIndex(args)] ?? args[0] ?? '';
  if (outcome.spawnError !== undefined) throw await explainSpawnFailure(outcome.spawnError, options.cwd);
  if (outcome.cut === 'timeout') {
    throw new WorldError('git-timeout', `git ${command} did not end within ${options.timeoutMs ?? 60_000} ms`);
  }
  if (outcome.cut === 'output') {
    throw new WorldError('git-output-too-large', `git ${command} wrote more output than is allowed`);
  }
  const { exitCode, stdout } = outcome;
  const stderr = hideSecrets(outcome.stderr);
  if (!(options.okExitCodes ?? [0]).includes(exitCode)) {
    const line = stderr.split('\n').find((text) => text.trim() !== '') ?? 'no message';
    throw new WorldError('git-failed', `git ${command} failed (exit ${exitCode}): ${line}`, {
      data: { command, exitCode, stderr: stderr.slice(0, 4096) },
    });
  }
  return { stdout, stderr, exitCode };
}

interface Outcome {
  readonly stdout: Buffer;
  readonly stderr: string;
  /** 128 + signal when killed by one, as a shell says it. */
  readonly exitCode: number;
  readonly cut: 'timeout' | 'output' | null;
  readonly spawnError: Error | undefined;
}

interface Launch {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly ownGroup: boolean;
}

function run({ args, env, ownGroup }: Launch, options: GitOptions): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn('git', args, { cwd: options.cwd, env, stdio: 'pipe', detached: ownGroup });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let outBytes = 0;
    let errBytes = 0;
    let cut: Outcome['cut'] = null;
    const kill = (why: Outcome['cut']) => {
      cut ??= why;
      if (!ownGroup) child.kill('SIGKILL');
      else if (child.pid !== undefined) killGroup(child.pid);
    };
    const timer = setTimeout(() => kill('timeout'), options.timeoutMs ?? 60_000);
    child.stdout.on('data', (chunk: Buffer) => {
      outBytes += chunk.length;
      if (outBytes > (options.maxOutputBytes ?? 256 * 1024 * 1024)) kill('output');
      else out.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (errBytes < stderrBytes) err.push(chunk.subarray(0, stderrBytes - errBytes));
      errBytes += chunk.length;
    });
    // git may end without reading its input; its exit code tells the story, not EPIPE.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
    const settle = (exitCode: number, spawnError?: Error) => {
      clearTimeout(timer);
      resolve({ stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString(), exitCode, cut, spawnError });
    };
    child.once('error', (error) => settle(-1, error));
    child.once('close', (code) => settle(code ?? 137));
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

async function explainSpawnFailure(error: Error, cwd: string): Promise<WorldError> {
  const there = await stat(cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!there) return new WorldError('directory-missing', `there is no directory ${cwd}`, { cause: error });
  if (errorCode(error) !== 'ENOENT') {
    return new WorldError('git-failed', `git could not be started: ${error.message}`, { cause: error });
  }
  return new WorldError('git-missing', 'the git program was not found', {
    hint: 'Install git 2.39 or newer and put it on the PATH.',
    cause: error,
  });
}

/** Takes user names, passwords and query strings out of the URLs that git quotes in its messages. */
export function hideSecrets(text: string): string {
  return text
    .replaceAll(/\b([a-z][a-z0-9+.-]*:\/\/)[^/\s@']*@/gi, '$1***@')
    .replaceAll(/\b([a-z][a-z0-9+.-]*:\/\/[^\s?']*)\?[^\s']*/gi, '$1?***');
}

/** Who the user is for git: the environment first, as git itself has it, then the configuration. Null when unset. */
export async function gitIdentity(
  repository: Repository,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Identity | null> {
  const value = async (variable: string, key: string): Promise<string> => {
    const given = environment[variable];
    if (given !== undefined && given !== '') return given;
    const found = await git(['config', '--get', key], { cwd: repository.gitDir, okExitCodes: [0, 1] });
    return found.stdout.toString().trim();
  };
  const [name, email] = await Promise.all([
    value('GIT_AUTHOR_NAME', 'user.name'),
    value('GIT_AUTHOR_EMAIL', 'user.email'),
  ]);
  return name === '' || email === '' ? null : { name, email };
}

/**
 * `-c` arguments that switch off every clean and smudge filter configured for this repository, for commands that read
 * or write worktree files (git has no single setting for it). Costs one git process.
 */
export async function filtersOff(cwd: string): Promise<string[]> {
  const listed = await git(['config', '--null', '--name-only', '--get-regexp', '^filter\\.'], {
    cwd,
    okExitCodes: [0, 1],
  });
  const drivers = new Set<string>();
  for (const key of listed.stdout.toString().split('\0')) {
    const driver = /^filter\.(.+)\.[^.]+$/s.exec(key)?.[1];
    if (driver !== undefined) drivers.add(driver);
  }
  return [...drivers].flatMap((driver) =>
    ['clean=', 'smudge=', 'process=', 'required=false'].flatMap((setting) => ['-c', `filter.${driver}.${setting}`]),
  );
}
