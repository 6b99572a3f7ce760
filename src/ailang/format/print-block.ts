import type { ExprOf, Statement } from '../syntax/ast.js';
import { keywords } from '../syntax/tokens.js';
import { concat, type Doc, firstText, group, indent, isForced, line, lineBreak } from './doc.js';
import { rows } from './list.js';
import { type Piece, type Placement, placeComments } from './place-comments.js';
import { printAfter, printExpr } from './print-expr.js';
import { printType } from './print-type.js';
import type { SourceView } from './source-view.js';

/**
 * A block in braces. One of a single short expression stays on a line; others have one statement a line.
 * @param from where comments before the first statement begin
 */
export function printBlock(view: SourceView, block: ExprOf<'block'>, from: number): Doc {
  const placed = placeStatements(view, block, from);
  const [first] = placed.pieces;
  if (first === undefined && !placed.commented) return '{}';
  const single = placed.pieces.length === 1 && block.statements[0]?.k === 'expression';
  if (!single || placed.commented || first === undefined || isForced(first.doc)) return braced(placed);
  return group('{', indent(concat(line, first.doc)), line, '}');
}

/** As `printBlock`, with every statement on a line of its own. @param wrap puts the first statement in parentheses */
export function printBody(view: SourceView, block: ExprOf<'block'>, from: number, wrap: boolean): Doc {
  const placed = placeStatements(view, block, from);
  if (placed.pieces.length === 0 && !placed.commented) return '{}';
  if (!wrap) return braced(placed);
  const pieces = placed.pieces.map((piece) => ({ ...piece, doc: concat('(', piece.doc, ')') }));
  return braced({ ...placed, pieces });
}

function placeStatements(view: SourceView, block: ExprOf<'block'>, from: number): Placement {
  const pieces = block.statements.map((statement) => printStatement(view, statement));
  return placeComments(view, pieces, from, Math.max(block.end - 1, 0));
}

function braced(placed: Placement): Doc {
  const separator = (index: number): string => {
    const next = placed.pieces[index + 1];
    return next === undefined || beginsStatement(next.doc) ? '' : ';';
  };
  if (placed.pieces.length + placed.closing.length === 0) return concat('{', placed.opening, lineBreak(' '), '}');
  const body = rows(placed, separator, { flat: '; ', keepBlank: true });
  return concat('{', placed.opening, indent(concat(lineBreak(' '), body)), lineBreak(' '), '}');
}

function printStatement(view: SourceView, statement: Statement): Piece {
  if (statement.k === 'expression') {
    const { start, end } = statement.value;
    return { start, end, doc: printExpr(view, statement.value) };
  }
  return { start: statement.name.start, end: statement.value.end, doc: printBinding(view, statement) };
}

/** `let x: T = e`. */
export function printBinding(view: SourceView, binding: Extract<Statement, { k: 'let' }> | ExprOf<'let'>): Doc {
  const { recursive, name, type, value } = binding;
  const annotation = type === null ? '' : concat(': ', printType(view, type));
  const from = type?.end ?? name.end;
  return concat(recursive ? 'letrec ' : 'let ', name.text, annotation, ' =', printAfter(view, from, value));
}

/** Whether a line break alone separates this statement from the one before: it begins with a word that starts one. */
function beginsStatement(doc: Doc): boolean {
  const [word] = /^[\p{L}_][\p{L}\p{N}\p{M}_']*/u.exec(firstText(doc)) ?? [];
  return word !== undefined && (!keywords.has(word) || ['let', 'letrec', 'if', 'match'].includes(word));
}
