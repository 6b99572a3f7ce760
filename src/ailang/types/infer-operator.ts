import type { Expr, ExprOf } from '../syntax/ast.js';
import { expectBool, infer } from './infer-expr.js';
import type { Inference } from './inference.js';
import { describeMismatch, instanceText } from './mismatch.js';
import { boolType, errorType, intType, isNamed, listItem, listOf, resolve, type Type, type TypeClass } from './type.js';
import { differs } from './unify.js';

export function inferBinary(c: Inference, expr: ExprOf<'binary'>): Type {
  const { operator, left, right } = expr;
  switch (operator) {
    case '&&':
    case '||':
      expectBool(c, left, `in the left side of \`${operator}\``);
      expectBool(c, right, `in the right side of \`${operator}\``);
      return boolType;
    case '==':
    case '!=':
      operands(c, expr, 'Eq');
      return boolType;
    case '<':
    case '<=':
    case '>':
    case '>=':
      operands(c, expr, 'Ord');
      return boolType;
    case '&':
    case '^':
    case '<<':
    case '>>':
      for (const side of [left, right]) c.fit(infer(c, side), intType, side.start, `in an operand of \`${operator}\``);
      return intType;
    case '::':
      return inferCons(c, expr);
    case '++':
      return inferAppend(c, expr);
    default:
      return operands(c, expr, 'Num');
  }
}

function inferCons(c: Inference, { left, right }: ExprOf<'binary'>): Type {
  const item = infer(c, left);
  const list = listOf(item);
  const found = infer(c, right, list);
  const joined = listItem(item) !== null && differs(found, list);
  const hint = joined ? 'x :: xs puts one item before a list; lists are joined with `++`.' : undefined;
  c.fit(found, list, right.start, 'in the right side of `::`', hint);
  return joined ? found : list;
}

/** Both sides have one type with an instance of the class. */
function operands(c: Inference, expr: ExprOf<'binary'>, name: TypeClass): Type {
  const chain = chainOf(c, expr);
  const left = infer(c, expr.left);
  const right = infer(c, expr.right, left);
  const where = `in the operands of \`${expr.operator}\``;
  c.facts.types.set(expr, left);
  const mismatch = c.unifier.unify(right, left);
  if (mismatch !== null) {
    if (name === 'Num' && isNumber(right) && takesApart(left)) {
      const from = { what: 'the right operand', start: expr.right.start };
      c.fit(left, right, expr.left.start, where, undefined, from);
      return right;
    }
    const text = describeMismatch(mismatch, right, left, where);
    const string = [left, right].some((type) => isNamed(type, 'string')) && name === 'Num';
    const hint = string
      ? ((plus(expr) ? interpolationHint(c, chain) : null) ??
        'Put values into a string by interpolation: "text ${value}".')
      : (numericHint(left, right) ?? text.suggestion);
    const from = c.because({ what: 'the left operand', start: expr.left.start });
    c.reporter.error(text.code, expr.right.start, `${text.message} ${from}`, hint);
    return errorType;
  }
  const missing = c.unifier.require(name, left);
  if (missing?.k === 'instance') {
    const text = instanceText(missing.class, missing.type, where);
    const hint = isNamed(left, 'string') && plus(expr) ? interpolationHint(c, chain) : null;
    c.reporter.error(text.code, expr.operatorStart, text.message, hint ?? text.suggestion);
    return errorType;
  }
  const found = resolve(left);
  if (found.k === 'var' && name === 'Num') c.numbers.push(found);
  return left;
}

const plus = ({ operator }: ExprOf<'binary'>): boolean => operator === '+';

/** The whole of `a + b + c`, also while its left part is inferred. */
function chainOf(c: Inference, expr: ExprOf<'binary'>): ExprOf<'binary'> {
  const top = c.chain?.left === expr ? c.chain.top : expr;
  c.chain = { top, left: expr.left };
  return top;
}

/** What joins strings elsewhere, as an interpolated string; null when it is too long for a hint. */
function interpolationHint(c: Inference, chain: ExprOf<'binary'>): string | null {
  const operands: Expr[] = [];
  let left: Expr = chain;
  for (; left.k === 'binary' && left.operator === chain.operator; left = left.left) operands.unshift(left.right);
  operands.unshift(left);
  const parts = operands.map((operand) => {
    const source = c.reporter.source.text.slice(operand.start, operand.end);
    const literal = operand.k === 'string' || operand.k === 'interpolation';
    return literal && source.startsWith('"') ? source.slice(1, -1) : `\${${source}}`;
  });
  const text = parts.join('');
  return text.length > 100 || text.includes('\n') ? null : `Write "${text}".`;
}

const isNumber = (type: Type): boolean => {
  const found = resolve(type);
  return isNamed(found, 'int') || isNamed(found, 'float') || (found.k === 'var' && found.literal);
};

/** An Option or Result beside a number: the value must come out of it first. */
function takesApart(type: Type): boolean {
  const found = resolve(type);
  return found.k === 'named' && ['Option', 'Result'].includes(found.constructor.name);
}

function numericHint(left: Type, right: Type): string | null {
  const mixed = (isNamed(left, 'int') && isNamed(right, 'float')) || (isNamed(left, 'float') && isNamed(right, 'int'));
  return mixed ? 'int and float do not mix: write intToFloat(n) for the int, or floatToInt(x) for the float.' : null;
}

function inferAppend(c: Inference, expr: ExprOf<'binary'>): Type {
  const chain = chainOf(c, expr);
  const left = infer(c, expr.left);
  const text = (type: Type) => isNamed(type, 'string');
  const right = infer(c, expr.right, left);
  if (text(left) || text(right)) {
    // A chain is one mistake, told where it begins.
    if (resolve(left) === errorType) return errorType;
    const list = [left, right].some((type) => listItem(type) !== null);
    const generic = 'Write "${a}${b}", or concat([a, b]) or join(", ", xs) from std/string.';
    const hint = (list ? null : interpolationHint(c, chain)) ?? generic;
    c.reporter.error('TC001', expr.operatorStart, '`++` joins lists, not strings', hint);
    return errorType;
  }
  const list = listOf(c.fresh());
  const number = isNumber(left) ? 'To add, write `+`: `++` joins lists; values never change.' : undefined;
  if (!c.fit(left, list, expr.left.start, 'in the left side of `++`', number)) return list;
  c.fit(right, left, expr.right.start, 'in the right side of `++`');
  return left;
}

export function inferUnary(c: Inference, expr: ExprOf<'unary'>): Type {
  const { operator, value } = expr;
  if (operator === '!') {
    c.fit(infer(c, value), boolType, value.start, 'in the operand of `not`', 'Compare instead: x == 0 for a number.');
    return boolType;
  }
  const type = infer(c, value);
  c.facts.types.set(expr, type);
  if (operator === '~') {
    c.fit(type, intType, value.start, 'in the operand of `~`');
    return intType;
  }
  const missing = c.unifier.require('Num', type);
  if (missing?.k === 'instance') {
    const text = instanceText(missing.class, missing.type, 'in the operand of `-`');
    c.reporter.error(text.code, operandStart(value), text.message, text.suggestion);
  }
  const found = resolve(type);
  if (found.k === 'var') c.numbers.push(found);
  return type;
}

function operandStart(value: Expr): number {
  return value.start;
}
