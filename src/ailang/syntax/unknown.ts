import type { Expr, Span } from './ast.js';

/** Stands in the tree for what could not be read; no program can write it. */
export const unknownName = '<unknown>';

/** An expression of any type. */
export const unknownExpr = ({ start, end }: Span): Expr => ({ k: 'name', name: unknownName, start, end });

/** An expression of any type, whose parts are checked for themselves. */
export const unknownOf = (parts: readonly Expr[], span: Span): Expr => ({
  k: 'call',
  callee: unknownExpr(span),
  arguments: [...parts],
  start: span.start,
  end: span.end,
});
