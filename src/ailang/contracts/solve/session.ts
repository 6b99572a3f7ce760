import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { Core, CoreProgram } from '../../core/types.js';
import { packageRoot } from '../../package-root.js';
import type { Failure } from '../counterexample/replay.js';
import type { Answer, Solver } from './answer.js';
import { type SolverThreadData, solverThreadMode, type ThreadReply, type ThreadRequest } from './z3-thread.js';

interface Thread {
  readonly worker: Worker;
  readonly port: MessagePort;
  readonly signal: Int32Array;
  loaded: boolean;
}

const loadMs = 20_000;
/** How much longer than its limit a proof may take before the thread is given up. */
const graceMs = 1500;
const replayMs = 1000;

/**
 * The solver's thread as seen from synchronous code: the caller waits, the thread's own event loop runs free. A thread
 * that does not answer in time is ended, and the next question starts another.
 */
export class SolverSession implements Solver {
  readonly #program: string;
  #thread: Thread | null = null;

  /** @param program the bundled `ailang` program */
  constructor(program = join(packageRoot(), 'dist', 'ailang.js')) {
    this.#program = program;
  }

  /** Starts Z3. @returns why it is not available, or null */
  load(): string | null {
    if (this.#thread?.loaded) return null;
    if (!existsSync(this.#program)) return `${this.#program} is not built`;
    const reply = this.#ask({ kind: 'load' }, loadMs);
    if (reply?.kind === 'loaded' && this.#thread !== null) {
      this.#thread.loaded = true;
      return null;
    }
    this.close();
    return reply?.kind === 'failed' ? reply.message : 'Z3 could not be loaded in time';
  }

  solve(problem: string, values: readonly string[], timeoutMs: number): Answer {
    const problemOfLoading = this.load();
    if (problemOfLoading !== null) return { kind: 'error', message: problemOfLoading };
    const reply = this.#ask({ kind: 'solve', problem, values, timeoutMs }, timeoutMs + graceMs);
    if (reply === null) return { kind: 'unknown', reason: 'solver timeout' };
    if (reply.kind !== 'answer') {
      this.close();
      return { kind: 'error', message: reply.kind === 'failed' ? reply.message : 'the solver answered out of turn' };
    }
    return reply.answer;
  }

  /** Calls a function of a program with one list of arguments after another. @returns the first failure, or null */
  replay(program: CoreProgram, name: string, calls: readonly (readonly Core[])[]): Failure | null {
    const reply = this.#ask({ kind: 'replay', program, name, calls, milliseconds: replayMs }, replayMs + graceMs);
    return reply?.kind === 'replayed' ? reply.failure : null;
  }

  close(): void {
    const thread = this.#thread;
    this.#thread = null;
    thread?.port.close();
    void thread?.worker.terminate();
  }

  /** @returns null when the thread did not answer in time, and was ended */
  #ask(request: ThreadRequest, withinMs: number): ThreadReply | null {
    this.#thread ??= start(this.#program);
    const { port, signal } = this.#thread;
    const before = Atomics.load(signal, 0);
    port.postMessage(request);
    Atomics.wait(signal, 0, before, withinMs);
    const received = receiveMessageOnPort(port) as { readonly message: ThreadReply } | undefined;
    if (received !== undefined) return received.message;
    this.close();
    return null;
  }
}

function start(program: string): Thread {
  const { port1, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const workerData: SolverThreadData = { mode: solverThreadMode, port: port2, signal };
  const worker = new Worker(program, {
    workerData,
    transferList: [port2],
    resourceLimits: { maxOldGenerationSizeMb: 512, stackSizeMb: 200 },
  });
  // A solver never keeps the process from ending, and its death is seen by the next question.
  worker.unref();
  worker.on('error', () => {});
  port1.unref();
  return { worker, port: port1, signal, loaded: false };
}
