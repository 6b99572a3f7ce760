import type { BinaryOperator, UnaryOperator } from '../../core/types.js';
import type { Position } from '../../diagnostic.js';
import type { Interpreter } from './interpreter.js';
import { boolSort, floatSort, found, hasFloat, intSort, type Sort, shapes, stringSort, unify } from './sort.js';
import * as t from './term.js';
import { unencodable } from './unsupported.js';

const rounding = t.apply('RNE', [], floatSort);

const floatOperators: Readonly<Partial<Record<BinaryOperator, string>>> = {
  '+': 'fp.add',
  '-': 'fp.sub',
  '*': 'fp.mul',
  '/': 'fp.div',
};
const floatComparisons: Readonly<Partial<Record<BinaryOperator, string>>> = {
  '<': 'fp.lt',
  '<=': 'fp.leq',
  '>': 'fp.gt',
  '>=': 'fp.geq',
};

/** A strict operator applied to values; `&&` and `||` are not among them. */
export function binary(
  c: Interpreter,
  operator: BinaryOperator,
  left: t.Term,
  right: t.Term,
  position: Position,
): t.Term {
  if (operator !== '::' && operator !== '<<' && operator !== '>>') unify(left.sort, right.sort);
  switch (operator) {
    case '==':
      return same(left, right);
    case '!=':
      return t.not(same(left, right));
    case '<':
    case '<=':
    case '>':
    case '>=':
      return compare(operator, left, right);
    case '::':
      return t.append(t.single(left), right);
    case '++':
      return found(left.sort).k === 'string' ? t.apply('str.++', [left, right], stringSort) : t.append(left, right);
    default:
  }
  if (found(left.sort).k === 'float') {
    const name = floatOperators[operator];
    if (name === undefined) throw unencodable(`${operator} on floats`, position);
    return t.apply(name, [rounding, left, right], floatSort);
  }
  return integer(c, operator, left, right, position);
}

function same(left: t.Term, right: t.Term): t.Term {
  if (found(left.sort).k === 'float') return t.apply('fp.eq', [left, right], boolSort);
  if (hasFloat(left.sort)) throw unencodable('== on values with floats inside');
  return t.equal(left, right);
}

function compare(operator: '<' | '<=' | '>' | '>=', left: t.Term, right: t.Term): t.Term {
  const sort = found(left.sort);
  if (sort.k === 'float') return t.apply(floatComparisons[operator] ?? '', [left, right], boolSort);
  if (operator === '>' || operator === '>=') return compare(operator === '>' ? '<' : '<=', right, left);
  if (sort.k === 'string') return t.apply(operator === '<' ? 'str.<' : 'str.<=', [left, right], boolSort);
  return operator === '<' ? t.less(left, right) : t.atMost(left, right);
}

function integer(c: Interpreter, operator: BinaryOperator, left: t.Term, right: t.Term, position: Position): t.Term {
  unify(left.sort, intSort);
  switch (operator) {
    case '+':
      return c.integer(t.add(left, right));
    case '-':
      return c.integer(t.subtract(left, right));
    case '*':
      return c.integer(t.multiply(left, right));
    case '/':
      c.require(t.not(t.equal(right, t.int(0))));
      return c.integer(t.quotient(left, right));
    case '%':
      c.require(t.not(t.equal(right, t.int(0))));
      return t.remainder(left, right);
    default:
      return bits(c, operator, left, right, position);
  }
}

/** Shifts by a written count, and masks of low bits, are arithmetic. */
function bits(c: Interpreter, operator: BinaryOperator, left: t.Term, right: t.Term, position: Position): t.Term {
  const count = right.node.k === 'int' ? right.node.value : null;
  if (count !== null && operator === '<<' && count >= 0n && count < 63n)
    return c.integer(t.multiply(left, t.int(2n ** count)));
  if (count !== null && operator === '>>' && count >= 0n && count < 63n)
    return t.apply('div', [left, t.int(2n ** count)], intSort);
  if (count !== null && operator === '&' && count >= 0n && (count & (count + 1n)) === 0n)
    return t.apply('mod', [left, t.int(count + 1n)], intSort);
  throw unencodable(`${operator} on these operands`, position);
}

export function unary(c: Interpreter, operator: UnaryOperator, value: t.Term): t.Term {
  if (operator === '!') return t.not(value);
  if (operator === '~') return t.subtract(t.int(-1), value);
  if (found(value.sort).k === 'float') return t.apply('fp.neg', [value], floatSort);
  // What is in a list that is empty on every path is known to nobody.
  unify(value.sort, intSort);
  return c.integer(t.negate(value));
}

/** The text that `show` gives. */
export function shown(value: t.Term): t.Term {
  const sort = found(value.sort);
  switch (sort.k) {
    case 'string':
      return value;
    case 'bool':
      return t.ite(value, t.string('true'), t.string('false'));
    case 'unit':
      return t.string('()');
    case 'int':
      return decimal(value);
    default:
      return enumText(value, sort);
  }
}

function enumText(value: t.Term, sort: Sort): t.Term {
  const names = sort.k === 'adt' ? (shapes(sort) ?? []) : [];
  const [first, ...more] = names;
  if (first === undefined || names.some(({ fields }) => fields.length > 0))
    throw unencodable(`the printed form of a ${sort.k === 'adt' ? sort.constructor.name : sort.k}`);
  return more.reduce((text, { name }) => t.ite(t.is(name, value), t.string(name), text), t.string(first.name));
}

export function decimal(value: t.Term): t.Term {
  if (value.node.k === 'int') return t.string(String(value.node.value));
  const digits = (of: t.Term): t.Term => t.apply('str.from_int', [of], stringSort);
  const negative = t.apply('str.++', [t.string('-'), digits(t.negate(value))], stringSort);
  return t.ite(t.less(value, t.int(0)), negative, digits(value));
}
