import type { ValueEntry } from '../../modules/scope.js';
import type { ExprOf } from '../../syntax/ast.js';
import { listItem, resolve, type Type } from '../type.js';
import { labelsOf } from './labels.js';

/** Local names and what is known of their values. */
export type FlowScope = ReadonlyMap<string, Flow>;

/** What a value may be made of. */
export type Shape =
  /** A value of a written or declared type. */
  | { readonly k: 'typed'; readonly type: Type }
  /** A record, tuple (`0`, `1`, …), constructor (`tag`, fields by number) or list (`*`) built here. */
  | { readonly k: 'built'; readonly tag: string | null; readonly parts: ReadonlyMap<string, Flow> }
  | { readonly k: 'lambda'; readonly expr: ExprOf<'lambda'>; readonly scope: FlowScope }
  | { readonly k: 'entry'; readonly entry: ValueEntry };

/**
 * What is known of the flow into a value: `labels` of the value as a whole, `shapes` for those of its parts. A label
 * `$2` stands for whatever the third parameter of the function at hand carries.
 */
export interface Flow {
  readonly labels: ReadonlySet<string>;
  readonly shapes: readonly Shape[];
}

/** More shapes than this are seen as one value. */
const maximumShapes = 6;

export const clean: Flow = { labels: new Set(), shapes: [] };

export function flowOfType(type: Type): Flow {
  const labels = new Set<string>();
  let found = type;
  while (found.k === 'label' || (found.k === 'var' && found.link !== null)) {
    if (found.k === 'label') {
      if (!found.refused) labels.add(found.label);
      found = found.type;
    } else if (found.link !== null) found = found.link;
  }
  return found.k === 'var' ? { labels, shapes: [] } : { labels, shapes: [{ k: 'typed', type: found }] };
}

export function built(parts: Iterable<readonly [string, Flow]>, tag: string | null = null): Flow {
  return { labels: new Set(), shapes: [{ k: 'built', tag, parts: new Map(parts) }] };
}

export function withLabels(flow: Flow, labels: Iterable<string>): Flow {
  return { labels: new Set([...flow.labels, ...labels]), shapes: flow.shapes };
}

export function join(...flows: readonly Flow[]): Flow {
  const shapes = [...new Set(flows.flatMap((flow) => flow.shapes))];
  const labels = new Set(flows.flatMap((flow) => [...flow.labels]));
  if (shapes.length <= maximumShapes) return { labels, shapes };
  return { labels: new Set(flows.flatMap((flow) => [...allLabels(flow)])), shapes: shapes.slice(0, maximumShapes) };
}

/** Labels of the value and of everything in it. */
export function allLabels(flow: Flow, depth = 0): Set<string> {
  const labels = new Set(flow.labels);
  if (depth > 12) return labels;
  for (const shape of flow.shapes) {
    if (shape.k === 'typed') for (const label of labelsOf(shape.type).carried) labels.add(label);
    if (shape.k !== 'built') continue;
    for (const part of shape.parts.values()) for (const label of allLabels(part, depth + 1)) labels.add(label);
  }
  return labels;
}

/** A part of a value: a field, an item of a tuple by number, or `*` for the items of a list. */
export function partOf(flow: Flow, name: string): Flow {
  const parts: Flow[] = [{ labels: flow.labels, shapes: [] }];
  for (const shape of flow.shapes) {
    if (shape.k === 'built') parts.push(shape.parts.get(name) ?? clean);
    if (shape.k === 'typed') parts.push(typedPart(shape.type, name));
  }
  return join(...parts);
}

function typedPart(type: Type, name: string): Flow {
  const found = resolve(type);
  if (found.k === 'record') {
    const field = found.fields.get(name);
    if (field !== undefined) return flowOfType(field);
    return found.rest === null ? clean : typedPart(found.rest, name);
  }
  if (found.k === 'tuple') {
    const item = found.items[Number(name)];
    return item === undefined ? clean : flowOfType(item);
  }
  const item = name === '*' ? listItem(found) : null;
  return item === null ? clean : flowOfType(item);
}
