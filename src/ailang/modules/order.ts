import type { Expr } from '../syntax/ast.js';

/** The names an expression mentions, shadowed ones too: good enough to order declarations. */
export function namesUsed(expr: Expr): Set<string> {
  const found = new Set<string>();
  const work: object[] = [expr];
  for (let node = work.pop(); node !== undefined; node = work.pop()) {
    if ('k' in node && node.k === 'name' && 'name' in node && typeof node.name === 'string') found.add(node.name);
    for (const key in node) {
      const part: unknown = node[key as never];
      if (typeof part === 'object' && part !== null) work.push(part);
    }
  }
  return found;
}

/** Strongly connected components, each after the ones it depends on. */
export function components(names: readonly string[], uses: (name: string) => Iterable<string>): string[][] {
  const known = new Set(names);
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const result: string[][] = [];
  for (const root of names) {
    if (index.has(root)) continue;
    const work: { name: string; next: Iterator<string> }[] = [];
    const enter = (name: string) => {
      index.set(name, index.size);
      low.set(name, index.size - 1);
      stack.push(name);
      onStack.add(name);
      work.push({ name, next: uses(name)[Symbol.iterator]() });
    };
    enter(root);
    for (let frame = work.at(-1); frame !== undefined; frame = work.at(-1)) {
      const { name } = frame;
      const step = frame.next.next();
      if (step.done !== true) {
        if (!known.has(step.value)) continue;
        if (!index.has(step.value)) enter(step.value);
        else if (onStack.has(step.value)) low.set(name, Math.min(low.get(name) ?? 0, index.get(step.value) ?? 0));
        continue;
      }
      work.pop();
      const parent = work.at(-1);
      if (parent !== undefined) low.set(parent.name, Math.min(low.get(parent.name) ?? 0, low.get(name) ?? 0));
      if (low.get(name) !== index.get(name)) continue;
      const component = stack.splice(stack.indexOf(name));
      for (const member of component) onStack.delete(member);
      result.push(component);
    }
  }
  return result;
}
