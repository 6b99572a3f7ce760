import type { Core } from '../../core/types.js';

type Binary = Extract<Core, { k: 'binary' }>;

const intFunctions: Partial<Record<string, string>> = { '+': 'add', '-': 'sub', '*': 'mul', '/': 'div', '%': 'mod' };
const bitFunctions: Partial<Record<string, string>> = { '&': 'and', '^': 'xor', '<<': 'shl', '>>': 'shr' };
const jsEquality = { '==': '===', '!=': '!==' } as const;

const isArithmetic = (operator: string): boolean => intFunctions[operator] !== undefined;

/** Float arithmetic, which need not be boxed between two operations. */
export const isFloatArithmetic = (core: Core): boolean =>
  core.k === 'float' ||
  (core.k === 'binary' && core.operand === 'float' && isArithmetic(core.operator)) ||
  (core.k === 'unary' && core.operand === 'float' && core.operator === '-');

/** Operands of float operators are unboxed, those of others are values. */
export const takesUnboxed = (core: Binary): boolean =>
  core.operand === 'float' && core.operator !== '::' && core.operator !== '++';

/** Code of a strict operator on its operands' code. `position` is evaluated only where an error can happen. */
export function binaryCode({ operator, operand }: Binary, a: string, b: string, position: () => string): string {
  if (operator === '::') return `cons(${a}, ${b})`;
  if (operator === '++') return `append(${a}, ${b})`;
  if (operator === '==' || operator === '!=') {
    if (operand !== 'dynamic') return `(${a} ${jsEquality[operator]} ${b})`;
    return operator === '==' ? `equal(${a}, ${b})` : `!equal(${a}, ${b})`;
  }
  if (operand === 'float') return `(${a} ${operator} ${b})`;
  const bits = bitFunctions[operator];
  if (bits !== undefined) return `${bits}(${a}, ${b})`;
  const int = intFunctions[operator];
  if (int !== undefined) {
    const name = operand === 'int' ? int : `${int}Any`;
    return operator === '/' || operator === '%' ? `${name}(${a}, ${b}, ${position()})` : `${name}(${a}, ${b})`;
  }
  if (operand === 'int' || operand === 'bool') return `(${a} ${operator} ${b})`;
  if (operand === 'string') return `(compareStrings(${a}, ${b}) ${operator} 0)`;
  if (operator === '<') return `less(${a}, ${b})`;
  if (operator === '<=') return `lessOrEqual(${a}, ${b})`;
  return operator === '>' ? `less(${b}, ${a})` : `lessOrEqual(${b}, ${a})`;
}
