import type { CoreClause } from '../core/types.js';
import type { Position } from '../diagnostic.js';
import { bounce, TAIL, tailCall } from './calls.js';
import { RuntimeFailure } from './failure.js';
import * as int from './integers.js';
import { concatLists, cons, List, nil } from './list.js';
import { compareStrings, equal, less, lessOrEqual } from './order.js';
import { show } from './show.js';
import { ArrayValue, Float, type Int, Tuple, type Value } from './values.js';

const place = ({ file, line, column }: Position): string => `${file}:${line}:${column}`;

/** An operator whose operand type is known only at run time: ints or floats. */
const arithmetic =
  (ints: (a: Int, b: Int, position: Position) => Int, floats: (a: number, b: number) => number) =>
  (a: Value, b: Value, position: Position): Value =>
    a instanceof Float && b instanceof Float ? new Float(floats(a.v, b.v)) : ints(a as Int, b as Int, position);

const failures = {
  noMatch: (position: Position, value: Value): RuntimeFailure =>
    new RuntimeFailure('RT002', `RT002: no pattern matched the value ${show(value)} at ${place(position)}`),
  assertionFailed: (node: { readonly message: string | null; readonly position: Position }): RuntimeFailure =>
    new RuntimeFailure(
      'ASSERT_FAILED',
      `assertion failed at ${place(node.position)}${node.message === null ? '' : `: ${node.message}`}`,
    ),
  broken: (clause: CoreClause, owner: string): RuntimeFailure =>
    new RuntimeFailure(
      'CONTRACT_VIOLATION',
      `contract violation: ${clause.kind} of ${owner} is false: ${clause.text} at ${place(clause.position)}`,
    ),
};

/** Everything generated code may name; nothing else is in its scope. */
export const runtimeNames = {
  ...failures,
  TAIL,
  bounce,
  tailCall,
  Float,
  Tuple,
  ArrayValue,
  nil,
  listOf: List.of,
  cons,
  append: (a: Value, b: Value): Value =>
    typeof a === 'string' ? a + (b as string) : concatLists(a as List, b as List),
  equal,
  less,
  lessOrEqual,
  compareStrings,
  show,
  add: int.add,
  sub: int.sub,
  mul: int.mul,
  div: int.div,
  mod: int.mod,
  neg: int.neg,
  and: int.and,
  xor: int.xor,
  shl: int.shl,
  shr: int.shr,
  complement: int.complement,
  addAny: arithmetic(int.add, (a, b) => a + b),
  subAny: arithmetic(int.sub, (a, b) => a - b),
  mulAny: arithmetic(int.mul, (a, b) => a * b),
  divAny: arithmetic(int.div, (a, b) => a / b),
  modAny: arithmetic(int.mod, (a, b) => a % b),
  negAny: (a: Value): Value => (a instanceof Float ? new Float(-a.v) : int.neg(a as Int)),
};
