import type { BinaryOperator, Expr } from '../syntax/ast.js';

/** Binding powers of ailang-language 2.5. */
const powers: Readonly<Record<BinaryOperator, number>> = {
  '||': 2,
  '&&': 3,
  '^': 5,
  '&': 6,
  '==': 7,
  '!=': 7,
  '<': 8,
  '>': 8,
  '<=': 8,
  '>=': 8,
  '<<': 9,
  '>>': 9,
  '::': 10,
  '++': 11,
  '+': 12,
  '-': 12,
  '*': 13,
  '/': 13,
  '%': 13,
};
export const prefixPower = 14;
export const callPower = 15;
const atomPower = 17;

export function powerOf(operator: BinaryOperator): number {
  return powers[operator];
}

/** How tightly an expression holds together; 1 for a form that reaches as far right as it can. */
export function power(expr: Expr): number {
  switch (expr.k) {
    case 'binary':
      return powers[expr.operator];
    case 'unary':
      return prefixPower;
    case 'call':
      return callPower;
    case 'field':
      return 16;
    case 'lambda':
    case 'if':
    case 'let':
    case 'match':
    case 'forall':
    case 'assert':
      return 1;
    default:
      return atomPower;
  }
}
