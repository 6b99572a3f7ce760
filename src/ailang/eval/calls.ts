import type { Callable, Value } from './values.js';

/**
 * How tail calls run in constant space: a function that ends in a call of an unknown function notes it here and returns
 * `TAIL`; whoever wanted a value runs what was noted. One program runs at a time in a process, so one note is enough.
 */
export const TAIL = Symbol('tail call');

interface Note {
  callee: Callable;
  depth: number;
  args: Value[];
}

const note: Note = { callee: () => undefined, depth: 0, args: [] };

export function tailCall(callee: Callable, depth: number, ...args: Value[]): typeof TAIL {
  note.callee = callee;
  note.depth = depth;
  note.args = args;
  return TAIL;
}

/** Runs the noted call, and those it ends in, to a value. */
export function bounce(): Value {
  for (;;) {
    const { callee, depth, args } = note;
    const result = args.length === 1 ? callee(depth, args[0]) : callee(depth, ...args);
    if (result !== TAIL) return result;
  }
}

/** Calls from native code. */
export function call(callee: Callable, depth: number, ...args: Value[]): Value {
  const result = callee(depth, ...args);
  return result === TAIL ? bounce() : result;
}

export function call1(callee: Callable, depth: number, a: Value): Value {
  const result = callee(depth, a);
  return result === TAIL ? bounce() : result;
}

export function call2(callee: Callable, depth: number, a: Value, b: Value): Value {
  const result = callee(depth, a, b);
  return result === TAIL ? bounce() : result;
}
