import type { Arm, Expr, ExprOf } from '../syntax/ast.js';
import { concat, type Doc, goesBelow, group, hang, indent, isForced, join, line, lineBreak, sequence } from './doc.js';
import { commaRows } from './list.js';
import { placeComments } from './place-comments.js';
import { printBinding, printBlock, printBody } from './print-block.js';
import { operand, printAfter, printExpr } from './print-expr.js';
import { printPattern } from './print-pattern.js';
import { printEffects, printParameters, printResult } from './print-type.js';
import { quoteString } from './quote-string.js';
import type { SourceView } from './source-view.js';

/** Above this an operand is no form that swallows what follows it. */
const closed = 2;

/** `if c then a else if d then b else e`, or one branch a line. */
export function printIf(view: SourceView, expr: ExprOf<'if'>): Doc {
  /** What stands on each line when they are apart. */
  const rows: Doc[] = [];
  let word = '';
  let at = expr;
  for (;;) {
    const condition = operand(view, at.condition, closed);
    const then = branch(view, at.condition.end, at.then);
    const otherwise: Expr = at.otherwise;
    const { pieces } = placeComments(view, [at.then, otherwise].map(mark), at.then.start, otherwise.start);
    rows.push(concat(word, 'if ', condition, ' then', then, pieces[0]?.after ?? ''));
    const above = pieces[1]?.before ?? '';
    if (otherwise.k !== 'if' || isForced(above)) {
      const commented = isForced(above) ? hang(concat(above, printExpr(view, otherwise)), true) : null;
      rows.push(concat('else', commented ?? printAfter(view, otherwise.start, otherwise)));
      return group(join(rows.some(goesBelow) ? lineBreak(' ') : line, rows));
    }
    word = 'else ';
    at = otherwise;
  }
}

const mark = ({ start, end }: Expr) => ({ start, end, doc: '' });

function branch(view: SourceView, from: number, expr: Expr): Doc {
  return expr.k === 'if' ? concat(' (', printExpr(view, expr), ')') : printAfter(view, from, expr);
}

/** A chain of lets on one line, or each on its own with the body below. */
export function printLet(view: SourceView, expr: ExprOf<'let'>): Doc {
  const pieces = [];
  let at: Expr = expr;
  for (; at.k === 'let'; at = at.body)
    pieces.push({ start: at.name.start, end: at.value.end, doc: concat(printBinding(view, at), ' in') });
  pieces.push({ start: at.start, end: at.end, doc: printExpr(view, at) });
  const placed = placeComments(view, pieces, expr.name.start, at.start).pieces;
  const forced = placed.some(({ before, doc, after }) => [before, doc, after].some(isForced));
  const gap = forced ? lineBreak(' ') : line;
  const docs = placed.map(({ before, doc, after }, index) => concat(index === 0 ? '' : gap, before, doc, after));
  return group(sequence(docs));
}

export function printMatch(view: SourceView, expr: ExprOf<'match'>): Doc {
  const open = view.opener(expr.end);
  const pieces = expr.arms.map((arm) => ({ start: arm.start, end: arm.end, doc: printArm(view, arm) }));
  const placed = placeComments(view, pieces, open, expr.end - 1);
  const head = concat('match ', operand(view, expr.scrutinee, closed), ' {', placed.opening);
  return concat(head, indent(concat(lineBreak(' '), commaRows(placed))), lineBreak(' '), '}');
}

function printArm(view: SourceView, { pattern, guard, body }: Arm): Doc {
  const condition = guard === null ? '' : concat(' if ', operand(view, guard, closed));
  const from = guard?.end ?? pattern.end;
  return concat(printPattern(view, pattern), condition, ' =>', printAfter(view, from, body, true));
}

export function printLambda(view: SourceView, expr: ExprOf<'lambda'>): Doc {
  const { form, parameters, result, effects, body } = expr;
  if (form === 'backslash') {
    const head = `\\${parameters.map((parameter) => parameter.name.text).join(' ')}.`;
    if (effects === null) return group(head, printAfter(view, parameters.at(-1)?.name.end ?? expr.start, body));
    return group(head, ' ', operand(view, body, closed), ' ', printEffects(effects));
  }
  const open = view.find('(', expr.start);
  const head = concat('func', printParameters(view, parameters, open));
  if (form === 'arrow') return concat(head, ' =>', printAfter(view, view.closer(open), body));
  const type = result === null ? '' : concat(' -> ', printResult(view, result, effects));
  const row = result === null && effects !== null ? ` ${printEffects(effects)}` : '';
  return concat(head, type, row, ' ', functionBody(view, body, result !== null && effects === null));
}

function functionBody(view: SourceView, body: Expr, afterType: boolean): Doc {
  if (body.k !== 'block') return concat('{ ', printExpr(view, body), ' }');
  if (!afterType || !looksLikeLabel(body)) return printBlock(view, body, body.start);
  return printBody(view, body, body.start, true);
}

/** `{ not x }` after a type reads as a label of the type. */
export function looksLikeLabel(body: ExprOf<'block'>): boolean {
  const [only, more] = body.statements;
  if (only?.k !== 'expression' || more !== undefined) return false;
  return only.value.k === 'unary' && only.value.word && only.value.value.k === 'name';
}

export function printForall(view: SourceView, { name, low, high, body }: ExprOf<'forall'>): Doc {
  const range = concat(operand(view, low, closed), '..', operand(view, high, closed));
  return group('forall ', name.text, ': ', range, ' =>', printAfter(view, high.end, body));
}

export function printAssert(view: SourceView, { condition, message }: ExprOf<'assert'>): Doc {
  const text = message === null ? '' : `, ${quoteString(message)}`;
  return concat('assert ', operand(view, condition, closed), text);
}
