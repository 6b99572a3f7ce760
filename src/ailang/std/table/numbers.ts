import { family, type Row } from './family.js';

const unary = (name: string, description: string): Row => [name, 'float -> float', description];

const math = family('std/math', null, [
  ['_math_pi', '() -> float', 'The circle constant.'],
  ['_math_e', '() -> float', 'The base of natural logarithms.'],
  ['_math_absInt', 'int -> int', 'Absolute value.'],
  unary('_math_absFloat', 'Absolute value.'),
  unary('_math_floor', 'Greatest whole number not above.'),
  unary('_math_ceil', 'Least whole number not below.'),
  unary('_math_round', 'Nearest whole number, halves away from zero.'),
  unary('_math_sqrt', 'Square root.'),
  unary('_math_exp', 'e to this power.'),
  unary('_math_log', 'Natural logarithm.'),
  unary('_math_log10', 'Logarithm to base 10.'),
  unary('_math_sin', 'Sine of radians.'),
  unary('_math_cos', 'Cosine of radians.'),
  unary('_math_tan', 'Tangent of radians.'),
  unary('_math_asin', 'Inverse sine.'),
  unary('_math_acos', 'Inverse cosine.'),
  unary('_math_atan', 'Inverse tangent.'),
  ['_math_atan2', '(float, float) -> float', 'Angle of the point (x, y), y given first.'],
  ['_math_pow', '(float, float) -> float', 'The first to the power of the second.'],
  ['_math_intToFloat', 'int -> float', 'The nearest float.'],
  ['_math_floatToInt', 'float -> int', 'Truncates toward zero; saturates at the 64-bit range, NaN gives 0.'],
  ['_math_bitwiseOr', '(int, int) -> int', 'Bitwise or.'],
  ['_math_shiftRightLogical', '(int, int) -> int', 'Shifts in zeros from the left.'],
  ['_math_isNaN', 'float -> bool', 'Whether it is not a number.'],
]);

const part = (name: string, description: string): Row => [`_datetime_${name}`, 'int -> int', description];
const text = (name: string, description: string): Row => [`_datetime_${name}`, 'int -> string', description];

const datetime = family('std/datetime', null, [
  part('year', 'The year.'),
  part('month', 'The month, 1 to 12.'),
  part('day', 'The day of the month.'),
  part('weekday', 'The day of the week, Sunday 0.'),
  part('hour', 'The hour, 0 to 23.'),
  part('minute', 'The minute.'),
  part('second', 'The second.'),
  part('startOfDay', 'Midnight of the day.'),
  part('startOfWeek', 'Midnight of the Monday of the week.'),
  part('startOfMonth', 'Midnight of the first of the month.'),
  ['_datetime_addMonths', '(int, int) -> int', 'So many months later; the day is cut to the length of the month.'],
  [
    '_datetime_makeDateTime',
    '(int, int, int, int, int, int) -> int',
    'Seconds of year, month, day, hour, minute, second.',
  ],
  text('formatISODate', '2026-01-31.'),
  text('formatRFC3339', '2026-01-31T08:30:00Z.'),
  text('formatMonthShort', 'Jan to Dec.'),
  text('formatWeekdayFull', 'Sunday to Saturday.'),
  ['_datetime_parseISODate', 'string -> Option[int]', 'Reads 2026-01-31.'],
  ['_datetime_parseRFC3339', 'string -> Option[int]', 'Reads 2026-01-31T08:30:00Z or with an offset.'],
]);

const result = family('std/result', null, [['_result_unwrapFailed', 'a -> b', 'Ends the run: unwrap of an Err.']]);

/** Numbers and dates. */
export const numberBuiltins = [...math, ...datetime, ...result];
