const places = new Set(['start', 'end', 'pathSpan', 'operatorStart']);

/** Whether two syntax trees are equal but for the places of their nodes. */
export function sameTree(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => sameTree(item, b[index]));
  }
  const left = parts(a);
  const right = new Map(parts(b));
  return left.length === right.size && left.every(([key, value]) => right.has(key) && sameTree(value, right.get(key)));
}

const parts = (node: object): [string, unknown][] => Object.entries(node).filter(([key]) => !places.has(key));
