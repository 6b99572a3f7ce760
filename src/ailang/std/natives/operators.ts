import * as int from '../../eval/integers.js';
import { concatLists, type List } from '../../eval/list.js';
import { compareStrings } from '../../eval/order.js';
import { show } from '../../eval/show.js';
import { Float, type Int, type Value } from '../../eval/values.js';
import type { Natives } from './native.js';

const nowhere = { file: '<builtin>', line: 1, column: 1 };

const floats =
  (operation: (a: number, b: number) => number) =>
  (_depth: number, a: Float, b: Float): Float =>
    new Float(operation(a.v, b.v));

const ints =
  (operation: (a: Int, b: Int) => Int) =>
  (_depth: number, a: Int, b: Int): Int =>
    operation(a, b);

const arithmetic: Natives = {
  add_Int: ints(int.add),
  sub_Int: ints(int.sub),
  mul_Int: ints(int.mul),
  div_Int: ints((a, b) => int.div(a, b, nowhere)),
  mod_Int: ints((a, b) => int.mod(a, b, nowhere)),
  neg_Int: (_depth, a: Int) => int.neg(a),
  and_Int: ints(int.and),
  xor_Int: ints(int.xor),
  complement_Int: (_depth, a: Int) => int.complement(a),
  shl_Int: ints(int.shl),
  shr_Int: ints(int.shr),
  add_Float: floats((a, b) => a + b),
  sub_Float: floats((a, b) => a - b),
  mul_Float: floats((a, b) => a * b),
  div_Float: floats((a, b) => a / b),
  mod_Float: floats((a, b) => a % b),
  neg_Float: (_depth, a: Float) => new Float(-a.v),
  and_Bool: (_depth, a: boolean, b: boolean) => a && b,
  or_Bool: (_depth, a: boolean, b: boolean) => a || b,
  not_Bool: (_depth, a: boolean) => !a,
};

const comparisons = <T>(suffix: string, key: (value: T, other: T) => readonly [number, number] | null): Natives => {
  const compared =
    (holds: (a: number, b: number) => boolean) =>
    (_depth: number, a: T, b: T): boolean => {
      const keys = key(a, b);
      return keys !== null && holds(keys[0], keys[1]);
    };
  return {
    [`eq_${suffix}`]: compared((a, b) => a === b),
    [`ne_${suffix}`]: compared((a, b) => a !== b),
    [`lt_${suffix}`]: compared((a, b) => a < b),
    [`le_${suffix}`]: compared((a, b) => a <= b),
    [`gt_${suffix}`]: compared((a, b) => a > b),
    [`ge_${suffix}`]: compared((a, b) => a >= b),
  };
};

export const intToFloat = (_depth: number, value: Int): Float => new Float(Number(value));
export const floatToInt = (_depth: number, value: Float): Int => int.fromDouble(value.v);

export const operatorNatives: Natives = {
  ...arithmetic,
  // Ints of both forms compare as they are.
  ...comparisons<Int>('Int', (a, b) => [a as number, b as number]),
  ...comparisons<Float>('Float', (a, b) => [a.v, b.v]),
  ...comparisons<string>('String', (a, b) => [compareStrings(a, b), 0]),
  eq_Bool: (_depth, a: boolean, b: boolean) => a === b,
  ne_Bool: (_depth, a: boolean, b: boolean) => a !== b,
  concat_String: (_depth, a: string, b: string) => a + b,
  concat_List: (_depth, a: List, b: List) => concatLists(a, b),
  show: (_depth, value: Value) => show(value),
  intToFloat,
  floatToInt,
};
