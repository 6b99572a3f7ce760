import { createRequire } from 'node:module';
import type { MessagePort } from 'node:worker_threads';
import type { Core, CoreProgram } from '../../core/types.js';
import { type Failure, firstFailure } from '../counterexample/replay.js';
import type { Answer } from './answer.js';
import { readAnswer, script } from './answer.js';

/** Mode of the program file when it is loaded as the thread of the solver. */
export const solverThreadMode = 'solver-thread';

export interface SolverThreadData {
  readonly mode: typeof solverThreadMode;
  readonly port: MessagePort;
  /** One int, raised and notified after every reply. */
  readonly signal: Int32Array;
}

export type ThreadRequest =
  | { readonly kind: 'load' }
  | { readonly kind: 'solve'; readonly problem: string; readonly values: readonly string[]; readonly timeoutMs: number }
  | {
      readonly kind: 'replay';
      readonly program: CoreProgram;
      readonly name: string;
      readonly calls: readonly (readonly Core[])[];
      readonly milliseconds: number;
    };

export type ThreadReply =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'replayed'; readonly failure: Failure | null }
  | { readonly kind: 'failed'; readonly message: string };

/** The few functions of the z3-solver package in use. */
interface Z3 {
  global_param_set(name: string, value: string): void;
  mk_config(): number;
  mk_context(config: number): number;
  del_config(config: number): void;
  del_context(context: number): void;
}

interface Emscripten {
  readonly HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _free(address: number): void;
  async_call(f: unknown, ...args: readonly unknown[]): Promise<string>;
  readonly _async_Z3_eval_smtlib2_string: unknown;
}

type Init = (start: unknown) => Promise<{ readonly Z3: Z3; readonly em: Emscripten }>;

const maxMemoryMb = 1024;
const z3Program = 'z3-solver/build/z3-built.js';

/** Whether the package is installed. */
export function bundledZ3Present(): boolean {
  try {
    createRequire(import.meta.url).resolve(z3Program);
    return true;
  } catch {
    return false;
  }
}

/** Z3 as compiled for JavaScript: one context, made anew after a proof that was broken off. */
class Z3Session {
  readonly #z3: Z3;
  readonly #em: Emscripten;
  #context: number | null = null;

  private constructor(z3: Z3, em: Emscripten) {
    this.#z3 = z3;
    this.#em = em;
  }

  /** @throws when the package is not installed */
  static async load(): Promise<Z3Session> {
    // Resolved from here at run time: the package brings its own threads and its own WebAssembly file.
    const load = createRequire(import.meta.url);
    const { init } = load('z3-solver/build/low-level') as { readonly init: Init };
    const { Z3: z3, em } = await init(load(z3Program));
    z3.global_param_set('memory_max_size', String(maxMemoryMb));
    return new Z3Session(z3, em);
  }

  async solve(problem: string, values: readonly string[], timeoutMs: number): Promise<Answer> {
    this.#context ??= this.#newContext();
    const limit = `(reset)(set-option :timeout ${Math.max(1, Math.ceil(timeoutMs))})\n`;
    const answer = readAnswer(await this.#evaluate(this.#context, limit + script(problem, values)));
    if (answer.kind === 'unknown' || answer.kind === 'error') {
      this.#z3.del_context(this.#context);
      this.#context = null;
    }
    return answer;
  }

  #newContext(): number {
    const config = this.#z3.mk_config();
    const context = this.#z3.mk_context(config);
    this.#z3.del_config(config);
    return context;
  }

  /** The package's own wrapper frees the text before its thread has read it. */
  async #evaluate(context: number, text: string): Promise<string> {
    const bytes = Buffer.from(`${text}\0`);
    const address = this.#em._malloc(bytes.length);
    this.#em.HEAPU8.set(bytes, address);
    try {
      return await this.#em.async_call(this.#em._async_Z3_eval_smtlib2_string, context, address);
    } finally {
      this.#em._free(address);
    }
  }
}

/** Answers one request after another; Z3 is loaded with the first that needs it. */
export function solverThread({ port, signal }: SolverThreadData): void {
  let session: Promise<Z3Session> | null = null;
  const answer = async (request: ThreadRequest): Promise<ThreadReply> => {
    if (request.kind === 'replay') {
      const { program, name, calls, milliseconds } = request;
      return { kind: 'replayed', failure: firstFailure(program, name, calls, milliseconds) };
    }
    session ??= Z3Session.load();
    const z3 = await session;
    if (request.kind === 'load') {
      await z3.solve('(declare-const x Int)(assert (< 0 x))', [], 10_000);
      return { kind: 'loaded' };
    }
    return { kind: 'answer', answer: await z3.solve(request.problem, request.values, request.timeoutMs) };
  };
  const send = (reply: ThreadReply): void => {
    port.postMessage(reply);
    Atomics.add(signal, 0, 1);
    Atomics.notify(signal, 0);
  };
  const fail = (error: unknown): void =>
    send({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  // The caller sleeps until it hears something: a death must be told.
  process.on('uncaughtException', fail);
  port.on('message', (request: ThreadRequest) => void answer(request).then(send, fail));
}
