import type { Expr, ExprOf, Span } from '../syntax/ast.js';
import { concat, type Doc, hang, isForced } from './doc.js';
import { flatLayout } from './layout.js';
import { braces, list, round, square } from './list.js';
import { escapeName } from './names.js';
import { floatText } from './numbers.js';
import { placeComments } from './place-comments.js';
import { callPower, power, prefixPower } from './precedence.js';
import { printBinary } from './print-binary.js';
import { printBlock } from './print-block.js';
import { printAssert, printForall, printIf, printLambda, printLet, printMatch } from './print-forms.js';
import { escapeString, quoteString } from './quote-string.js';
import type { SourceView } from './source-view.js';

export function printExpr(view: SourceView, expr: Expr): Doc {
  switch (expr.k) {
    case 'int':
      return view.spelling(expr) ?? expr.value.toString();
    case 'float':
      return view.spelling(expr) ?? floatText(expr.value);
    case 'string':
      return view.spelling(expr) ?? quoteString(expr.value);
    case 'bool':
      return String(expr.value);
    case 'unit':
      return '()';
    case 'name':
      return expr.name;
    case 'interpolation':
      return interpolation(view, expr);
    case 'list':
      return list(square, items(view, expr.items, expr.start, expr.end - 1));
    case 'array':
      return list({ ...square, open: '#[' }, items(view, expr.items, expr.start, expr.end - 1));
    case 'tuple':
      return tuple(view, expr);
    case 'record':
      return list(braces, fields(view, expr.fields, expr.start, expr.end - 1));
    case 'update':
      return update(view, expr);
    case 'lambda':
      return printLambda(view, expr);
    case 'call':
      return call(view, expr);
    case 'field':
      return concat(operand(view, expr.base, callPower), '.', expr.name.text);
    case 'binary':
      return printBinary(view, expr);
    case 'unary':
      return unary(view, expr);
    case 'if':
      return printIf(view, expr);
    case 'let':
      return printLet(view, expr);
    case 'match':
      return printMatch(view, expr);
    case 'block':
      return printBlock(view, expr, expr.start);
    case 'forall':
      return printForall(view, expr);
    case 'assert':
      return printAssert(view, expr);
  }
}

/** In parentheses unless it holds together at least as tightly as `minimum`. */
export function operand(view: SourceView, expr: Expr, minimum: number): Doc {
  const doc = printExpr(view, expr);
  const number = minimum >= callPower && (expr.k === 'int' || expr.k === 'float');
  return power(expr) < minimum || number ? concat('(', doc, ')') : doc;
}

/** Where a comma follows: an assert would take it for its own. */
export function printItem(view: SourceView, expr: Expr): Doc {
  const doc = printExpr(view, expr);
  return endsInAssert(expr) ? concat('(', doc, ')') : doc;
}

function endsInAssert(expr: Expr): boolean {
  if (expr.k === 'if') return endsInAssert(expr.otherwise);
  if (expr.k === 'let' || expr.k === 'forall') return endsInAssert(expr.body);
  if (expr.k === 'lambda') return expr.effects === null && expr.form !== 'func' && endsInAssert(expr.body);
  return expr.k === 'assert';
}

/** An expression after `=`, `=>` or a keyword that ends at `from`: on the same line, or indented on the next. */
export function printAfter(view: SourceView, from: number, expr: Expr, item = false): Doc {
  const { opening, pieces } = placeComments(view, [{ start: expr.start, end: expr.end, doc: '' }], from, expr.start);
  const comments = pieces[0]?.before ?? '';
  const doc = item ? printItem(view, expr) : printExpr(view, expr);
  if (isForced(comments) || isForced(opening)) return concat(opening, hang(concat(comments, doc), true));
  return staysOnLine(expr) ? concat(' ', doc) : hang(doc, expr.k === 'let' && isForced(doc));
}

/** Forms that break inside and lose nothing by beginning on the line before. */
function staysOnLine(expr: Expr): boolean {
  if (expr.k === 'lambda') return expr.form === 'func' || staysOnLine(expr.body);
  if (expr.k === 'unary') return staysOnLine(expr.value);
  return !['binary', 'if', 'let', 'forall', 'assert'].includes(expr.k);
}

function items(view: SourceView, exprs: readonly Expr[], from: number, to: number) {
  const pieces = exprs.map((item) => ({ start: item.start, end: item.end, doc: printItem(view, item) }));
  return placeComments(view, pieces, from, to);
}

function fields(view: SourceView, all: ExprOf<'record'>['fields'], from: number, to: number) {
  const pieces = all.map(({ name, value }) => ({
    start: name.start,
    end: value.end,
    doc: concat(`${escapeName(name.text)}:`, printAfter(view, name.end, value, true)),
  }));
  return placeComments(view, pieces, from, to);
}

function tuple(view: SourceView, expr: Span & { readonly items: readonly Expr[] }): Doc {
  const [only] = expr.items;
  const placed = items(view, expr.items, expr.start, expr.end - 1);
  if (only !== undefined && expr.items.length === 1 && !placed.commented)
    return concat('(', placed.pieces[0]?.doc ?? '', ',)');
  return list(round, placed);
}

function update(view: SourceView, expr: ExprOf<'update'>): Doc {
  const base = operand(view, expr.base, 2);
  const placed = fields(view, expr.fields, view.find('|', expr.base.end), expr.end - 1);
  return list({ ...braces, open: concat('{ ', base, ' |') }, placed);
}

function call(view: SourceView, expr: ExprOf<'call'>): Doc {
  const placed = items(view, expr.arguments, view.opener(expr.end), expr.end - 1);
  return concat(operand(view, expr.callee, callPower), list(round, placed));
}

function unary(view: SourceView, expr: ExprOf<'unary'>): Doc {
  const value = operand(view, expr.value, prefixPower);
  if (expr.word) return concat('not ', value);
  const twice = expr.operator === '-' && expr.value.k === 'unary' && expr.value.operator === '-';
  return twice ? concat('-(', value, ')') : concat(expr.operator, value);
}

/** Holes are printed on one line: a line break there would be hard to see in a string. */
function interpolation(view: SourceView, expr: ExprOf<'interpolation'>): Doc {
  const pieces = view.pieces(expr.start);
  const hole = (part: Expr): string => {
    view.refuseComments(part.start, part.end);
    return `\${${flatLayout(printExpr(view, part))}}`;
  };
  if (pieces === null) {
    const text = expr.parts.map((part) => (typeof part === 'string' ? escapeString(part) : hole(part)));
    return `"${text.join('')}"`;
  }
  const holes = expr.parts.filter((part) => typeof part !== 'string').map(hole);
  return `"${pieces.map((piece, index) => piece + (holes[index] ?? '')).join('')}"`;
}
