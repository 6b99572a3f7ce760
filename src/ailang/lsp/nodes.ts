import type { File, Span } from '../syntax/ast.js';

/** Parts of the syntax tree that contain an offset, outermost first. A name's end counts as inside: a cursor stands there. */
export function nodesAt(file: File, offset: number): readonly object[] {
  const path: object[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (hasSpan(value)) {
      if (offset < value.start || offset > value.end) return;
      path.push(value);
    } else if (!Array.isArray(value)) path.push(value);
    for (const part of Object.values(value)) visit(part);
  };
  for (const part of [file.module, file.imports, file.declarations]) visit(part);
  return path.filter((node) => hasSpan(node) || containsSpanAt(node, offset));
}

export function hasSpan(value: object): value is Span {
  return 'start' in value && typeof value.start === 'number' && 'end' in value && typeof value.end === 'number';
}

function containsSpanAt(node: object, offset: number): boolean {
  return Object.values(node).some(
    (part: unknown) =>
      typeof part === 'object' && part !== null && hasSpan(part) && offset >= part.start && offset <= part.end,
  );
}
