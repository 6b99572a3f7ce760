import { Worker } from 'node:worker_threads';
import type { Answer, Question } from '../repl/evaluate.js';
import type { ReplThread } from './repl-thread.js';
import { threadLimits } from './run/limits.js';

/** One thread and what it is asked, if anything. */
interface Evaluation {
  readonly thread: Worker;
  settle: ((answer: Answer | string) => void) | null;
}

/** Evaluates in a thread that can be ended at any time; the next question gets a new one. */
export class ReplEvaluator {
  #current: Evaluation | null = null;

  constructor(
    readonly programFile: string,
    readonly data: ReplThread,
    readonly timeoutMs: number,
  ) {}

  /** A text instead of an answer says why there is none. */
  evaluate(question: Question): Promise<Answer | string> {
    const current = this.#current ?? this.#start();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#end('the evaluation took too long and was ended'), this.timeoutMs);
      current.settle = (answer) => {
        clearTimeout(timer);
        current.settle = null;
        resolve(answer);
      };
      current.thread.postMessage(question);
    });
  }

  /** Ends the evaluation that is going on, if any. @returns whether there was one */
  interrupt(): boolean {
    if (this.#current === null || this.#current.settle === null) return false;
    this.#end('interrupted');
    return true;
  }

  async close(): Promise<void> {
    await this.#current?.thread.terminate();
  }

  #start(): Evaluation {
    const thread = new Worker(this.programFile, { workerData: this.data, resourceLimits: threadLimits });
    const current: Evaluation = { thread, settle: null };
    this.#current = current;
    thread.on('message', (answer: Answer) => current.settle?.(answer));
    thread.on('error', (error) => {
      if (this.#current === current) this.#current = null;
      const outOfMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      current.settle?.(`Error: ${outOfMemory ? 'RT007: out of memory' : error.message}`);
    });
    return current;
  }

  #end(reason: string): void {
    const current = this.#current;
    if (current === null) return;
    this.#current = null;
    void current.thread.terminate().then(() => current.settle?.(reason));
  }
}
