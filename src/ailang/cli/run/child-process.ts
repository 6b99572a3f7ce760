import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Duplex, Readable } from 'node:stream';
import { packageRoot } from '../../package-root.js';
import { splitLines } from './json-lines.js';
import type { ChildMessage, ChildRequest, ParentMessage } from './messages.js';

export interface ChildOptions {
  /** The child's bundle. */
  readonly program: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin: 'pipe' | 'inherit';
}

/** Where the build puts the child's bundle. */
export const runChildProgram = (): string => join(packageRoot(), 'dist', 'workers', 'run-child.cjs');

/** How a child's process ended. */
export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not be started. */
  readonly error?: Error;
}

/** For the rehearsal, which empties the nursery; no program can reach it. */
const tidying = '--expose-gc';

/** Node's own fence around the child: files and threads, but no further process, whatever the interpreter is made to do. */
const permissions = process.allowedNodeEnvironmentFlags.has('--permission')
  ? ['--permission', '--allow-fs-read=*', '--allow-fs-write=*', '--allow-worker']
  : ['--experimental-permission', '--allow-fs-read=*', '--allow-fs-write=*', '--allow-worker'];

/** Something that is said to have happened, or never happens because the child ended. */
class Milestone {
  reach: () => void = () => {};
  readonly reached: Promise<boolean>;

  constructor(ended: Promise<unknown>) {
    this.reached = new Promise((resolve) => {
      this.reach = () => resolve(true);
      ended.then(() => resolve(false));
    });
  }
}

/** One single-use process for one run, leader of its own process group. It can wait, ready, for its request. */
export class RunChild {
  readonly #process: ChildProcess;
  readonly #channel: Duplex;
  #listener: (message: ChildMessage) => void = () => {};
  /** Settles when all code is loaded; false when the child died first. */
  readonly ready: Promise<boolean>;
  /** Settles when it has rehearsed, too, which makes its run faster; false when it got its request or died first. */
  readonly rehearsed: Promise<boolean>;
  /** Settles when the process is gone. */
  readonly ended: Promise<ChildEnd>;
  /** Settles when the child has said everything, which may be before it is gone. */
  readonly concluded: Promise<ChildEnd>;

  constructor({ program, environment, cwd, stdin }: ChildOptions) {
    const child = spawn(process.execPath, ['--no-warnings', tidying, ...permissions, program], {
      cwd,
      env: environment,
      stdio: [stdin, 'pipe', 'pipe', 'pipe'],
      detached: true,
    });
    this.#process = child;
    this.#channel = child.stdio[3] as Duplex;
    this.#channel.on('error', () => {});
    child.stdin?.on('error', () => {});
    this.ended = new Promise((resolve) => {
      child.on('error', (error) => resolve({ code: null, signal: null, error }));
      child.on('exit', (code, signal) => this.#drained(resolve, { code, signal }));
    });
    const streams = [child.stdout!, child.stderr!].map(
      (stream) => new Promise((resolve) => stream.once('end', resolve)),
    );
    let finished: (code: number) => void = () => {};
    const exitCode = new Promise<number>((resolve) => {
      finished = resolve;
    });
    this.concluded = Promise.race([
      this.ended,
      Promise.all([exitCode, ...streams]).then(([code]): ChildEnd => ({ code, signal: null })),
    ]);
    const said = { ready: new Milestone(this.ended), rehearsed: new Milestone(this.ended) };
    this.ready = said.ready.reached;
    this.rehearsed = said.rehearsed.reached;
    splitLines(this.#channel, (line) => {
      const message = JSON.parse(line) as ChildMessage;
      if (message.kind === 'ready') this.#write(null);
      if (message.kind === 'ready' || message.kind === 'rehearsed') said[message.kind].reach();
      else if (message.kind === 'finished') finished(message.exitCode);
      else this.#listener(message);
    });
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get stdout(): Readable {
    return this.#process.stdout!;
  }

  get stderr(): Readable {
    return this.#process.stderr!;
  }

  /** Hands over the one request. @param stdin null when the child has the supervisor's own */
  send(request: ChildRequest, stdin: string | null, listener: (message: ChildMessage) => void): void {
    this.#listener = listener;
    this.#write(request);
    if (stdin !== null) this.#process.stdin?.end(stdin);
  }

  #write(message: ParentMessage): void {
    this.#channel.write(`${JSON.stringify(message)}\n`);
  }

  /** Kills the whole group. */
  kill(): void {
    const { pid } = this.#process;
    if (pid === undefined || pid <= 1) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  }

  /** The exit is known before the last output is read; but nobody may hold the pipes open for long. */
  #drained(resolve: (end: ChildEnd) => void, end: ChildEnd): void {
    const timer = setTimeout(() => {
      for (const stream of this.#process.stdio) stream?.destroy();
      resolve(end);
    }, 1000);
    this.#process.on('close', () => {
      clearTimeout(timer);
      resolve(end);
    });
  }
}
