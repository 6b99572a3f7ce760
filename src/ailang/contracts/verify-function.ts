import type { Core, CoreProgram } from '../core/types.js';
import { withCall } from './counterexample/replay.js';
import { readSExpression } from './counterexample/s-expression.js';
import { callText, valueText } from './counterexample/text.js';
import { modelValue } from './counterexample/value.js';
import { type Goal, goalOf, parameterRanges, smallParameters } from './encode/goal.js';
import { measures, notDecreasing, structurallySmaller } from './encode/measure.js';
import type { ProgramFunction, ProgramIndex } from './encode/program.js';
import { problemText } from './encode/smtlib.js';
import { sortText } from './encode/sort.js';
import * as t from './encode/term.js';
import { TooLarge, Unsupported } from './encode/unsupported.js';
import type { Answer, Solver } from './solve/answer.js';
import type { Counterexample, Verdict } from './types.js';

export interface Proof {
  readonly index: ProgramIndex;
  readonly program: CoreProgram;
  readonly solver: Solver;
  /** Runs a program that calls one function; the failure, or null. */
  readonly replay: (program: CoreProgram) => string | null;
  /** Functions proven for every input, without bounds. */
  readonly proven: ReadonlySet<string>;
  readonly timeoutMs: number;
  readonly depth: number;
  readonly strictOverflow: boolean;
  readonly now: () => number;
}

/** How deep a way to fail is looked for where a proof is bounded anyway. */
const searchDepth = 5;
/** Sizes of parameters a counterexample is looked for with, the nicest first; null is any. */
const sizes = [3, 20, 1000, null] as const;

/** Proves one function, or finds a call that fails. */
export function proveFunction(proof: Proof, fn: ProgramFunction): Verdict {
  return new FunctionProof(proof, fn).run();
}

type Attempt =
  | { readonly kind: 'done'; readonly verdict: Verdict }
  /** The goal says less than the function does: look at real runs instead. */
  | { readonly kind: 'inconclusive'; readonly reason: string };

class FunctionProof {
  readonly #deadline: number;

  constructor(
    readonly proof: Proof,
    readonly fn: ProgramFunction,
  ) {
    this.#deadline = proof.now() + proof.timeoutMs;
  }

  run(): Verdict {
    const { index, depth } = this.proof;
    const recursive = index.cycle(this.fn.key).size > 0;
    const first = recursive ? this.#induction() : this.#attempt(null, depth);
    if (first.kind === 'done') return first.verdict;
    const second = this.#unrolled(depth);
    if (second.kind === 'done') return second.verdict;
    return { status: 'unknown', reason: second.reason };
  }

  #induction(): Attempt {
    const { index, proven, depth } = this.proof;
    if (index.cycle(this.fn.key).size > 1) return { kind: 'inconclusive', reason: 'mutual recursion' };
    try {
      const goal = goalOf(index, this.fn, { inducting: this.fn.key, proven, depth });
      if (!this.#decreases(goal)) return { kind: 'inconclusive', reason: 'no measure decreases' };
      const question = [...goal.assumptions, ...goal.hypotheses, this.#failure(goal), ...this.#strictRanges(goal)];
      const answer = this.#ask(question, [], 0.4);
      if (answer.kind === 'unsat') return { kind: 'done', verdict: this.#verified(goal) };
      return { kind: 'inconclusive', reason: 'the contract is not its own induction hypothesis' };
    } catch (error) {
      if (error instanceof Unsupported && error.code === 'RECURSIVE')
        return { kind: 'inconclusive', reason: error.message };
      return failed(error);
    }
  }

  #decreases(goal: Goal): boolean {
    if (goal.selfCalls.length === 0 || structurallySmaller(goal)) return true;
    const enough = this.proof.timeoutMs * 0.6;
    return measures(goal).some((measure) => {
      const question = [...goal.assumptions, notDecreasing(goal, measure)];
      return this.#left() > enough && this.#ask(question, [], 0.1).kind === 'unsat';
    });
  }

  /** Everything by its body; calls of proven recursive functions by what was proven of them. */
  #attempt(inducting: string | null, depth: number): Attempt {
    const { index, proven } = this.proof;
    try {
      const goal = goalOf(index, this.fn, { inducting, proven, depth });
      const answer = this.#ask([...goal.assumptions, this.#failure(goal), ...this.#strictRanges(goal)], [], 0.6);
      if (answer.kind === 'error') return { kind: 'done', verdict: { status: 'error', reason: answer.message } };
      if (answer.kind === 'unsat') return this.#deeper(goal);
      if (goal.abstract) return { kind: 'inconclusive', reason: 'calls are only known by their contracts' };
      if (answer.kind === 'unknown') return this.#search(goal, this.#unknown(answer));
      return this.#search(goal, null);
    } catch (error) {
      return failed(error);
    }
  }

  /** Real runs only, as deep as was asked for. */
  #unrolled(depth: number): Attempt {
    const { index } = this.proof;
    try {
      const goal = goalOf(index, this.fn, { inducting: null, proven: new Set(), depth });
      const answer = this.#ask([...goal.assumptions, this.#failure(goal), ...this.#strictRanges(goal)], [], 0.7);
      if (answer.kind === 'unsat') return this.#deeper(goal);
      if (answer.kind === 'error') return { kind: 'done', verdict: { status: 'error', reason: answer.message } };
      return this.#search(goal, answer.kind === 'unknown' ? this.#unknown(answer) : null);
    } catch (error) {
      return failed(error);
    }
  }

  /** A bounded proof is followed by a look for failures a little deeper. */
  #deeper(goal: Goal): Attempt {
    const verdict = this.#verified(goal);
    if (!goal.bounded || this.proof.depth >= searchDepth) return { kind: 'done', verdict };
    try {
      const { index } = this.proof;
      const deep = goalOf(index, this.fn, { inducting: null, proven: new Set(), depth: searchDepth });
      const answer = this.#ask([...deep.assumptions, this.#failure(deep), ...this.#strictRanges(deep)], [], 0.5);
      if (answer.kind !== 'sat') return { kind: 'done', verdict };
      const found = this.#search(deep, null);
      return found.kind === 'done' && found.verdict.status === 'counterexample' ? found : { kind: 'done', verdict };
    } catch {
      return { kind: 'done', verdict };
    }
  }

  /** Looks for a call that fails, the nicest first, and runs what it finds. */
  #search(goal: Goal, otherwise: Verdict | null): Attempt {
    const real = [...goal.assumptions, this.#failure(goal), ...parameterRanges(goal)];
    if (!this.proof.strictOverflow) real.push(t.not(goal.wraps));
    let last: Verdict | null = null;
    for (const size of sizes) {
      if (this.#left() <= 0) break;
      const answer = this.#ask(
        [...real, ...(size === null ? [] : smallParameters(goal, size))],
        goal.parameters.map(({ term }) => term),
        0.5,
      );
      if (answer.kind === 'sat') {
        const found = this.#reproduce(goal, answer.output);
        if (found !== null)
          return {
            kind: 'done',
            verdict: {
              status: 'counterexample',
              counterexample: found,
              boundedDepth: goal.bounded ? this.proof.depth : null,
            },
          };
        last = { status: 'unknown', reason: 'the solver found a counterexample that does not fail when it is run' };
      }
      if (answer.kind === 'unknown') last = this.#unknown(answer);
      // Within 64 bits nothing fails.
      if (answer.kind === 'unsat' && size === null) return { kind: 'done', verdict: this.#verified(goal) };
    }
    return { kind: 'done', verdict: last ?? otherwise ?? this.#unknown({ kind: 'unknown', reason: 'solver timeout' }) };
  }

  #reproduce(goal: Goal, output: string): Counterexample | null {
    const { program, replay, strictOverflow } = this.proof;
    let values: Core[];
    try {
      const model =
        goal.parameters.length === 0 ? [] : (readSExpression(output) as readonly (readonly [unknown, never])[]);
      values = goal.parameters.map(({ term }, at) => modelValue(model[at]?.[1] as never, term.sort));
    } catch {
      return null;
    }
    const name = this.fn.core.name;
    const violation =
      replay(withCall(program, name, values)) ?? (strictOverflow ? 'a 64-bit integer operation wraps' : null);
    if (violation === null || !values.every(fits)) return null;
    return {
      model: goal.parameters.map(({ name: parameter, term }, at) => ({
        name: parameter,
        sort: sortText(term.sort),
        value: valueText(values[at] as Core),
      })),
      call: callText(name, values),
      violation,
    };
  }

  #failure(goal: Goal): t.Term {
    return this.proof.strictOverflow ? t.or(goal.failure, goal.wraps) : goal.failure;
  }

  #strictRanges(goal: Goal): readonly t.Term[] {
    return this.proof.strictOverflow ? parameterRanges(goal) : [];
  }

  #verified(goal: Goal): Verdict {
    const assumed = [
      ...(goal.computesIntegers && !this.proof.strictOverflow ? ['no 64-bit integer operation wraps'] : []),
      ...(goal.recursive ? ['calls do not nest beyond the recursion limit'] : []),
    ];
    return {
      status: 'verified',
      assuming: assumed.length === 0 ? null : assumed.join(' and '),
      boundedDepth: goal.bounded ? this.proof.depth : null,
    };
  }

  #unknown({ reason }: Extract<Answer, { kind: 'unknown' }>): Verdict {
    const seconds = this.proof.timeoutMs / 1000;
    return { status: 'unknown', reason: reason === 'solver timeout' ? `solver timeout (${seconds}s)` : reason };
  }

  #left(): number {
    return this.#deadline - this.proof.now();
  }

  #ask(assertions: readonly t.Term[], values: readonly t.Term[], share: number): Answer {
    const left = this.#left();
    if (left <= 0) return { kind: 'unknown', reason: 'solver timeout' };
    if (assertions.includes(t.falsity)) return { kind: 'unsat' };
    const names = values.map(({ node }) => (node.k === 'symbol' ? `|${node.name}|` : ''));
    const timeoutMs = values.length === 0 && share === 0 ? left : Math.max(50, left * share);
    return this.proof.solver.solve(problemText(assertions, values), names, timeoutMs);
  }
}

/** Whether every int inside is one of the language. */
const fits = (value: Core): boolean => {
  if (value.k === 'int') return BigInt.asIntN(64, value.value) === value.value;
  if (value.k === 'list' || value.k === 'tuple') return value.items.every(fits);
  if (value.k === 'record') return value.fields.every((field) => fits(field.value));
  return value.k !== 'call' || value.args.every(fits);
};

function failed(error: unknown): Attempt {
  if (error instanceof TooLarge || error instanceof RangeError)
    return {
      kind: 'done',
      verdict: { status: 'unknown', reason: 'the function is too large when its calls are inlined' },
    };
  if (!(error instanceof Unsupported)) throw error;
  const { code, message, hint, position } = error;
  const rejection = { code, message, hint, position: position ?? { file: '', line: 1, column: 1 } };
  return { kind: 'done', verdict: { status: 'skipped', reason: `${message} (${code})`, rejections: [rejection] } };
}
