import type { ValueEntry } from '../../modules/scope.js';
import type { Expr, ValueDeclaration } from '../../syntax/ast.js';
import { lastExpr } from '../infer-expr.js';
import type { Signature } from '../infer-function.js';
import type { Inference } from '../inference.js';
import { type Flow, flowOfType, withLabels } from './flow.js';
import { outerLabels } from './flow-call.js';
import { FlowBudgetExceeded, FlowChecker, setSummary, summaryOf } from './flow-checker.js';
import { annotated, follow } from './flow-expr.js';
import { mentionsLabels } from './labels.js';

/** A definition of the module, in the order of dependencies; one group defines what needs each other. */
export interface FlowItem {
  readonly entry: ValueEntry;
  readonly definition: Signature | ValueDeclaration;
}

/** How often a group of recursive functions is followed until nothing new is learnt. */
const maximumRounds = 8;

/**
 * Flow labels (ailang-language 3.3): a labelled value may not reach a place that refuses its label, and no label gets
 * lost but in a function with `Declassify`. Explicit flows only: a condition does not label what it chooses.
 */
export function checkFlows(c: Inference, groups: readonly (readonly FlowItem[])[], loose: readonly Expr[]): void {
  if (!concernsLabels(c, groups.flat())) return;
  const checker = new FlowChecker(c.facts, c.unifier, c.reporter, new Map());
  try {
    for (const group of groups) followGroup(checker, group);
    for (const expr of loose) follow(checker, expr, new Map());
  } catch (error) {
    if (!(error instanceof FlowBudgetExceeded)) throw error;
    c.reporter.error(
      'TC_LABEL_003',
      0,
      'the labels of this module cannot be followed: it is too large',
      'Move parts into modules of their own, with labels in the types of their functions.',
    );
  }
}

/** Most programs have no labels: then nothing is followed. */
function concernsLabels(c: Inference, items: readonly FlowItem[]): boolean {
  if (c.facts.labelled || items.some(({ entry }) => mentionsLabels(entry.scheme.type))) return true;
  const seen = new Set<ValueEntry>();
  for (const resolution of c.facts.resolutions.values()) {
    if (resolution.k === 'local' || seen.has(resolution)) continue;
    seen.add(resolution);
    if ((summaryOf(resolution)?.refuses.size ?? 0) > 0 || mentionsLabels(resolution.scheme.type)) return true;
  }
  return false;
}

function followGroup(c: FlowChecker, group: readonly FlowItem[]): void {
  c.reporting = false;
  for (let round = 0; round < maximumRounds; round++) {
    const changed = group.map((item) => followItem(c, item)).some((learnt) => learnt);
    if (!changed) break;
  }
  c.reporting = true;
  for (const item of group) followItem(c, item);
}

/** Whether more is known of the item than before. */
function followItem(c: FlowChecker, { entry, definition }: FlowItem): boolean {
  c.refuses = new Map();
  c.defined.clear();
  c.declassifies = false;
  if ('k' in definition) {
    c.values.set(entry, followValue(c, definition));
    return false;
  }
  const { declaration, type } = definition;
  c.declassifies = type.effects.labels.includes('Declassify');
  const scope = new Map<string, Flow>();
  for (const [index, { name }] of declaration.parameters.entries()) {
    const parameter = type.parameters[index];
    if (parameter !== undefined) scope.set(name.text, withLabels(flowOfType(parameter), [`$${index}`]));
  }
  const result = follow(c, declaration.body, scope);
  if (declaration.result !== null)
    c.relabel(result, type.result, lastExpr(declaration.body).start, `the result of ${declaration.name.text}`);
  const before = summaryOf(entry);
  const kept = declaration.result === null && !c.declassifies ? outerLabels(result) : new Set<string>();
  setSummary(entry, { refuses: c.refuses, result: kept });
  return size(c.refuses) + kept.size > size(before?.refuses ?? new Map()) + (before?.result.size ?? 0);
}

function followValue(c: FlowChecker, { name, type, value }: ValueDeclaration): Flow {
  const flow = follow(c, value, new Map());
  const written = type === null ? undefined : c.facts.written.get(type);
  if (written === undefined) return flow;
  c.relabel(flow, written, value.start, `the value of ${name.text}`);
  return annotated(c, flow, written);
}

const size = (refuses: ReadonlyMap<number, ReadonlySet<string>>): number =>
  [...refuses.values()].reduce((sum, labels) => sum + labels.size, 0);
