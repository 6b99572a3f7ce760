import type { ValueEntry } from '../../modules/scope.js';
import type { Facts } from '../inference.js';
import { printType } from '../print.js';
import type { Reporter } from '../report.js';
import { resolve, type Type, unitType } from '../type.js';
import type { Unifier } from '../unify.js';
import { allLabels, type Flow } from './flow.js';
import { labelsOf } from './labels.js';

/** What calling a function does with labels that its type does not say. */
export interface FlowSummary {
  /** For each parameter, the labels it may not have, because the body passes it on to a place that refuses them. */
  readonly refuses: ReadonlyMap<number, ReadonlySet<string>>;
  /** Labels of a result without a written type. */
  readonly result: ReadonlySet<string>;
}

/** Thrown when a module is too large for the analysis. */
export class FlowBudgetExceeded extends Error {}

const maximumSteps = 200_000;
const summaries = new WeakMap<ValueEntry, FlowSummary>();

export function summaryOf(entry: ValueEntry): FlowSummary | null {
  return summaries.get(entry) ?? null;
}

export function setSummary(entry: ValueEntry, summary: FlowSummary): void {
  summaries.set(entry, summary);
}

/** The state of following labels through one function or module-level value. */
export class FlowChecker {
  /** Whether findings are reported; summaries of recursive functions are found first, silently. */
  reporting = true;
  /** The function at hand may change labels. */
  declassifies = false;
  /** Labels its parameters turn out to refuse. */
  refuses = new Map<number, Set<string>>();
  /** Lambdas being followed, against endless recursion. */
  readonly active = new Set<object>();
  /** Lambdas followed once where they stand, as if called with nothing: they may never be called here. */
  readonly defined = new Set<object>();
  /** Where the call at hand stands. */
  callStart = 0;
  #steps = 0;

  constructor(
    readonly facts: Facts,
    readonly unifier: Unifier,
    readonly reporter: Reporter,
    /** Flows of the module-level values seen so far. */
    readonly values: Map<ValueEntry, Flow>,
  ) {}

  step(): void {
    if (++this.#steps > maximumSteps) throw new FlowBudgetExceeded('label flow budget exceeded');
  }

  /** A value reaches a place that refuses labels. */
  sink(flow: Flow, refused: ReadonlySet<string>, start: number, place: string, type: Type | null): void {
    if (refused.size === 0) return;
    for (const label of allLabels(flow)) {
      if (label.startsWith('$')) this.#refuse(Number(label.slice(1)), refused);
      else if (refused.has(label))
        this.#report(
          'TC_LABEL_001',
          start,
          `a value with the label \`${label}\` reaches ${place}${type === null ? ' and from there a place that refuses it' : `, which refuses it (${printType(type)})`}`,
          `Leave it out, or take the label away first, in a function with ! {Declassify}.`,
        );
    }
  }

  /** A value gets a written type, which must have the labels of the value. */
  relabel(flow: Flow, type: Type, start: number, place: string): void {
    const { carried, refused } = labelsOf(type);
    this.sink(flow, refused, start, place, type);
    if (this.declassifies || resolve(type) === unitType) return;
    for (const label of allLabels(flow)) {
      if (label.startsWith('$') || carried.has(label) || refused.has(label)) continue;
      this.#report(
        'TC_LABEL_002',
        start,
        `${place} has the label \`${label}\`, which its type ${printType(type)} does not`,
        carried.size === 0
          ? `Write ${printType(type)}<${label}>, or declare ! {Declassify}, which allows to change labels.`
          : 'Declare ! {Declassify}, which allows to change labels.',
      );
    }
  }

  #refuse(parameter: number, labels: ReadonlySet<string>): void {
    const known = this.refuses.get(parameter) ?? new Set();
    for (const label of labels) known.add(label);
    this.refuses.set(parameter, known);
  }

  #report(code: string, start: number, message: string, hint: string): void {
    if (this.reporting) this.reporter.error(code, start, message, hint);
  }
}
