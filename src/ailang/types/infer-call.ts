import { openRow } from '../effects/row.js';
import type { Expr, ExprOf } from '../syntax/ast.js';
import { infer } from './infer-expr.js';
import { inferName } from './infer-name.js';
import { inferField } from './infer-record.js';
import type { Inference, Origin } from './inference.js';
import { printType } from './print.js';
import { errorType, type FunctionType, resolve, type Type, unitType } from './type.js';
import { differs, forget, type Mismatch } from './unify.js';

/** How a callee is named in messages. */
export function calleeName(callee: Expr): string {
  if (callee.k === 'name') return callee.name;
  if (callee.k === 'field')
    return callee.base.k === 'name' ? `${callee.base.name}.${callee.name.text}` : callee.name.text;
  return callee.k === 'call' ? `the result of ${calleeName(callee.callee)}` : 'this function';
}

export function inferCall(c: Inference, expr: ExprOf<'call'>): Type {
  const { callee } = expr;
  const found = resolve(
    callee.k === 'name'
      ? inferName(c, callee, true)
      : callee.k === 'field'
        ? inferField(c, callee, expr)
        : infer(c, callee),
  );
  c.facts.types.set(expr, found);
  c.facts.nodes?.set(callee, found);
  if (found.k === 'var' && found.rigid === null) return callUnknown(c, expr, found);
  if (found.k !== 'function') {
    for (const argument of expr.arguments) infer(c, argument);
    if (found === errorType) return errorType;
    const hint =
      expr.arguments.length === 1 && callee.k === 'call'
        ? 'A function of several parameters takes them in one call: f(a, b).'
        : 'Only functions can be called; statements on one line need a `;` between them.';
    c.reporter.error(
      'TC001',
      expr.start,
      `${calleeName(callee)} is not a function, its type is ${printType(found)}`,
      hint,
    );
    return errorType;
  }
  const result = applyFunction(c, expr, found);
  c.uses(found.effects, callee.start, calleeName(callee));
  return result;
}

function callUnknown(c: Inference, expr: ExprOf<'call'>, callee: Type): Type {
  const parameters = expr.arguments.map((argument) => infer(c, argument));
  const result = c.fresh();
  const effects = openRow(c.unifier.level);
  const called: Type = {
    k: 'function',
    parameters: parameters.length === 1 && resolve(parameters[0] ?? unitType) === unitType ? [] : parameters,
    result,
    effects,
  };
  c.fit(callee, called, expr.start, `in the call of ${calleeName(expr.callee)}`);
  c.uses(effects, expr.callee.start, calleeName(expr.callee));
  return result;
}

function applyFunction(c: Inference, expr: ExprOf<'call'>, callee: FunctionType): Type {
  const name = calleeName(expr.callee);
  const { arguments: args } = expr;
  const [first] = args;
  if (callee.parameters.length === 0 && args.length === 1 && first !== undefined) {
    const type = infer(c, first);
    if (resolve(type) === unitType) return callee.result;
    return wrongArity(c, expr, callee, name);
  }
  const unitOnly = callee.parameters.length === 1 && args.length === 0;
  if (unitOnly && callee.parameters[0] !== undefined && c.unifier.unify(unitType, callee.parameters[0]) === null)
    return callee.result;
  if (callee.parameters.length !== args.length) {
    for (const argument of args) infer(c, argument);
    return wrongArity(c, expr, callee, name);
  }
  const order = [...args.keys()].sort((a, b) => Number(isLambda(args[a])) - Number(isLambda(args[b])) || a - b);
  const misfits: Misfit[] = [];
  for (const index of order) {
    const argument = args[index] as Expr;
    const parameter = callee.parameters[index] as Type;
    const found = infer(c, argument, parameter);
    const mismatch = c.unifier.subsume(found, parameter);
    if (mismatch !== null) misfits.push({ mismatch, found, parameter, index, start: argument.start });
  }
  misfits.sort((a, b) => a.index - b.index);
  if (misfits.length > 1 && reportOrder(c, expr, name, misfits)) return callee.result;
  for (const { found, parameter, index, start } of misfits) {
    const where = `in argument ${index + 1} of ${name}`;
    // Fitted again: the error before may have settled this one.
    c.fit(found, parameter, start, where, undefined, parameterOrigin(c, expr.callee, index));
  }
  return callee.result;
}

/** An argument that is not what its place expects. */
interface Misfit {
  readonly mismatch: Mismatch;
  readonly found: Type;
  readonly parameter: Type;
  readonly index: number;
  readonly start: number;
}

/** Arguments of which each fits in the place of another are one error; true when it was that. */
function reportOrder(c: Inference, expr: ExprOf<'call'>, name: string, misfits: readonly Misfit[]): boolean {
  const places = misfits.map(({ found }) => misfits.find(({ parameter }) => !differs(found, parameter))?.index);
  if (places.includes(undefined) || new Set(places).size < places.length) return false;
  const texts = expr.arguments.map(({ start, end }) => c.reporter.source.text.slice(start, end));
  const written = [...texts];
  for (const [at, place] of places.entries()) written[place ?? 0] = texts[misfits[at]?.index ?? 0] ?? '';
  const call = `${name}(${written.join(', ')})`;
  const list = (types: readonly Type[]): string => types.map((type) => printType(type)).join(' and ');
  const message = `expected ${list(misfits.map(({ parameter }) => parameter))}, got ${list(misfits.map(({ found }) => found))}`;
  c.reporter.error(
    'TC001',
    misfits[0]?.start ?? expr.start,
    `type mismatch in arguments ${misfits.map(({ index }) => index + 1).join(' and ')} of ${name}: ${message}`,
    call.length > 120 || call.includes('\n') ? 'Exchange these arguments.' : `Exchange these arguments: write ${call}.`,
  );
  for (const { mismatch } of misfits) forget(mismatch);
  return true;
}

/** Where the type of a parameter is written, for functions of this module. */
function parameterOrigin(c: Inference, callee: Expr, index: number): Origin | null {
  const resolution = c.facts.resolutions.get(callee);
  if (resolution?.k !== 'global' || resolution.module !== c.scope.module) return null;
  const parameter = c.parameters.get(resolution.name)?.[index];
  if (parameter === undefined || parameter.type === null) return null;
  return { what: `the parameter \`${parameter.name.text}\` of ${resolution.name}`, start: parameter.name.start };
}

/** Lambdas come last, when the other arguments have told the types of their parameters. */
function isLambda(expr: Expr | undefined): boolean {
  return expr?.k === 'lambda';
}

function wrongArity(c: Inference, expr: ExprOf<'call'>, callee: FunctionType, name: string): Type {
  const expected = callee.parameters.length;
  const provided = expr.arguments.length;
  const shown = callee.parameters.map((parameter) => printType(parameter)).join(', ');
  const result = resolve(callee.result);
  let hint = `Its type is ${printType(callee)}: write ${name}(${shown}).`;
  if (provided < expected && provided > 0)
    hint += ' There is no partial application: write a lambda for the missing arguments.';
  if (provided > expected && result.k === 'function' && expected > 0)
    hint = `${name} returns a function: call it with one argument list after the other, ${name}(…)(…).`;
  c.reporter.error(
    'TC_ARITY_001',
    expr.start,
    `${name} expects ${expected} argument${expected === 1 ? '' : 's'}, ${provided} provided`,
    hint,
  );
  return provided < expected ? errorType : callee.result;
}
