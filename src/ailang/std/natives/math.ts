import { RuntimeFailure } from '../../eval/failure.js';
import * as int from '../../eval/integers.js';
import { show } from '../../eval/show.js';
import { Float, type Int, type Value } from '../../eval/values.js';
import type { Natives } from './native.js';
import { floatToInt, intToFloat } from './operators.js';

const unary =
  (operation: (x: number) => number) =>
  (_depth: number, x: Float): Float =>
    new Float(operation(x.v));

/** Halves go away from zero. */
const round = (x: number): number => {
  const whole = Math.trunc(x);
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole;
};

export const mathNatives: Natives = {
  _math_pi: () => new Float(Math.PI),
  _math_e: () => new Float(Math.E),
  _math_absInt: (_depth, x: Int) => (x < 0 ? int.neg(x) : x),
  _math_absFloat: unary(Math.abs),
  _math_floor: unary(Math.floor),
  _math_ceil: unary(Math.ceil),
  _math_round: unary(round),
  _math_sqrt: unary(Math.sqrt),
  _math_exp: unary(Math.exp),
  _math_log: unary(Math.log),
  _math_log10: unary(Math.log10),
  _math_sin: unary(Math.sin),
  _math_cos: unary(Math.cos),
  _math_tan: unary(Math.tan),
  _math_asin: unary(Math.asin),
  _math_acos: unary(Math.acos),
  _math_atan: unary(Math.atan),
  _math_atan2: (_depth, y: Float, x: Float) => new Float(Math.atan2(y.v, x.v)),
  _math_pow: (_depth, x: Float, y: Float) => new Float(x.v === 1 ? 1 : x.v ** y.v),
  _math_intToFloat: intToFloat,
  _math_floatToInt: floatToInt,
  _math_bitwiseOr: (_depth, a: Int, b: Int) => int.or(a, b),
  _math_shiftRightLogical: (_depth, a: Int, count: Int) => int.shrLogical(a, count),
  _math_isNaN: (_depth, x: Float) => Number.isNaN(x.v),
  _result_unwrapFailed: (_depth, reason: Value) => {
    throw new RuntimeFailure('UNWRAP_ERR', `unwrap: called on Err(${show(reason)})`);
  },
};
