import type { Core, CoreProgram } from '../core/types.js';
import type { Failure } from './counterexample/replay.js';
import { readSExpression } from './counterexample/s-expression.js';
import { smallArguments } from './counterexample/small-values.js';
import { callText, valueText } from './counterexample/text.js';
import { modelValue } from './counterexample/value.js';
import { type Goal, goalOf, parameterRanges, smallParameters, takesFloats } from './encode/goal.js';
import { measures, notDecreasing, structurallySmaller } from './encode/measure.js';
import type { ProgramFunction, ProgramIndex } from './encode/program.js';
import { problemText } from './encode/smtlib.js';
import { sortText } from './encode/sort.js';
import * as t from './encode/term.js';
import { TooLarge, Unsupported } from './encode/unsupported.js';
import type { Answer, Solver } from './solve/answer.js';
import type { Counterexample, Verdict } from './types.js';

/** Calls a function of the program with one list of arguments after another. @returns the first failure, or null */
export type Replay = (program: CoreProgram, name: string, calls: readonly (readonly Core[])[]) => Failure | null;

export interface Proof {
  readonly index: ProgramIndex;
  readonly program: CoreProgram;
  readonly solver: Solver;
  readonly replay: Replay;
  /** Functions proven for every input, without bounds. */
  readonly proven: ReadonlySet<string>;
  readonly timeoutMs: number;
  readonly depth: number;
  readonly strictOverflow: boolean;
  readonly now: () => number;
}

/** How deep a way to fail is looked for where a proof is bounded anyway. */
const searchDepth = 5;
/** What is worth to know whether a proof is of nothing. */
const vacuousMs = 1000;
/** Sizes of parameters a counterexample is looked for with, the nicest first; null is any. */
const sizes = [3, 20, 1000, null] as const;

/** Proves one function, or finds a call that fails. */
export function proveFunction(proof: Proof, fn: ProgramFunction): Verdict {
  return new FunctionProof(proof, fn).run();
}

type Attempt =
  | { readonly kind: 'done'; readonly verdict: Verdict }
  /** The goal says less than the function does: look at real runs instead. */
  | { readonly kind: 'inconclusive' };

class FunctionProof {
  readonly #deadline: number;
  #tried = false;

  constructor(
    readonly proof: Proof,
    readonly fn: ProgramFunction,
  ) {
    this.#deadline = proof.now() + proof.timeoutMs;
  }

  run(): Verdict {
    const recursive = this.proof.index.cycle(this.fn.key).size > 0;
    const first = recursive ? this.#induction() : this.#direct();
    return first.kind === 'done' ? first.verdict : this.#unrolled();
  }

  #induction(): Attempt {
    const { index, proven: known, depth } = this.proof;
    if (index.cycle(this.fn.key).size > 1) return { kind: 'inconclusive' };
    try {
      const goal = goalOf(index, this.fn, { inducting: this.fn.key, proven: known, depth });
      if (!this.#decreases(goal)) return { kind: 'inconclusive' };
      const proven = this.#question(goal, 0.4).kind === 'unsat';
      return proven ? { kind: 'done', verdict: this.#verified(goal, depth) } : { kind: 'inconclusive' };
    } catch (error) {
      if (error instanceof Unsupported && error.code === 'RECURSIVE') return { kind: 'inconclusive' };
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
  #direct(): Attempt {
    const { index, proven, depth } = this.proof;
    try {
      const goal = goalOf(index, this.fn, { inducting: null, proven, depth });
      const early = takesFloats(goal) ? this.#try(goal) : null;
      if (early !== null) return { kind: 'done', verdict: early };
      const answer = this.#question(goal, 0.6);
      if (answer.kind === 'error') return { kind: 'done', verdict: { status: 'error', reason: answer.message } };
      if (answer.kind === 'unsat' && !goal.bounded) return { kind: 'done', verdict: this.#verified(goal, null) };
      if (goal.bounded || goal.abstract) return { kind: 'inconclusive' };
      const otherwise = this.#unknown(answer.kind === 'unknown' ? answer.reason : 'solver timeout');
      return { kind: 'done', verdict: this.#try(goal) ?? this.#search(goal, null) ?? otherwise };
    } catch (error) {
      return failed(error);
    }
  }

  /** Real runs only: shallow ones first, which fail more legibly, then as deep as asked for, then a little deeper. */
  #unrolled(): Verdict {
    const { index, depth: wanted } = this.proof;
    let verdict: Verdict = this.#unknown('solver timeout');
    for (const depth of wanted === 0 ? [0] : [...new Set([1, wanted, Math.max(wanted, searchDepth)])].sort(byNumber)) {
      if (this.#left() <= 0) break;
      try {
        const goal = goalOf(index, this.fn, { inducting: null, proven: new Set(), depth });
        const tried = this.#try(goal);
        if (tried !== null) return tried;
        const answer = this.#question(goal, 0.5);
        if (answer.kind === 'error') return { status: 'error', reason: answer.message };
        const found = answer.kind === 'unsat' ? this.#verified(goal, depth) : this.#search(goal, depth);
        if (found?.status === 'counterexample' || (found?.status === 'verified' && !goal.bounded)) return found;
        if (depth > wanted) return verdict;
        verdict = found ?? this.#unknown(answer.kind === 'unknown' ? answer.reason : 'solver timeout');
      } catch (error) {
        if (depth > wanted) return verdict;
        const attempt = failed(error);
        return attempt.kind === 'done' ? attempt.verdict : verdict;
      }
    }
    return verdict;
  }

  /** Calls with small values, once: what is false mostly fails for them, and a run takes less than a deduction. */
  #try(goal: Goal): Verdict | null {
    if (this.#tried) return null;
    this.#tried = true;
    const { program, replay } = this.proof;
    const calls = smallArguments(goal.parameters.map(({ term }) => term.sort));
    const failure = calls.length === 0 ? null : replay(program, this.fn.core.name, calls);
    const values = failure === null ? undefined : calls[failure.index];
    if (failure === null || values === undefined) return null;
    const counterexample = this.#counterexample(goal, values, failure.message);
    return { status: 'counterexample', counterexample, boundedDepth: null };
  }

  /**
   * Looks for a call that fails, the nicest first, and runs what it finds. When nothing fails within 64 bits, what the
   * solver found before was about larger numbers: verified. @returns null when it was not decided
   */
  #search(goal: Goal, depth: number | null): Verdict | null {
    let last: Verdict | null = null;
    for (const size of sizes) {
      if (this.#left() <= 0) break;
      const found = this.#probe(goal, depth, size);
      if (found?.status === 'counterexample' || found?.status === 'verified') return found;
      last = found ?? last;
    }
    return last;
  }

  /** One look, at parameters of at most this size. @returns null when there is nothing */
  #probe(goal: Goal, depth: number | null, size: number | null): Verdict | null {
    const failing = this.#look(goal, depth, size, t.and(goal.failure, t.not(goal.wraps)));
    if (!this.proof.strictOverflow || failing?.status === 'counterexample') return failing;
    const wrapping = this.#look(goal, depth, size, goal.wraps, 'a 64-bit integer operation wraps');
    return wrapping?.status === 'verified' ? failing : wrapping;
  }

  /** @param otherwise what to say of a call that does not fail when it is run; absent: it is no counterexample */
  #look(goal: Goal, depth: number | null, size: number | null, wanted: t.Term, otherwise?: string): Verdict | null {
    const question = [...goal.assumptions, wanted, ...parameterRanges(goal)];
    if (size !== null) question.push(...smallParameters(goal, size));
    const values = goal.parameters.map(({ term }) => term);
    const answer = this.#ask(question, values, 0.3);
    if (answer.kind === 'unsat') return size === null ? this.#verified(goal, depth) : null;
    if (answer.kind === 'unknown') return this.#unknown(answer.reason);
    if (answer.kind === 'error') return { status: 'error', reason: answer.message };
    const counterexample = this.#reproduce(goal, answer.output, otherwise ?? null);
    return counterexample === null
      ? { status: 'unknown', reason: 'the solver found a counterexample that does not fail when it is run' }
      : { status: 'counterexample', counterexample, boundedDepth: goal.bounded ? depth : null };
  }

  #reproduce(goal: Goal, output: string, otherwise: string | null): Counterexample | null {
    const { program, replay } = this.proof;
    let values: Core[];
    try {
      const model =
        goal.parameters.length === 0 ? [] : (readSExpression(output) as readonly (readonly [unknown, never])[]);
      values = goal.parameters.map(({ term }, at) => modelValue(model[at]?.[1] as never, term.sort));
    } catch {
      return null;
    }
    if (!values.every(fits)) return null;
    const violation = replay(program, this.fn.core.name, [values])?.message ?? otherwise;
    return violation === null ? null : this.#counterexample(goal, values, violation);
  }

  #counterexample(goal: Goal, values: readonly Core[], violation: string): Counterexample {
    return {
      model: goal.parameters.map(({ name, term }, at) => ({
        name,
        sort: sortText(term.sort),
        value: valueText(values[at] as Core),
      })),
      call: callText(this.fn.core.name, values),
      violation,
    };
  }

  #failure(goal: Goal): t.Term {
    return this.proof.strictOverflow ? t.or(goal.failure, goal.wraps) : goal.failure;
  }

  /** Whether anything can go wrong. */
  #question(goal: Goal, share: number): Answer {
    const ranges = this.proof.strictOverflow ? parameterRanges(goal) : [];
    return this.#ask([...goal.assumptions, ...goal.hypotheses, this.#failure(goal), ...ranges], [], share);
  }

  #verified(goal: Goal, depth: number | null): Verdict {
    const assumed = [
      ...(goal.computesIntegers && !this.proof.strictOverflow ? ['no 64-bit integer operation wraps'] : []),
      ...(goal.recursive ? ['calls do not nest beyond the recursion limit'] : []),
    ];
    return {
      status: 'verified',
      assuming: assumed.length === 0 ? null : assumed.join(' and '),
      vacuous: this.#vacuous(goal),
      boundedDepth: goal.bounded ? depth : null,
    };
  }

  /** Whether no call satisfies the requires; false when that is not known. */
  #vacuous({ requires, bounded }: Goal): boolean {
    const share = Math.min(0.2, vacuousMs / Math.max(1, this.#left()));
    return !bounded && requires.length > 0 && this.#ask(requires, [], share).kind === 'unsat';
  }

  #unknown(reason: string): Verdict {
    const seconds = Number((this.proof.timeoutMs / 1000).toFixed(2));
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
    return this.proof.solver.solve(problemText(assertions, values), names, Math.max(50, left * share));
  }
}

const byNumber = (a: number, b: number): number => a - b;

/** Whether a program can have the value: the solver's ints are unbounded, and its strings may hold surrogates. */
const fits = (value: Core): boolean => {
  if (value.k === 'int') return BigInt.asIntN(64, value.value) === value.value;
  if (value.k === 'string') return !/\p{Surrogate}/u.test(value.value);
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
