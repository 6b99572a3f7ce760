import { Worker } from 'node:worker_threads';
import { type CommandReply, type CommandRequest, commandThreadMode } from '../../ailang/cli/command-thread.js';
import { threadLimits } from '../../ailang/cli/run/limits.js';
import type { CommandOutcome } from '../../ailang/policy/policy-tool.js';

/** What is said of a command that had no more time, waiting or running. */
export const pastDeadline = 'the command passed its deadline';

interface Running {
  readonly deadline: NodeJS.Timeout;
  readonly resolve: (outcome: CommandOutcome) => void;
  readonly reject: (error: Error) => void;
}

/** One thread with a memory limit that runs one command at a time; a command that passes its deadline takes it along. */
export class CommandLane {
  readonly #program: string;
  #thread: Worker | null = null;
  #running: Running | null = null;

  /** @param program the bundled `ailang` program */
  constructor(program: string) {
    this.#program = program;
  }

  get busy(): boolean {
    return this.#running !== null;
  }

  /** @throws Error when the deadline passes or the thread dies. Not to be called while the lane is busy */
  run(request: CommandRequest, deadlineMs: number): Promise<CommandOutcome> {
    return new Promise((resolve, reject) => {
      this.#running = { deadline: setTimeout(() => this.#expire(), deadlineMs), resolve, reject };
      (this.#thread ?? this.#start()).postMessage(request);
    });
  }

  #start(): Worker {
    const thread = new Worker(this.#program, { workerData: commandThreadMode, resourceLimits: threadLimits });
    this.#thread = thread;
    thread.on('message', (reply: CommandReply) => {
      if (this.#thread !== thread) return;
      if ('outcome' in reply) this.#settle()?.resolve(reply.outcome);
      else this.#settle()?.reject(new Error(reply.error));
    });
    thread.on('error', (error) => this.#died(thread, `the command failed: ${error.message}`));
    thread.on('exit', () => this.#died(thread, 'the command thread ended'));
    return thread;
  }

  #expire(): void {
    const thread = this.#thread;
    this.#thread = null;
    void thread?.terminate();
    this.#settle()?.reject(new Error(pastDeadline));
  }

  #died(thread: Worker, reason: string): void {
    if (this.#thread !== thread) return;
    this.#thread = null;
    this.#settle()?.reject(new Error(reason));
  }

  #settle(): Running | null {
    const running = this.#running;
    this.#running = null;
    if (running !== null) clearTimeout(running.deadline);
    return running;
  }
}
