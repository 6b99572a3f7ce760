import type { Pattern } from '../../syntax/ast.js';
import { substitute } from '../scheme.js';
import { resolve, type VariantInfo } from '../type.js';
import { type Flow, flowOfType, join, partOf } from './flow.js';
import type { FlowChecker } from './flow-checker.js';

/** Binds the variables of a pattern to the parts of the value they stand for. */
export function bindPattern(c: FlowChecker, pattern: Pattern, flow: Flow, bindings: Map<string, Flow>): void {
  const variant = c.facts.patterns.get(pattern);
  if (variant !== undefined) {
    if (pattern.k !== 'constructor') return;
    for (const [index, part] of pattern.arguments.entries())
      bindPattern(c, part, fieldOf(c, flow, variant, index), bindings);
    return;
  }
  switch (pattern.k) {
    case 'name':
      bindings.set(pattern.name, flow);
      return;
    case 'cons':
      bindPattern(c, pattern.head, partOf(flow, '*'), bindings);
      bindPattern(c, pattern.tail, flow, bindings);
      return;
    case 'list':
      for (const item of pattern.items) bindPattern(c, item, partOf(flow, '*'), bindings);
      if (pattern.rest !== null) bindings.set(pattern.rest.text, flow);
      return;
    case 'tuple':
      for (const [index, item] of pattern.items.entries()) bindPattern(c, item, partOf(flow, String(index)), bindings);
      return;
    case 'record':
      for (const { name, pattern: part } of pattern.fields) bindPattern(c, part, partOf(flow, name.text), bindings);
      return;
    default:
  }
}

function fieldOf(c: FlowChecker, flow: Flow, variant: VariantInfo, index: number): Flow {
  const parts: Flow[] = [{ labels: flow.labels, shapes: [] }];
  const field = variant.fields[index];
  for (const shape of flow.shapes) {
    if (shape.k === 'built' && shape.tag === variant.name)
      parts.push(partOf({ labels: new Set(), shapes: [shape] }, String(index)));
    if (shape.k !== 'typed' || field === undefined) continue;
    const type = resolve(shape.type);
    if (type.k !== 'named' || type.constructor !== variant.type) continue;
    const bound = new Map(
      variant.parameters.map((parameter, at) => [parameter, type.arguments[at] ?? parameter] as const),
    );
    parts.push(flowOfType(substitute(field, bound, new Map(), c.unifier)));
  }
  return join(...parts);
}
