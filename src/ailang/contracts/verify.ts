import type { CoreProgram } from '../core/types.js';
import type { CheckedModule } from '../modules/checked-module.js';
import { rejections } from './encode/fragment.js';
import { type ProgramFunction, ProgramIndex } from './encode/program.js';
import type { Solver } from './solve/answer.js';
import type { FunctionResult, Verdict, VerifyOptions } from './types.js';
import { type Proof, proveFunction, type Replay } from './verify-function.js';

export interface Prover {
  readonly solver: Solver;
  readonly replay: Replay;
  readonly now: () => number;
}

/**
 * Verifies the functions of the root module in the order of the source. Callees come first in time, so that what is
 * proven of a recursive function serves its callers.
 */
export function verify(
  modules: readonly CheckedModule[],
  program: CoreProgram,
  prover: Prover,
  options: VerifyOptions,
): readonly FunctionResult[] {
  return new Verification(modules, program, prover, options).run();
}

class Verification {
  readonly #index: ProgramIndex;
  readonly #proven = new Set<string>();
  readonly #settled = new Set<string>();
  /** Being settled: a cycle of calls leads back to them. */
  readonly #open = new Set<string>();
  readonly #results = new Map<string, FunctionResult>();
  readonly #deadline: number;

  constructor(
    modules: readonly CheckedModule[],
    readonly program: CoreProgram,
    readonly prover: Prover,
    readonly options: VerifyOptions,
  ) {
    this.#index = new ProgramIndex(modules);
    this.#deadline = prover.now() + options.totalMs;
  }

  run(): readonly FunctionResult[] {
    const own = [...this.#index.functions.values()].filter(({ module }) => module.path === this.program.root);
    const listed = own.filter(({ core }) => core.clauses.length > 0 || core.exported);
    for (const fn of listed) this.#settle(fn, true);
    return listed.flatMap((fn) => this.#results.get(fn.key) ?? []);
  }

  /** The function after all it calls. Callees that are not to be listed matter only when they are recursive. */
  #settle(fn: ProgramFunction, listed: boolean): void {
    if (this.#open.has(fn.key)) return;
    if (!this.#settled.has(fn.key)) {
      this.#open.add(fn.key);
      for (const key of this.#index.callees(fn.key)) {
        const callee = this.#index.functions.get(key);
        if (callee !== undefined)
          this.#settle(callee, callee.module.path === this.program.root && callee.core.clauses.length > 0);
      }
      this.#open.delete(fn.key);
      this.#settled.add(fn.key);
    }
    if (this.#results.has(fn.key)) return;
    if (listed || this.#index.cycle(fn.key).size > 0) this.#prove(fn);
  }

  #prove(fn: ProgramFunction): void {
    const started = this.prover.now();
    const verdict = this.#verdict(fn, started);
    if (verdict.status === 'verified' && verdict.boundedDepth === null) this.#proven.add(fn.key);
    this.#results.set(fn.key, {
      function: fn.core.name,
      position: fn.core.position,
      verdict: listedVerdict(fn, verdict),
      duration: this.prover.now() - started,
    });
  }

  #verdict(fn: ProgramFunction, started: number): Verdict {
    const { core } = fn;
    const recursive = this.#index.cycle(fn.key).size > 0;
    // A recursive function without a contract is still proven to end and not to fail: its callers need it.
    const found = rejections(fn).filter(({ code }) => !(recursive && code === 'NO_CONTRACTS'));
    const [first] = found;
    if (core.clauses.length === 0 && !recursive) return { status: 'uncontracted' };
    if (first !== undefined) return { status: 'skipped', reason: reasonOf(first), rejections: found };
    const left = this.#deadline - started;
    if (left <= 0)
      return { status: 'unknown', reason: 'the time for the whole file was used up; ailang verify has no such limit' };
    const proof: Proof = {
      index: this.#index,
      program: this.program,
      solver: this.prover.solver,
      replay: this.prover.replay,
      proven: this.#proven,
      timeoutMs: Math.min(this.options.timeoutMs, left),
      depth: declaredDepth(fn) ?? this.options.recursiveDepth,
      strictOverflow: this.options.strictOverflow,
      now: this.prover.now,
    };
    const verdict = proveFunction(proof, fn);
    return verdict.status === 'skipped'
      ? { ...verdict, rejections: verdict.rejections.map((one) => placed(one, fn)) }
      : verdict;
  }
}

const reasonOf = ({ code, message }: { code: string; message: string }): string =>
  code === 'NO_CONTRACTS' ? message : `${message} (${code})`;

/** What a reader is told of a function that was proven only for its callers. */
function listedVerdict(fn: ProgramFunction, verdict: Verdict): Verdict {
  const { clauses } = fn.core;
  if (clauses.length === 0) return { status: 'uncontracted' };
  if (clauses.some(({ kind }) => kind === 'ensures')) return verdict;
  const found = rejections(fn).filter(({ code }) => code === 'NO_CONTRACTS');
  return { status: 'skipped', reason: found[0]?.message ?? '', rejections: found };
}

const placed = <R extends { readonly position: { readonly file: string } }>(rejection: R, fn: ProgramFunction): R =>
  rejection.position.file === '' ? { ...rejection, position: fn.core.position } : rejection;

/** `@verify(depth: N)` above the function. */
function declaredDepth({ declaration }: ProgramFunction): number | null {
  const attribute = declaration.attributes.find(({ name }) => name.text === 'verify');
  const depth = /^\s*depth\s*:\s*(\d{1,2})\s*$/.exec(attribute?.arguments ?? '')?.[1];
  return depth === undefined ? null : Number(depth);
}
