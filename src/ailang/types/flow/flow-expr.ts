import type { Expr, ExprOf, Statement } from '../../syntax/ast.js';
import type { Type } from '../type.js';
import { allLabels, built, clean, type Flow, type FlowScope, flowOfType, join, partOf, withLabels } from './flow.js';
import { followCall, followLambda } from './flow-call.js';
import type { FlowChecker } from './flow-checker.js';
import { bindPattern } from './flow-pattern.js';

/** Follows the labels of the values an expression is made of; `readType` reads written types. */
export function follow(c: FlowChecker, expr: Expr, scope: FlowScope): Flow {
  c.step();
  const again = (part: Expr) => follow(c, part, scope);
  switch (expr.k) {
    case 'int':
    case 'float':
    case 'string':
    case 'bool':
    case 'unit':
      return clean;
    case 'name':
      return followName(c, expr, expr.name, scope);
    case 'interpolation':
      return mixed(expr.parts.flatMap((part) => (typeof part === 'string' ? [] : [again(part)])));
    case 'list':
    case 'array':
      return built([['*', join(...expr.items.map(again))]]);
    case 'tuple':
      return built(expr.items.map((item, index) => [String(index), again(item)] as const));
    case 'record':
      return built(expr.fields.map(({ name, value }) => [name.text, again(value)] as const));
    case 'update':
      return followUpdate(c, expr, scope);
    case 'lambda':
      return followDefinition(c, expr, scope);
    case 'call':
      return followCall(c, expr, again(expr.callee), expr.arguments.map(again));
    case 'field':
      if (c.facts.resolutions.has(expr)) return followName(c, expr, expr.name.text, scope);
      return followField(c, expr, again(expr.base));
    case 'binary': {
      const left = again(expr.left);
      const right = again(expr.right);
      if (expr.operator === '::') return join(built([['*', left]]), right);
      return expr.operator === '++' ? join(left, right) : mixed([left, right]);
    }
    case 'unary':
      return mixed([again(expr.value)]);
    case 'if':
      again(expr.condition);
      return join(again(expr.then), again(expr.otherwise));
    case 'let':
      return follow(c, expr.body, new Map([...scope, [expr.name.text, followLet(c, expr, scope)]]));
    case 'match': {
      const scrutinee = again(expr.scrutinee);
      const arms = expr.arms.map(({ pattern, guard, body }) => {
        const bindings = new Map(scope);
        bindPattern(c, pattern, scrutinee, bindings);
        if (guard !== null) follow(c, guard, bindings);
        return follow(c, body, bindings);
      });
      return join(...arms);
    }
    case 'block':
      return followBlock(c, expr.statements, scope);
    case 'forall':
    case 'assert':
      return mixed([again(expr.k === 'forall' ? expr.body : expr.condition)]);
  }
}

function followDefinition(c: FlowChecker, expr: ExprOf<'lambda'>, scope: FlowScope): Flow {
  const shape = { k: 'lambda', expr, scope } as const;
  if (!c.defined.has(expr)) {
    c.defined.add(expr);
    followLambda(c, shape, []);
  }
  return { labels: new Set(), shapes: [shape] };
}

/** A new value computed from others. */
export function mixed(flows: readonly Flow[]): Flow {
  return { labels: new Set(flows.flatMap((flow) => [...allLabels(flow)])), shapes: [] };
}

function followName(c: FlowChecker, expr: Expr, name: string, scope: FlowScope): Flow {
  const resolution = c.facts.resolutions.get(expr);
  if (resolution === undefined || resolution.k === 'local') return scope.get(name) ?? clean;
  const known = c.values.get(resolution);
  if (known !== undefined) return known;
  const flow = flowOfType(resolution.scheme.type);
  return { labels: flow.labels, shapes: [{ k: 'entry', entry: resolution }] };
}

/** A field, also through a one-constructor wrapper. */
function followField(c: FlowChecker, expr: ExprOf<'field'>, base: Flow): Flow {
  const { text } = expr.name;
  if (!c.facts.unwrapped.has(expr)) return partOf(base, text);
  const inner: Flow[] = [];
  for (const shape of base.shapes) {
    if (shape.k === 'built') inner.push(partOf({ labels: new Set(), shapes: [shape] }, '0'));
    if (shape.k !== 'typed' || shape.type.k !== 'named') continue;
    const field = shape.type.constructor.variants[0]?.fields[0];
    if (field !== undefined) inner.push(flowOfType(field));
  }
  return withLabels(partOf(join(...inner), text), base.labels);
}

function followUpdate(c: FlowChecker, expr: ExprOf<'update'>, scope: FlowScope): Flow {
  const base = follow(c, expr.base, scope);
  const values = expr.fields.map(({ name, value }) => [name.text, follow(c, value, scope)] as const);
  const changed = built(values);
  const kept = base.shapes.map((shape) => {
    if (shape.k !== 'built') return shape;
    return { ...shape, parts: new Map([...shape.parts].filter(([name]) => !values.some(([other]) => other === name))) };
  });
  return join({ labels: base.labels, shapes: kept }, changed);
}

function followLet(c: FlowChecker, binding: Extract<Statement, { k: 'let' }> | ExprOf<'let'>, scope: FlowScope): Flow {
  const flow = follow(c, binding.value, scope);
  const type = binding.type === null ? undefined : c.facts.written.get(binding.type);
  if (type === undefined) return flow;
  c.relabel(flow, type, binding.value.start, `the value of ${binding.name.text}`);
  return annotated(c, flow, type);
}

/** A value with a written type: in a function that changes labels, the type is what counts. */
export function annotated(c: FlowChecker, flow: Flow, type: Type): Flow {
  return c.declassifies ? flowOfType(type) : join(flow, flowOfType(type));
}

function followBlock(c: FlowChecker, statements: readonly Statement[], outer: FlowScope): Flow {
  const scope = new Map(outer);
  let last = clean;
  for (const statement of statements) {
    if (statement.k === 'expression') {
      last = follow(c, statement.value, scope);
      continue;
    }
    last = clean;
    scope.set(statement.name.text, followLet(c, statement, scope));
  }
  return last;
}
