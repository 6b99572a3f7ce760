import { Worker } from 'node:worker_threads';
import { type CommandReply, type CommandRequest, commandThreadMode } from '../../ailang/cli/command-thread.js';
import { threadLimits } from '../../ailang/cli/run/limits.js';
import type { CommandOutcome } from '../../ailang/policy/policy-tool.js';

interface Waiting {
  readonly request: CommandRequest;
  readonly deadline: NodeJS.Timeout;
  readonly resolve: (outcome: CommandOutcome) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Runs commands in one long-lived thread with a memory limit. A command that passes its deadline takes the thread with
 * it; those behind it go on in a new one.
 */
export class CommandRunner {
  readonly #program: string;
  readonly #examples: string | null;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | null = null;
  #lastId = 0;

  constructor(program: string, examples: string | null) {
    this.#program = program;
    this.#examples = examples;
    this.#start();
  }

  run(argv: readonly string[], root: string | null, deadlineMs: number): Promise<CommandOutcome> {
    this.#lastId += 1;
    const request: CommandRequest = { id: this.#lastId, argv, root, examples: this.#examples };
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(() => this.#expire(request.id), deadlineMs);
      this.#waiting.set(request.id, { request, deadline, resolve, reject });
      (this.#thread ?? this.#start()).postMessage(request);
    });
  }

  #start(): Worker {
    const thread = new Worker(this.#program, { workerData: commandThreadMode, resourceLimits: threadLimits });
    this.#thread = thread;
    thread.on('message', (reply: CommandReply) => {
      const waiting = this.#take(reply.id);
      if (waiting === undefined) return;
      if ('outcome' in reply) waiting.resolve(reply.outcome);
      else waiting.reject(new Error(reply.error));
    });
    // The one it was working on is the oldest.
    thread.on('error', (error) => this.#replace(thread, `the command failed: ${error.message}`));
    thread.on('exit', () => this.#replace(thread, 'the command thread ended'));
    for (const { request } of this.#waiting.values()) thread.postMessage(request);
    return thread;
  }

  #expire(id: number): void {
    const [oldest] = this.#waiting.keys();
    this.#take(id)?.reject(new Error('the command passed its deadline'));
    if (id !== oldest || this.#thread === null) return;
    const thread = this.#thread;
    this.#thread = null;
    void thread.terminate();
    this.#start();
  }

  /** After the thread died by itself: its command fails, the others go on. */
  #replace(thread: Worker, reason: string): void {
    if (this.#thread !== thread) return;
    this.#thread = null;
    const [oldest] = this.#waiting.keys();
    if (oldest === undefined) return;
    this.#take(oldest)?.reject(new Error(reason));
    if (this.#waiting.size > 0) this.#start();
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return undefined;
    this.#waiting.delete(id);
    clearTimeout(waiting.deadline);
    return waiting;
  }
}
