import type { Core, CoreFunction, CorePattern } from '../../core/types.js';

export const globalKey = (module: string, name: string): string => `${module}\u0000${name}`;

type Call = Extract<Core, { k: 'call' }>;

/** The calls in tail position of an expression. */
export function tailCalls(body: Core): readonly Call[] {
  const found: Call[] = [];
  const pending: Core[] = [body];
  for (let core = pending.pop(); core !== undefined; core = pending.pop()) {
    if (core.k === 'call') found.push(core);
    else if (core.k === 'let' || core.k === 'letrec') pending.push(core.body);
    else if (core.k === 'sequence') pending.push(core.rest);
    else if (core.k === 'if') pending.push(core.then, core.otherwise);
    else if (core.k === 'match') pending.push(...core.arms.map((arm) => arm.body));
    else if (core.k === 'binary' && (core.operator === '&&' || core.operator === '||')) pending.push(core.right);
  }
  return found;
}

/** Whether a lambda may return `TAIL`; `self` is the name it calls itself by. */
export function lambdaMayTail(body: Core, self: string | null, globalMayTail: (key: string) => boolean): boolean {
  return tailCalls(body).some(({ callee }) => {
    if (callee.k === 'builtin' || callee.k === 'constructor') return false;
    if (callee.k === 'global') return globalMayTail(globalKey(callee.module, callee.name));
    return callee.k !== 'local' || callee.name !== self || bindsInside(body, callee.name);
  });
}

/** How each global function may be called in tail position without growing the stack. */
export interface TailPlan {
  /** May return `TAIL`. */
  mayTail(key: string): boolean;
  /** A tail call from one to the other closes a cycle, so it must go through `TAIL`. */
  inCycle(from: string, to: string): boolean;
}

/** Functions whose result is looked at before they return: their calls are never in tail position. */
export const checksResult = (fn: CoreFunction, contracts: boolean, budgets: boolean): boolean =>
  (budgets && fn.budgets.length > 0) || (contracts && fn.clauses.some((clause) => clause.kind === 'ensures'));

/** @param functions by global key, those that check their result left out */
export function planTails(functions: ReadonlyMap<string, CoreFunction>): TailPlan {
  const edges = new Map<string, Set<string>>();
  const mayTail = new Set<string>();
  for (const [key, fn] of functions) {
    const targets = new Set<string>();
    for (const { callee } of tailCalls(fn.body)) {
      if (callee.k === 'builtin' || callee.k === 'constructor') continue;
      if (callee.k !== 'global') {
        mayTail.add(key);
        continue;
      }
      const target = globalKey(callee.module, callee.name);
      if (target !== key && functions.has(target)) targets.add(target);
    }
    edges.set(key, targets);
  }
  const component = components(edges);
  const inCycle = (from: string, to: string): boolean => from !== to && component.get(from) === component.get(to);
  for (const [key, targets] of edges) if ([...targets].some((target) => inCycle(key, target))) mayTail.add(key);
  for (let changed = true; changed; ) {
    changed = false;
    for (const [key, targets] of edges) {
      if (!mayTail.has(key) && [...targets].some((target) => mayTail.has(target))) {
        mayTail.add(key);
        changed = true;
      }
    }
  }
  return { mayTail: (key) => mayTail.has(key), inCycle };
}

/** Strongly connected components (Tarjan), by their number. */
function components(edges: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, number> {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const component = new Map<string, number>();
  const stack: string[] = [];
  const visit = (key: string): void => {
    index.set(key, index.size);
    low.set(key, index.size - 1);
    stack.push(key);
    for (const target of edges.get(key) ?? []) {
      if (!index.has(target)) visit(target);
      if (!component.has(target)) low.set(key, Math.min(low.get(key) ?? 0, low.get(target) ?? 0));
    }
    if (low.get(key) !== index.get(key)) return;
    const id = component.size;
    for (let member = stack.pop(); member !== undefined; member = stack.pop()) {
      component.set(member, id);
      if (member === key) break;
    }
  };
  for (const key of edges.keys()) if (!index.has(key)) visit(key);
  return component;
}

function bindsInside(core: Core, name: string): boolean {
  switch (core.k) {
    case 'let':
      return core.name === name || bindsInside(core.body, name);
    case 'letrec':
      return core.bindings.some((binding) => binding.name === name) || bindsInside(core.body, name);
    case 'sequence':
      return bindsInside(core.rest, name);
    case 'if':
      return bindsInside(core.then, name) || bindsInside(core.otherwise, name);
    case 'match':
      return core.arms.some((arm) => patternBinds(arm.pattern, name) || bindsInside(arm.body, name));
    case 'binary':
      return bindsInside(core.right, name);
    default:
      return false;
  }
}

function patternBinds(pattern: CorePattern, name: string): boolean {
  switch (pattern.k) {
    case 'bind':
      return pattern.name === name;
    case 'constructor':
      return pattern.args.some((part) => patternBinds(part, name));
    case 'cons':
      return patternBinds(pattern.head, name) || patternBinds(pattern.tail, name);
    case 'list':
      return (
        pattern.items.some((part) => patternBinds(part, name)) ||
        (pattern.rest !== null && patternBinds(pattern.rest, name))
      );
    case 'tuple':
      return pattern.items.some((part) => patternBinds(part, name));
    case 'record':
      return pattern.fields.some((field) => patternBinds(field.pattern, name));
    default:
      return false;
  }
}
