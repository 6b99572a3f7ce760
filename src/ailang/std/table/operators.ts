import { family, type Row } from './family.js';

const comparisons = [
  ['eq', 'equal'],
  ['ne', 'not equal'],
  ['lt', 'less'],
  ['le', 'less or equal'],
  ['gt', 'greater'],
  ['ge', 'greater or equal'],
] as const;

const arithmetic: readonly Row[] = [
  ['add_Int', '(int, int) -> int', 'Sum; wraps at 64 bits.'],
  ['sub_Int', '(int, int) -> int', 'Difference; wraps at 64 bits.'],
  ['mul_Int', '(int, int) -> int', 'Product; wraps at 64 bits.'],
  ['div_Int', '(int, int) -> int', 'Quotient truncated toward zero; RT001 when the divisor is 0.'],
  ['mod_Int', '(int, int) -> int', 'Remainder with the sign of the dividend; RT001 when the divisor is 0.'],
  ['neg_Int', 'int -> int', 'Negation; wraps at 64 bits.'],
  ['add_Float', '(float, float) -> float', 'IEEE sum.'],
  ['sub_Float', '(float, float) -> float', 'IEEE difference.'],
  ['mul_Float', '(float, float) -> float', 'IEEE product.'],
  ['div_Float', '(float, float) -> float', 'IEEE quotient; infinity or NaN when the divisor is 0.0.'],
  ['mod_Float', '(float, float) -> float', 'IEEE remainder with the sign of the dividend.'],
  ['neg_Float', 'float -> float', 'Negation.'],
  ['and_Bool', '(bool, bool) -> bool', 'Conjunction of two values.'],
  ['or_Bool', '(bool, bool) -> bool', 'Disjunction of two values.'],
  ['not_Bool', 'bool -> bool', 'Negation.'],
  ['and_Int', '(int, int) -> int', 'Bitwise and.'],
  ['xor_Int', '(int, int) -> int', 'Bitwise exclusive or.'],
  ['complement_Int', 'int -> int', 'Bitwise complement.'],
  ['shl_Int', '(int, int) -> int', 'Shift left; 0 from a count of 64 on.'],
  ['shr_Int', '(int, int) -> int', 'Arithmetic shift right.'],
  ['concat_String', '(string, string) -> string', 'Two strings joined.'],
  ['concat_List', '([a], [a]) -> [a]', 'Two lists joined.'],
];

const ordered = ['Int', 'Float', 'String'].flatMap((suffix) =>
  comparisons.map(([operator, words]): Row => {
    const type = suffix.toLowerCase();
    return [
      `${operator}_${suffix}`,
      `(${type}, ${type}) -> bool`,
      `Whether the first ${type} is ${words} to the second.`,
    ];
  }),
);

const equal: readonly Row[] = [
  ['eq_Bool', '(bool, bool) -> bool', 'Whether both are the same.'],
  ['ne_Bool', '(bool, bool) -> bool', 'Whether they differ.'],
];

/** What operators compile to, and the names every module sees without import. */
export const operatorBuiltins = family('$builtin', null, [
  ...arithmetic,
  ...ordered,
  ...equal,
  ['show', 'a -> string', 'The printed form of any value.'],
  ['intToFloat', 'int -> float', 'The nearest float.'],
  ['floatToInt', 'float -> int', 'Truncates toward zero; saturates at the 64-bit range, NaN gives 0.'],
]);
