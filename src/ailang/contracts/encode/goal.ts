import { Interpreter, inRange, type RecursionPlan, type SelfCall } from './interpreter.js';
import type { ProgramFunction, ProgramIndex } from './program.js';
import { found, hasFloat, shapes, sortOf } from './sort.js';
import { Environment } from './symbolic.js';
import { tellingFloats } from './telling-floats.js';
import * as t from './term.js';

/** A function's contract as a question to the solver: can something go wrong where the assumptions hold? */
export interface Goal {
  readonly parameters: readonly { readonly name: string; readonly term: t.Term }[];
  /** What the function's own requires say, with what their evaluation needs. */
  readonly requires: readonly t.Term[];
  readonly assumptions: readonly t.Term[];
  /** What induction supposes of the function's own calls. */
  readonly hypotheses: readonly t.Term[];
  /** True where a run fails: a clause is false, a divisor zero, no pattern matches, a callee's requires is false. */
  readonly failure: t.Term;
  /** True where some 64-bit operation wraps. */
  readonly wraps: t.Term;
  readonly computesIntegers: boolean;
  /** Calls nest as deep as the data says. */
  readonly recursive: boolean;
  /** Deeper runs are left out. */
  readonly bounded: boolean;
  /** Calls stand for what is known of their results, so that a way to fail need not be real. */
  readonly abstract: boolean;
  readonly selfCalls: readonly SelfCall[];
}

/** @throws Unsupported, TooLarge */
export function goalOf(index: ProgramIndex, fn: ProgramFunction, plan: RecursionPlan): Goal {
  const interpreter = new Interpreter(index, plan);
  const module = fn.module.path;
  const parameters = fn.core.parameters.map((name, at) => ({
    name,
    term: t.symbol(`p!${at}!${name}`, sortOf(fn.type.parameters[at] ?? fn.type.result, null)),
  }));
  const env = parameters.reduce((scope, { name, term }) => scope.with(name, term), Environment.empty);
  interpreter.assume(fn, 'requires', env);
  const requires = [...interpreter.record.facts];
  const result = interpreter.evaluate(fn.core.body, env, module);
  interpreter.oblige(fn, 'ensures', env.with('result', result));
  const { obligations, facts, hypotheses, cuts, wraps } = interpreter.record;
  return {
    parameters,
    requires,
    assumptions: [...facts, ...cuts.map(t.not)],
    hypotheses,
    failure: t.or(...obligations.map(({ path, safe }) => t.and(path, t.not(safe)))),
    wraps: t.or(...wraps.map(({ path, safe }) => t.and(path, t.not(safe)))),
    computesIntegers: wraps.length > 0 || interpreter.relies,
    recursive: interpreter.abstract,
    bounded: cuts.length > 0,
    abstract: interpreter.abstract,
    selfCalls: interpreter.selfCalls,
  };
}

/** What every run has: integers of 64 bits, also inside records, tuples and constructors. */
export const parameterRanges = (goal: Goal): readonly t.Term[] =>
  goal.parameters.flatMap(({ term }) => ranges(term, 3));

function ranges(term: t.Term, depth: number): readonly t.Term[] {
  if (found(term.sort).k === 'int') return [inRange(term)];
  if (depth === 0) return [];
  return (shapes(term.sort) ?? []).flatMap(({ name, fields }) =>
    fields.flatMap((_, index) =>
      ranges(t.select(name, index, term), depth - 1).map((fits) => t.implies(t.is(name, term), fits)),
    ),
  );
}

/** Whether its proof is a matter of bits, which takes long: worth some tries first. */
export const takesFloats = (goal: Goal): boolean => goal.parameters.some(({ term }) => hasFloat(term.sort));

/** Restricts a search to values a reader likes: numbers, texts and lists of at most this size. */
export const smallParameters = (goal: Goal, size: number): readonly t.Term[] =>
  goal.parameters.flatMap(({ term }) => small(term, size, 4));

function small(term: t.Term, size: number, depth: number): readonly t.Term[] {
  switch (found(term.sort).k) {
    case 'int':
      return [t.atMost(t.int(-size), term), t.atMost(term, t.int(size))];
    case 'string':
      return [t.atMost(t.apply('str.len', [term], { k: 'int' }), t.int(size))];
    case 'list':
      return [t.atMost(t.length(term), t.int(size))];
    case 'float':
      return [t.or(...tellingFloats.map((value) => t.equal(term, t.float(value))))];
    default:
  }
  if (depth === 0) return [];
  return (shapes(term.sort) ?? []).flatMap(({ name, fields }) =>
    fields.flatMap((_, index) =>
      small(t.select(name, index, term), size, depth - 1).map((fits) => t.implies(t.is(name, term), fits)),
    ),
  );
}
