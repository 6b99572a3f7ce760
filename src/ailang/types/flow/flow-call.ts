import { ghostEffect } from '../../effects/known.js';
import { resolveRow } from '../../effects/row.js';
import type { Expr, ExprOf } from '../../syntax/ast.js';
import { calleeName } from '../infer-call.js';
import { type FunctionType, resolve, type Type } from '../type.js';
import { allLabels, built, clean, type Flow, flowOfType, join, type Shape, withLabels } from './flow.js';
import { type FlowChecker, type FlowSummary, summaryOf } from './flow-checker.js';
import { annotated, follow, mixed } from './flow-expr.js';
import { labelsOf } from './labels.js';

type Lambda = Extract<Shape, { k: 'lambda' }>;

/** A call: arguments meet what the parameters refuse; a pure result joins the labels of the arguments. */
export function followCall(c: FlowChecker, expr: ExprOf<'call'>, callee: Flow, args: readonly Flow[]): Flow {
  const name = calleeName(expr.callee);
  c.callStart = expr.start;
  const results: Flow[] = [{ labels: callee.labels, shapes: [] }];
  let known = false;
  for (const shape of callee.shapes) {
    if (shape.k === 'lambda') results.push(followLambda(c, shape, args));
    else {
      const declared = declaredFunction(shape);
      if (declared === null) continue;
      if (shape.k === 'entry' && shape.entry.k === 'constructor') {
        checkArguments(c, declared, null, expr.arguments, args, name);
        results.push(
          built(
            args.map((arg, index) => [String(index), arg] as const),
            shape.entry.variant.name,
          ),
        );
      } else {
        const summary = shape.k === 'entry' ? summaryOf(shape.entry) : null;
        results.push(followDeclared(c, declared, summary, expr.arguments, args, name));
      }
    }
    known = true;
  }
  if (!known)
    results.push(
      mixed([
        ...args,
        ...callbacks(
          c,
          args,
          args.map(() => null),
        ),
      ]),
    );
  return join(...results);
}

function declaredFunction(shape: Shape): FunctionType | null {
  if (shape.k === 'entry') {
    const type = resolve(shape.entry.scheme.type);
    return type.k === 'function' ? type : null;
  }
  const type = shape.k === 'typed' ? resolve(shape.type) : null;
  return type?.k === 'function' ? type : null;
}

function followDeclared(
  c: FlowChecker,
  type: FunctionType,
  summary: FlowSummary | null,
  written: readonly Expr[],
  args: readonly Flow[],
  name: string,
): Flow {
  checkArguments(c, type, summary, written, args, name);
  const returned = callbacks(c, args, type.parameters);
  const result = withLabels(flowOfType(type.result), summary?.result ?? []);
  const effectful = resolveRow(type.effects).labels.some((label) => label !== ghostEffect);
  return effectful ? result : withLabels(result, mixed([...args, ...returned]).labels);
}

function checkArguments(
  c: FlowChecker,
  type: FunctionType,
  summary: FlowSummary | null,
  written: readonly Expr[],
  args: readonly Flow[],
  name: string,
): void {
  for (const [index, arg] of args.entries()) {
    const parameter = type.parameters[index];
    if (parameter === undefined) continue;
    const start = written[index]?.start ?? 0;
    const place = `argument ${index + 1} of ${name}`;
    const { carried, refused } = labelsOf(parameter);
    if (carried.size > 0) c.relabel(arg, parameter, start, place);
    else c.sink(arg, refused, start, place, parameter);
    const inside = summary?.refuses.get(index);
    if (inside !== undefined) c.sink(arg, inside, start, `${place}`, null);
  }
}

/** Functions among the arguments may be called with any of the other arguments. */
function callbacks(c: FlowChecker, args: readonly Flow[], parameters: readonly (Type | null)[]): Flow[] {
  const isFunction = (flow: Flow): boolean =>
    flow.shapes.length > 0 && flow.shapes.every((shape) => shape.k === 'lambda' || declaredFunction(shape) !== null);
  const data = mixed(args.filter((arg) => !isFunction(arg)));
  const results: Flow[] = [];
  for (const [index, arg] of args.entries()) {
    const expected = parameters[index] ?? null;
    const wanted = expected === null ? null : resolve(expected);
    const given = (count: number): Flow[] =>
      Array.from({ length: count }, (_, at) => {
        const type = wanted?.k === 'function' ? wanted.parameters[at] : undefined;
        return type === undefined ? data : withLabels(flowOfType(type), data.labels);
      });
    for (const shape of arg.shapes) {
      if (shape.k === 'lambda') results.push(followLambda(c, shape, given(shape.expr.parameters.length)));
      const declared = shape.k === 'lambda' ? null : declaredFunction(shape);
      if (declared === null || !isFunction(arg)) continue;
      const summary = shape.k === 'entry' ? summaryOf(shape.entry) : null;
      const name = shape.k === 'entry' ? entryName(shape) : 'the function';
      checkCallback(c, declared, summary, given(declared.parameters.length), name);
    }
  }
  return results;
}

/** A named function given to another one: the place is that of the last argument followed. */
function checkCallback(
  c: FlowChecker,
  type: FunctionType,
  summary: FlowSummary | null,
  args: readonly Flow[],
  name: string,
): void {
  const start = c.callStart;
  for (const [index, arg] of args.entries()) {
    const parameter = type.parameters[index];
    if (parameter !== undefined)
      c.sink(arg, labelsOf(parameter).refused, start, `parameter ${index + 1} of ${name}`, parameter);
    const inside = summary?.refuses.get(index);
    if (inside !== undefined) c.sink(arg, inside, start, `parameter ${index + 1} of ${name}`, null);
  }
}

const entryName = (shape: Extract<Shape, { k: 'entry' }>): string =>
  shape.entry.k === 'constructor' ? shape.entry.variant.name : shape.entry.name;

export function followLambda(c: FlowChecker, { expr, scope }: Lambda, args: readonly Flow[]): Flow {
  if (c.active.has(expr) || c.active.size > 20) return mixed(args);
  c.active.add(expr);
  const inner = new Map(scope);
  for (const [index, { name, type }] of expr.parameters.entries()) {
    const written = type === null ? undefined : c.facts.written.get(type);
    const flow = args[index] ?? clean;
    if (written !== undefined)
      c.sink(flow, labelsOf(written).refused, expr.start, `the parameter ${name.text}`, written);
    inner.set(name.text, written === undefined ? flow : join(flow, flowOfType(written)));
  }
  const result = follow(c, expr.body, inner);
  const declared = expr.result === null ? undefined : c.facts.written.get(expr.result);
  c.active.delete(expr);
  if (declared === undefined) return result;
  c.relabel(result, declared, expr.body.start, 'the result of this function');
  return annotated(c, result, declared);
}

/** Labels of a value as they leave a function. */
export const outerLabels = (flow: Flow): Set<string> =>
  new Set([...allLabels(flow)].filter((label) => !label.startsWith('$')));
