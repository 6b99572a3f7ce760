import type { BinaryOperator, Expr, ExprOf } from '../syntax/ast.js';
import { concat, type Doc, group, indent, isForced, line, lineBreak, sequence } from './doc.js';
import { placeComments } from './place-comments.js';
import { powerOf } from './precedence.js';
import { operand } from './print-expr.js';
import type { SourceView } from './source-view.js';

/** Operands of one binding power side by side: `a + b - c`, or one a line with its operator in front. */
export function printBinary(view: SourceView, expr: ExprOf<'binary'>): Doc {
  const level = powerOf(expr.operator);
  const { operands, operators } = chain(expr, level);
  const pieces = operands.map((item) => ({ start: item.start, end: item.end, doc: operand(view, item, level + 1) }));
  const placed = placeComments(view, pieces, expr.start, expr.end).pieces;
  const [first, ...others] = placed;
  if (first === undefined) return '';
  const gap = placed.some(({ before, after }) => isForced(before) || isForced(after)) ? lineBreak(' ') : line;
  const rest = others.map(({ before, doc, after }, index) => concat(gap, before, `${operators[index]} `, doc, after));
  return group(first.before, first.doc, first.after, indent(sequence(rest)));
}

function chain(expr: ExprOf<'binary'>, level: number): { operands: Expr[]; operators: BinaryOperator[] } {
  const operands: Expr[] = [];
  const operators: BinaryOperator[] = [];
  let at: Expr = expr;
  while (at.k === 'binary' && powerOf(at.operator) === level) {
    operators.push(at.operator);
    operands.push(expr.operator === '::' ? at.left : at.right);
    at = expr.operator === '::' ? at.right : at.left;
  }
  operands.push(at);
  if (expr.operator === '::') return { operands, operators };
  return { operands: operands.reverse(), operators: operators.reverse() };
}
