import type { Position } from '../../diagnostic.js';
import { ite, type Term, truth } from './term.js';
import { Unsupported } from './unsupported.js';

/** A function value: encoding calls it and inlines what it does. */
export interface Closure {
  readonly k: 'closure';
  readonly call: (args: readonly Value[], position: Position) => Value;
}

export type Value = Term | Closure;

export const isClosure = (value: Value): value is Closure => 'k' in value;

export function data(value: Value, position: Position | null = null): Term {
  if (!isClosure(value)) return value;
  throw new Unsupported(
    'HIGHER_ORDER',
    'a function is kept in a value or compared',
    'Pass functions only to calls that can be inlined.',
    position,
  );
}

/** Something that must hold where the path is taken, or a run would fail. */
export interface Obligation {
  readonly path: Term;
  readonly safe: Term;
}

/** What evaluation gathers besides its value. */
export interface Record {
  readonly obligations: Obligation[];
  /** True while nothing has failed so far: what comes after a failure does not happen. */
  alive: Term;
  /** Known to hold: contracts of proven callees, meanings of their calls. */
  readonly facts: Term[];
  /** What induction supposes of smaller calls; nothing that shows them to be smaller may rest on it. */
  readonly hypotheses: Term[];
  /** Paths that go deeper than the bound. */
  readonly cuts: Term[];
  /** Integer results that must fit 64 bits for the run to be what the proof says. */
  readonly wraps: Obligation[];
}

export const emptyRecord = (alive: Term = truth): Record => ({
  obligations: [],
  alive,
  facts: [],
  hypotheses: [],
  cuts: [],
  wraps: [],
});

/** Local names. */
export class Environment {
  static readonly empty = new Environment(null, '', truth);

  private constructor(
    readonly outer: Environment | null,
    readonly name: string,
    readonly value: Value,
  ) {}

  with(name: string, value: Value): Environment {
    return new Environment(this, name, value);
  }

  get(name: string): Value {
    for (let at: Environment | null = this; at !== null; at = at.outer) if (at.name === name) return at.value;
    throw new Error(`the checker let the unknown name ${name} through`);
  }
}

export function merge(
  condition: Term,
  then: Value,
  otherwise: Value,
  under: <T>(path: Term, run: () => T) => T,
  negated: Term,
): Value {
  if (!isClosure(then) && !isClosure(otherwise)) return ite(condition, then, otherwise);
  if (then === otherwise) return then;
  return {
    k: 'closure',
    call: (args, position) => {
      const call = (value: Value): Value => (isClosure(value) ? value.call(args, position) : value);
      const first = under(condition, () => call(then));
      return merge(
        condition,
        first,
        under(negated, () => call(otherwise)),
        under,
        negated,
      );
    },
  };
}
