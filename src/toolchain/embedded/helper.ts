import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Duplex } from 'node:stream';
import { splitLines } from '../../ailang/cli/run/json-lines.js';
import type { ChildRequest } from '../../ailang/cli/run/messages.js';
import type { CommandOutcome } from '../../ailang/policy/policy-tool.js';
import { WorldError } from '../../errors.js';
import type { RunResult } from '../types.js';
import type { HelperReply, HelperRequest, HelperSettings } from './protocol.js';

type Payload<T> = T extends { readonly id: number } ? Omit<T, 'id'> : never;
type Ask = Payload<HelperRequest>;

interface Running {
  readonly process: ChildProcess;
  readonly channel: Duplex;
  readonly waiting: Map<number, { resolve: (reply: HelperReply) => void; reject: (error: Error) => void }>;
  readonly exited: Promise<void>;
}

/** The daemon's side of the helper process: started when first needed, and again when it died. */
export class Helper {
  readonly #file: string;
  readonly #settings: HelperSettings;
  readonly #home: string;
  #running: Running | null = null;
  #lastId = 0;
  #closed = false;

  /** @param file the helper's bundle. @param home private directory, HOME of all children */
  constructor(file: string, settings: HelperSettings, home: string) {
    this.#file = file;
    this.#settings = settings;
    this.#home = home;
  }

  get pid(): number | undefined {
    return this.#running?.process.pid;
  }

  /** Settles when idle children and the command thread are ready. @returns pids of the run children */
  async warm(): Promise<readonly number[]> {
    const reply = await this.#ask({ kind: 'warm' }, 60_000);
    return reply.kind === 'warm' ? reply.pids : [];
  }

  async command(argv: readonly string[], root: string | null, deadlineMs: number): Promise<CommandOutcome> {
    const reply = await this.#ask({ kind: 'command', argv, root, deadlineMs }, deadlineMs);
    if (reply.kind === 'command') return reply.outcome;
    throw failure(reply);
  }

  async run(request: ChildRequest, stdin: string, deadlineMs: number): Promise<RunResult> {
    const reply = await this.#ask({ kind: 'run', request, stdin, deadlineMs }, deadlineMs);
    if (reply.kind === 'run') return reply.result;
    throw failure(reply);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const running = this.#running;
    if (running === null) return;
    // The helper takes its children with it; should it hang, its group is killed, and they follow their channels.
    running.channel.end();
    const timer = setTimeout(() => kill(running.process), 2000);
    await running.exited;
    clearTimeout(timer);
  }

  /** The helper answers within the deadline by itself; a little later it is given up. */
  async #ask(payload: Ask, deadlineMs: number): Promise<HelperReply> {
    if (this.#closed) throw new WorldError('toolchain-closed', 'the toolchain is closed');
    const running = this.#running ?? this.#start();
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => kill(running.process), deadlineMs + 2000);
      running.waiting.set(id, {
        resolve: (reply) => {
          clearTimeout(timer);
          resolve(reply);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      });
      running.channel.write(`${JSON.stringify({ ...payload, id })}\n`);
    });
  }

  #start(): Running {
    const child = spawn(process.execPath, ['--no-warnings', '--max-old-space-size=512', this.#file], {
      cwd: this.#home,
      env: { PATH: '/usr/bin:/bin', HOME: this.#home, LANG: 'C', LC_ALL: 'C', ...packageCache() },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      detached: true,
    });
    const channel = child.stdio[3] as Duplex;
    const waiting: Running['waiting'] = new Map();
    let ended: () => void = () => {};
    const exited = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const running: Running = { process: child, channel, waiting, exited };
    const gone = (error: WorldError): void => {
      if (this.#running === running) this.#running = null;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
      ended();
    };
    child.on('error', (cause) =>
      gone(new WorldError('toolchain-unavailable', 'the toolchain helper could not be started', { cause })),
    );
    child.on('exit', () =>
      gone(new WorldError('toolchain-unavailable', 'the toolchain helper ended before it answered')),
    );
    channel.on('error', () => {});
    splitLines(channel, (line) => {
      const reply = JSON.parse(line) as HelperReply;
      waiting.get(reply.id)?.resolve(reply);
      waiting.delete(reply.id);
    });
    channel.write(`${JSON.stringify({ kind: 'settings', settings: this.#settings } satisfies HelperRequest)}\n`);
    this.#running = running;
    return running;
  }
}

/** The operator's packages are the one thing that the children are told of the daemon's environment. */
const packageCache = (): Readonly<Record<string, string>> => {
  const root = process.env.AILANG_PACKAGE_ROOT;
  return root === undefined || root === '' ? {} : { AILANG_PACKAGE_ROOT: resolve(root) };
};

const failure = (reply: HelperReply): WorldError =>
  new WorldError(
    'toolchain-failed',
    reply.kind === 'failed' ? reply.message : 'the toolchain helper answered out of turn',
  );

function kill({ pid }: ChildProcess): void {
  if (pid === undefined || pid <= 1) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
