import { openRow } from '../effects/row.js';
import type { Expr, ExprOf } from '../syntax/ast.js';
import { infer } from './infer-expr.js';
import { inferName } from './infer-name.js';
import { inferField } from './infer-record.js';
import type { Inference, Origin } from './inference.js';
import { printType } from './print.js';
import { errorType, type FunctionType, resolve, type Type, unitType } from './type.js';

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
  for (const index of order) {
    const argument = args[index] as Expr;
    const parameter = callee.parameters[index] as Type;
    const where = `in argument ${index + 1} of ${name}`;
    const from = parameterOrigin(c, expr.callee, index);
    c.fit(infer(c, argument, parameter), parameter, argument.start, where, undefined, from);
  }
  return callee.result;
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
