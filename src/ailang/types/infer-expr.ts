import { reportLambdaEffects } from '../effects/declared.js';
import { freshEffectVariable } from '../effects/row.js';
import type { Expr, ExprOf, Statement } from '../syntax/ast.js';
import { TypeVariables } from './convert.js';
import { inferCall } from './infer-call.js';
import { inferMatch } from './infer-match.js';
import { inferName } from './infer-name.js';
import { inferBinary, inferUnary } from './infer-operator.js';
import { inferField, inferRecord, inferUpdate } from './infer-record.js';
import { type Inference, joinUses } from './inference.js';
import { describeMismatch } from './mismatch.js';
import { generalize, monomorphic } from './scheme.js';
import {
  arrayOf,
  boolType,
  floatType,
  intType,
  listItem,
  listOf,
  resolve,
  type Scheme,
  stringType,
  type Type,
  unitType,
} from './type.js';
import { differs } from './unify.js';

/**
 * The type of an expression. `expected` is a hint that lets lambdas know their parameters early; the caller still fits
 * the result.
 */
export function infer(c: Inference, expr: Expr, expected: Type | null = null): Type {
  const type = inferNode(c, expr, expected);
  c.facts.nodes?.set(expr, type);
  return type;
}

function inferNode(c: Inference, expr: Expr, expected: Type | null): Type {
  switch (expr.k) {
    case 'int': {
      const type = c.number(true);
      c.facts.types.set(expr, type);
      return type;
    }
    case 'float':
      return floatType;
    case 'string':
      return stringType;
    case 'bool':
      return boolType;
    case 'unit':
      return unitType;
    case 'name':
      return inferName(c, expr);
    case 'interpolation':
      for (const part of expr.parts) if (typeof part !== 'string') infer(c, part);
      return stringType;
    case 'list':
      return listOf(inferItems(c, expr.items, expected === null ? null : listItem(expected), 'list'));
    case 'array':
      return arrayOf(inferItems(c, expr.items, null, 'array'));
    case 'tuple': {
      const hint = expected === null ? null : resolve(expected);
      const items = expr.items.map((item, index) =>
        infer(c, item, hint?.k === 'tuple' ? (hint.items[index] ?? null) : null),
      );
      return { k: 'tuple', items };
    }
    case 'record':
      return inferRecord(c, expr, expected);
    case 'update':
      return inferUpdate(c, expr);
    case 'lambda':
      return inferLambda(c, expr, expected);
    case 'call':
      return inferCall(c, expr);
    case 'field':
      return inferField(c, expr);
    case 'binary':
      return inferBinary(c, expr);
    case 'unary':
      return inferUnary(c, expr);
    case 'if':
      return inferIf(c, expr, expected);
    case 'let': {
      const scheme = inferLet(c, expr);
      return c.withLocals([[expr.name.text, scheme]], () => infer(c, expr.body, expected));
    }
    case 'match':
      return inferMatch(c, expr, expected);
    case 'block':
      return inferBlock(c, expr.statements, expected);
    case 'forall': {
      for (const bound of [expr.low, expr.high]) c.fit(infer(c, bound), intType, bound.start, 'in a bound of forall');
      c.withTypes([[expr.name.text, intType]], () => expectBool(c, expr.body, 'in the body of forall'));
      return boolType;
    }
    case 'assert':
      expectBool(c, expr.condition, 'in an assert');
      return boolType;
  }
}

/** Infers and fits. */
export function check(c: Inference, expr: Expr, expected: Type, where: string): void {
  c.fit(infer(c, expr, expected), expected, expr.start, where);
}

export function expectBool(c: Inference, expr: Expr, where: string): void {
  c.fit(infer(c, expr), boolType, expr.start, where, 'A condition is a bool: compare, as in x != 0 or length(xs) > 0.');
}

function inferItems(c: Inference, items: readonly Expr[], hint: Type | null, what: string): Type {
  const type = hint ?? c.fresh();
  const item = hint === null ? type : c.fresh();
  for (const [index, value] of items.entries()) {
    const mixed = `All items of ${what === 'array' ? 'an array' : 'a list'} have one type; for several, declare a type with constructors.`;
    const found = infer(c, value, hint ?? item);
    const mismatch = c.unifier.subsume(found, item);
    if (mismatch === null) continue;
    const conversion = describeMismatch(mismatch, found, item, '').suggestion;
    const advice = mismatch.k === 'different' ? `${conversion} ${mixed}` : undefined;
    const first = items[0];
    const from = first === undefined || index === 0 ? null : { what: 'the first item', start: first.start };
    c.fit(found, item, value.start, `in item ${index + 1} of the ${what}`, advice, from);
    for (const other of items.slice(index + 1)) infer(c, other);
    break;
  }
  return item;
}

function inferIf(c: Inference, expr: ExprOf<'if'>, expected: Type | null): Type {
  expectBool(c, expr.condition, 'in the condition of an if');
  const then = infer(c, expr.then, expected);
  const otherwise = infer(c, expr.otherwise, expected ?? then);
  const thenStart = lastExpr(expr.then).start;
  const elseStart = lastExpr(expr.otherwise).start;
  // When only the else branch gives what is wanted, the then branch is the one to correct.
  if (expected !== null && differs(then, expected) && differs(then, otherwise) && !differs(otherwise, expected)) {
    const where = 'in the then branch, which must have the type of the else branch';
    c.fit(then, otherwise, thenStart, where, undefined, { what: 'the else branch', start: elseStart });
    return otherwise;
  }
  const where = 'in the else branch, which must have the type of the then branch';
  c.fit(otherwise, then, elseStart, where, undefined, { what: 'the then branch', start: thenStart });
  return then;
}

/** The expression whose value a block has: where a mismatch is best shown. */
export function lastExpr(expr: Expr): Expr {
  if (expr.k !== 'block') return expr;
  const last = expr.statements.at(-1);
  return last?.k === 'expression' ? lastExpr(last.value) : expr;
}

export function inferLambda(c: Inference, expr: ExprOf<'lambda'>, expected: Type | null): Type {
  const hint = expected === null ? null : resolve(expected);
  const outer = c.variables;
  c.variables = new TypeVariables('flexible', c.unifier.level, outer);
  const parameters = expr.parameters.map((parameter, index) => {
    const type = parameter.type === null ? c.fresh() : c.read(parameter.type);
    const known =
      hint?.k === 'function' && hint.parameters.length === expr.parameters.length ? hint.parameters[index] : undefined;
    if (known !== undefined && parameter.type === null) c.unifier.unify(type, known);
    c.facts.nodes?.set(parameter.name, type);
    return [parameter.name.text, type] as const;
  });
  const declared = expr.result === null ? null : c.read(expr.result);
  const [body, uses] = c.collectEffects(() =>
    c.withTypes(parameters, () => infer(c, expr.body, declared ?? (hint?.k === 'function' ? hint.result : null))),
  );
  if (declared !== null && expr.result !== null) {
    const from = { what: 'its result type', start: expr.result.start };
    c.fit(body, declared, lastExpr(expr.body).start, 'in the result of this function', undefined, from);
  }
  const used = joinUses(uses);
  let effects = { labels: used.labels, variables: [...used.variables, freshEffectVariable(c.unifier.level)] };
  if (expr.effects !== null) {
    const written = c.reader.row(expr.effects, c.variables);
    reportLambdaEffects(c, written, uses);
    effects = { labels: written.labels, variables: [...written.variables, freshEffectVariable(c.unifier.level)] };
  }
  c.variables = outer;
  c.facts.types.set(expr, unitParameter(parameters.map(([, type]) => type)));
  return { k: 'function', parameters: parameters.map(([, type]) => type), result: declared ?? body, effects };
}

/** The parameter types packed as one type, for elaboration. */
function unitParameter(parameters: readonly Type[]): Type {
  return { k: 'tuple', items: parameters };
}

type LetLike = Pick<ExprOf<'let'>, 'recursive' | 'name' | 'type' | 'value'>;

/** The scheme of a let or letrec; only syntactic values are generalised. */
export function inferLet(c: Inference, binding: LetLike): Scheme {
  const scheme = inferBinding(c, binding);
  c.facts.nodes?.set(binding.name, scheme.type);
  return scheme;
}

function inferBinding(c: Inference, binding: LetLike): Scheme {
  const group = binding.recursive ? inferLetrec(c, [binding]).get(binding.name.text) : undefined;
  if (group !== undefined) return group;
  const type = c.deeper(() => {
    const declared = binding.type === null ? null : c.read(binding.type);
    c.defining.push(binding.name.text);
    const found = infer(c, binding.value, declared);
    c.defining.pop();
    if (declared === null) return found;
    const from = binding.type === null ? null : { what: 'its annotation', start: binding.type.start };
    c.fit(found, declared, lastExpr(binding.value).start, `in let ${binding.name.text}`, undefined, from);
    return declared;
  });
  if (isValue(binding.value)) return generalize(type, c.unifier);
  lowerLevels(c, type);
  return monomorphic(type);
}

/** A group of letrec bindings that see each other. */
export function inferLetrec(c: Inference, bindings: readonly LetLike[]): Map<string, Scheme> {
  const types = c.deeper(() => {
    const declared = bindings.map((binding) => (binding.type === null ? c.fresh() : c.read(binding.type)));
    c.withTypes(
      bindings.map((binding, index) => [binding.name.text, declared[index] as Type] as const),
      () => {
        for (const [index, binding] of bindings.entries()) {
          const type = declared[index] as Type;
          c.facts.nodes?.set(binding.name, type);
          const found = infer(c, binding.value, type);
          c.fit(found, type, binding.value.start, `in letrec ${binding.name.text}`);
        }
      },
    );
    return declared;
  });
  const values = bindings.every((binding) => isValue(binding.value));
  const schemes = types.map((type) => {
    if (values) return generalize(type, c.unifier);
    lowerLevels(c, type);
    return monomorphic(type);
  });
  return new Map(bindings.map((binding, index) => [binding.name.text, schemes[index] as Scheme]));
}

/** What is not generalised belongs to the enclosing level. */
function lowerLevels(c: Inference, type: Type): void {
  const holder = c.fresh();
  c.unifier.unify(holder, type);
}

export function inferBlock(c: Inference, statements: readonly Statement[], expected: Type | null): Type {
  const bound: [string, Scheme | undefined][] = [];
  let type: Type = unitType;
  for (let index = 0; index < statements.length; index++) {
    const statement = statements[index] as Statement;
    const last = index === statements.length - 1;
    if (statement.k === 'expression') {
      type = infer(c, statement.value, last ? expected : null);
      continue;
    }
    type = unitType;
    const group = [statement];
    while (statement.recursive && statements[index + 1]?.k === 'let') {
      const next = statements[index + 1];
      if (next?.k !== 'let' || !next.recursive) break;
      group.push(next);
      index++;
    }
    const schemes = statement.recursive
      ? inferLetrec(c, group)
      : new Map([[statement.name.text, inferLet(c, statement)]]);
    for (const [name, scheme] of schemes) {
      bound.push([name, c.locals.get(name)]);
      c.locals.set(name, scheme);
    }
  }
  for (const [name, scheme] of bound.reverse()) {
    if (scheme === undefined) c.locals.delete(name);
    else c.locals.set(name, scheme);
  }
  return type;
}

/** Literals, lambdas, names and what is built of them without a call. */
function isValue(expr: Expr): boolean {
  switch (expr.k) {
    case 'int':
    case 'float':
    case 'string':
    case 'bool':
    case 'unit':
    case 'name':
    case 'lambda':
      return true;
    case 'list':
    case 'array':
    case 'tuple':
      return expr.items.every(isValue);
    case 'record':
      return expr.fields.every((field) => isValue(field.value));
    case 'unary':
      return isValue(expr.value);
    case 'call':
      return expr.callee.k === 'name' && /^\p{Lu}/u.test(expr.callee.name) && expr.arguments.every(isValue);
    default:
      return false;
  }
}
