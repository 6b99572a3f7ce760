import { Worker } from 'node:worker_threads';
import type { Answer, Question } from '../repl/evaluate.js';
import type { ReplThread } from './repl-thread.js';
import { threadLimits } from './run/limits.js';

/** Evaluates in a thread that can be ended at any time; the next question gets a new one. */
export class ReplEvaluator {
  #thread: Worker | null = null;
  #end: (reason: string) => void = () => {};

  constructor(
    readonly programFile: string,
    readonly data: ReplThread,
    readonly timeoutMs: number,
  ) {}

  evaluate(question: Question): Promise<Answer | string> {
    this.#thread ??= new Worker(this.programFile, { workerData: this.data, resourceLimits: threadLimits });
    const thread = this.#thread;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#end('the evaluation took too long and was ended'), this.timeoutMs);
      const settle = (answer: Answer | string): void => {
        clearTimeout(timer);
        this.#end = () => {};
        thread.removeAllListeners();
        resolve(answer);
      };
      this.#end = (reason) => {
        this.#thread = null;
        // What the thread still fails with is of no interest.
        void thread.terminate().then(() => settle(reason));
      };
      thread.once('message', settle);
      thread.once('error', (error) => {
        this.#thread = null;
        settle(
          `Error: ${'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'RT007: out of memory' : error.message}`,
        );
      });
      thread.postMessage(question);
    });
  }

  /** Ends the evaluation that is going on, if any. @returns whether there was one */
  interrupt(): boolean {
    if (this.#thread === null) return false;
    const before = this.#end;
    before('interrupted');
    return this.#thread === null;
  }

  async close(): Promise<void> {
    await this.#thread?.terminate();
  }
}
