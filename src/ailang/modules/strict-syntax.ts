import type { Diagnostic } from '../diagnostic.js';
import type { Expr, File, Pattern, TypeExpr } from '../syntax/ast.js';
import type { Source } from '../syntax/source.js';

type Node = Expr | Pattern | TypeExpr;

interface Sugar {
  readonly code: string;
  readonly start: number;
  readonly message: string;
  readonly suggestion: string;
}

/** Surface sugar that `--strict-syntax` forbids (ailang-language 2.5): each use is an error, in source order. */
export function sugarErrors(source: Source, file: File): Diagnostic[] {
  const found: Sugar[] = [];
  const work: unknown[] = [file.declarations];
  for (let node = work.pop(); node !== undefined; node = work.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    const sugar = 'k' in node ? sugarOf(source.text, node as Node) : null;
    if (sugar !== null) found.push(sugar);
    for (const part of Object.values(node)) if (typeof part === 'object' && part !== null) work.push(part);
  }
  return found
    .sort((a, b) => a.start - b.start)
    .map(({ code, start, message, suggestion }) => ({ code, message, position: source.position(start), suggestion }));
}

function sugarOf(text: string, node: Node): Sugar | null {
  switch (node.k) {
    case 'binary':
      if (node.operator !== '::' || node.operatorStart === node.start) return null;
      return {
        code: 'SUGAR_CONS',
        start: node.operatorStart,
        message: 'infix `::` is sugar',
        suggestion: 'Write ::(x, xs).',
      };
    case 'cons':
      if (text.startsWith('::', node.start)) return null;
      return {
        code: 'SUGAR_CONS_PATTERN',
        start: node.start,
        message: 'the infix pattern `x :: xs` is sugar',
        suggestion: 'Write ::(x, xs), or [x, ...xs].',
      };
    case 'call':
      if (node.arguments.length > 0) return null;
      return { code: 'SUGAR_CALL0', start: node.start, message: 'the call `f()` is sugar', suggestion: 'Write f(()).' };
    case 'function':
      // A function declaration has the same `k`; only types have a list of types for parameters.
      if (!('result' in node) || 'body' in node || text[node.start] === '(') return null;
      return {
        code: 'SUGAR_ARROWTYPE',
        start: node.start,
        message: 'an arrow type without parentheses is sugar',
        suggestion: 'Write (A) -> B.',
      };
    default:
      return null;
  }
}
