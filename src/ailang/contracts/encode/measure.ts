import type { Goal } from './goal.js';
import { found } from './sort.js';
import * as t from './term.js';

/** A quantity of the parameters, and the same quantity of a call's arguments. */
export type Measure = (args: readonly t.Term[]) => t.Term;

/** Quantities worth trying: ints, lengths, and differences of two of them. */
export function measures(goal: Goal): readonly Measure[] {
  const simple: Measure[] = [];
  for (const [index, { term }] of goal.parameters.entries()) {
    const at = (args: readonly t.Term[]): t.Term => args[index] ?? term;
    const sort = found(term.sort).k;
    if (sort === 'int') simple.push(at);
    if (sort === 'list') simple.push((args) => t.length(at(args)));
    if (sort === 'string') simple.push((args) => t.apply('str.len', [at(args)], { k: 'int' }));
  }
  const pairs = simple.flatMap((left, i) =>
    simple.flatMap((right, j): Measure[] => [
      ...(i === j ? [] : [(args: readonly t.Term[]) => t.subtract(left(args), right(args))]),
      ...(i < j ? [(args: readonly t.Term[]) => t.add(left(args), right(args))] : []),
    ]),
  );
  const limits = constants(goal).flatMap((limit) =>
    simple.map(
      (of): Measure =>
        (args) =>
          t.subtract(t.int(limit), of(args)),
    ),
  );
  return [...simple, ...pairs.slice(0, 12), ...limits.slice(0, 12)];
}

/** True where some call of itself does not make the measure smaller, or starts below zero. */
export function notDecreasing(goal: Goal, measure: Measure): t.Term {
  const before = measure(goal.parameters.map(({ term }) => term));
  return t.or(
    ...goal.selfCalls.map(({ path, args }) =>
      t.and(path, t.not(t.and(t.atMost(t.int(0), before), t.less(measure(args), before)))),
    ),
  );
}

/** Whether each call passes, at one position, a part of the value that came in there. */
export function structurallySmaller(goal: Goal): boolean {
  return goal.parameters.some(({ term }, index) =>
    goal.selfCalls.every(({ args }) => {
      const arg = args[index];
      return arg !== undefined && isPart(arg, term);
    }),
  );
}

function isPart(arg: t.Term, whole: t.Term): boolean {
  for (let at: t.Term | undefined = arg; at !== undefined && at.node.k === 'select'; ) {
    at = at.args[0];
    if (at === whole) return true;
  }
  return false;
}

/** Numbers the function compares with: where a count upwards may end. */
function constants(goal: Goal): readonly bigint[] {
  const values = new Set<bigint>();
  const seen = new Set<t.Term>();
  const pending = goal.selfCalls.map(({ path }) => path);
  for (let term = pending.pop(); term !== undefined; term = pending.pop()) {
    if (seen.has(term)) continue;
    seen.add(term);
    if (term.node.k === 'int') values.add(term.node.value);
    pending.push(...term.args);
  }
  return [...values].slice(0, 4);
}
