import type { Core, CoreArm, CorePattern, Operand } from '../core/types.js';
import type { Expr, ExprOf, Statement } from '../syntax/ast.js';
import type { Source } from '../syntax/source.js';
import type { Facts, Resolution } from '../types/inference.js';
import { isNamed, resolve, type Type, unitType } from '../types/type.js';
import { elaboratePattern } from './elaborate-pattern.js';

/** What elaboration of one module reads and notes. */
export interface Elaboration {
  readonly facts: Facts;
  readonly source: Source;
  /** Modules the code refers to. */
  readonly referenced: Set<string>;
}

/** Core of a checked expression. */
export function elaborate(c: Elaboration, expr: Expr): Core {
  switch (expr.k) {
    case 'int': {
      const type = c.facts.types.get(expr);
      if (type !== undefined && isNamed(type, 'float')) return { k: 'float', value: Number(expr.value) };
      return { k: 'int', value: expr.value };
    }
    case 'float':
      return { k: 'float', value: expr.value };
    case 'string':
      return { k: 'string', value: expr.value };
    case 'bool':
      return { k: 'bool', value: expr.value };
    case 'unit':
      return { k: 'unit' };
    case 'name':
      return elaborateName(c, expr.name, c.facts.resolutions.get(expr));
    case 'interpolation':
      return {
        k: 'interpolate',
        parts: expr.parts.map((part) => (typeof part === 'string' ? part : elaborate(c, part))),
      };
    case 'list':
    case 'array':
    case 'tuple':
      return { k: expr.k, items: expr.items.map((item) => elaborate(c, item)) };
    case 'record':
      return { k: 'record', fields: elaborateFields(c, expr) };
    case 'update':
      return elaborateUpdate(c, expr);
    case 'lambda':
      return elaborateLambda(c, expr);
    case 'call':
      return elaborateCall(c, expr);
    case 'field': {
      const resolution = c.facts.resolutions.get(expr);
      if (resolution !== undefined) return elaborateName(c, expr.name.text, resolution);
      return {
        k: 'field',
        base: elaborate(c, expr.base),
        name: expr.name.text,
        unwrap: c.facts.unwrapped.has(expr),
        position: c.source.position(expr.name.start),
      };
    }
    case 'binary':
      return elaborateBinary(c, expr);
    case 'unary':
      return {
        k: 'unary',
        operator: expr.operator,
        operand: expr.operator === '!' ? 'bool' : operandOf(c.facts.types.get(expr)),
        value: elaborate(c, expr.value),
      };
    case 'if':
      return {
        k: 'if',
        condition: elaborate(c, expr.condition),
        then: elaborate(c, expr.then),
        otherwise: elaborate(c, expr.otherwise),
      };
    case 'let':
      return elaborateStatements(c, [{ ...expr, k: 'let' }], elaborate(c, expr.body));
    case 'match':
      return {
        k: 'match',
        scrutinee: elaborate(c, expr.scrutinee),
        arms: expr.arms.map(
          (arm): CoreArm => ({
            pattern: elaboratePattern(c, arm.pattern),
            guard: arm.guard === null ? null : elaborate(c, arm.guard),
            body: elaborate(c, arm.body),
          }),
        ),
        position: c.source.position(expr.start),
      };
    case 'block':
      return elaborateBlock(c, expr.statements);
    case 'forall':
      return elaborateForall(c, expr);
    case 'assert':
      return {
        k: 'assert',
        condition: elaborate(c, expr.condition),
        message: expr.message,
        position: c.source.position(expr.start),
      };
  }
}

function elaborateName(c: Elaboration, name: string, resolution: Resolution | undefined): Core {
  if (resolution === undefined || resolution.k === 'local') return { k: 'local', name };
  switch (resolution.k) {
    case 'global':
      c.referenced.add(resolution.module);
      return { k: 'global', module: resolution.module, name: resolution.name };
    case 'builtin':
      return { k: 'builtin', name: resolution.name };
    case 'constructor': {
      const { variant } = resolution;
      return { k: 'constructor', type: variant.type.name, name: variant.name, arity: variant.fields.length };
    }
  }
}

function elaborateFields(c: Elaboration, expr: ExprOf<'record'> | ExprOf<'update'>) {
  return expr.fields.map(({ name, value }) => ({ name: name.text, value: elaborate(c, value) }));
}

/** An update through a wrapper takes the record out and puts the new one in. */
function elaborateUpdate(c: Elaboration, expr: ExprOf<'update'>): Core {
  const base = elaborate(c, expr.base);
  const fields = elaborateFields(c, expr);
  const wrapper = c.facts.wrappers.get(expr);
  const variant = wrapper?.variants[0];
  if (wrapper === undefined || variant === undefined) return { k: 'update', base, fields };
  const position = c.source.position(expr.start);
  const record: Core = { k: 'update', base: { k: 'local', name: '$record' }, fields };
  const type = wrapper.name;
  const wrap: Core = { k: 'constructor', type, name: variant.name, arity: 1 };
  const body: Core = { k: 'call', callee: wrap, args: [record], position };
  const pattern: CorePattern = { k: 'constructor', type, name: variant.name, args: [{ k: 'bind', name: '$record' }] };
  return { k: 'match', scrutinee: base, arms: [{ pattern, guard: null, body }], position };
}

/** A lambda whose only parameter is unit becomes one with the hidden parameter, so that `f()` calls it. */
function elaborateLambda(c: Elaboration, expr: ExprOf<'lambda'>): Core {
  const body = elaborate(c, expr.body);
  const names = expr.parameters.map((parameter) => parameter.name.text);
  const packed = c.facts.types.get(expr);
  const only = packed?.k === 'tuple' && packed.items.length === 1 ? packed.items[0] : undefined;
  const [name] = names;
  if (only === undefined || name === undefined || resolve(only) !== unitType)
    return { k: 'lambda', parameters: names, body };
  return { k: 'lambda', parameters: [], body: { k: 'let', name, value: { k: 'unit' }, body } };
}

/** A unit argument for the hidden parameter is not passed on, but still evaluated. */
function elaborateCall(c: Elaboration, expr: ExprOf<'call'>): Core {
  const callee = elaborate(c, expr.callee);
  const position = c.source.position(expr.start);
  const args = expr.arguments.map((argument) => elaborate(c, argument));
  const type = c.facts.types.get(expr);
  const found = type === undefined ? null : resolve(type);
  const [only] = args;
  const hidden =
    found?.k === 'function' &&
    (found.parameters.length === 0 ||
      (found.parameters.length === 1 && resolve(found.parameters[0] ?? unitType) === unitType));
  if (!hidden || only === undefined) return { k: 'call', callee, args, position };
  const call: Core = { k: 'call', callee, args: [], position };
  return only.k === 'unit' ? call : { k: 'sequence', first: only, rest: call };
}

const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);

function elaborateBinary(c: Elaboration, expr: ExprOf<'binary'>): Core {
  const { operator } = expr;
  const type = c.facts.types.get(expr);
  let operand: Operand = 'dynamic';
  if (operator === '&&' || operator === '||') operand = 'bool';
  else if (['&', '^', '<<', '>>'].includes(operator)) operand = 'int';
  else if (comparisons.has(operator) || '+-*/%'.includes(operator)) operand = operandOf(type);
  return {
    k: 'binary',
    operator,
    operand,
    left: elaborate(c, expr.left),
    right: elaborate(c, expr.right),
    position: c.source.position(expr.operatorStart),
  };
}

function operandOf(type: Type | undefined): Operand {
  const found = type === undefined ? null : resolve(type);
  if (found?.k !== 'named' || found.constructor.module !== '') return 'dynamic';
  const { name } = found.constructor;
  return name === 'int' || name === 'float' || name === 'string' || name === 'bool' ? name : 'dynamic';
}

function elaborateBlock(c: Elaboration, statements: readonly Statement[]): Core {
  const last = statements.at(-1);
  if (last?.k !== 'expression') return elaborateStatements(c, statements, { k: 'unit' });
  return elaborateStatements(c, statements.slice(0, -1), elaborate(c, last.value));
}

/** Wraps the rest of a block in its statements, from the last to the first. */
function elaborateStatements(c: Elaboration, statements: readonly Statement[], rest: Core): Core {
  let core = rest;
  for (let index = statements.length - 1; index >= 0; index--) {
    const statement = statements[index] as Statement;
    if (statement.k === 'expression') {
      core = { k: 'sequence', first: elaborate(c, statement.value), rest: core };
      continue;
    }
    if (!statement.recursive) {
      core = { k: 'let', name: statement.name.text, value: elaborate(c, statement.value), body: core };
      continue;
    }
    const bindings = [{ name: statement.name.text, value: elaborate(c, statement.value) }];
    for (let before = statements[index - 1]; before?.k === 'let' && before.recursive; before = statements[index - 1]) {
      bindings.unshift({ name: before.name.text, value: elaborate(c, before.value) });
      index--;
    }
    core = { k: 'letrec', bindings, body: core };
  }
  return core;
}

/** `forall i: low..high => p` is a loop that stops at the first false. */
function elaborateForall(c: Elaboration, expr: ExprOf<'forall'>): Core {
  const position = c.source.position(expr.start);
  const loop: Core = { k: 'local', name: '$loop' };
  const high: Core = { k: 'local', name: '$high' };
  const index: Core = { k: 'local', name: expr.name.text };
  const next: Core = {
    k: 'binary',
    operator: '+',
    operand: 'int',
    left: index,
    right: { k: 'int', value: 1n },
    position,
  };
  const step: Core = {
    k: 'if',
    condition: { k: 'binary', operator: '>=', operand: 'int', left: index, right: high, position },
    then: { k: 'bool', value: true },
    otherwise: {
      k: 'if',
      condition: elaborate(c, expr.body),
      then: { k: 'call', callee: loop, args: [next], position },
      otherwise: { k: 'bool', value: false },
    },
  };
  const low: Core = { k: 'local', name: '$low' };
  return {
    k: 'let',
    name: '$low',
    value: elaborate(c, expr.low),
    body: {
      k: 'let',
      name: '$high',
      value: elaborate(c, expr.high),
      body: {
        k: 'letrec',
        bindings: [{ name: '$loop', value: { k: 'lambda', parameters: [expr.name.text], body: step } }],
        body: { k: 'call', callee: loop, args: [low], position },
      },
    },
  };
}
