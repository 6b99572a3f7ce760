import type { Core, CoreFunction, CorePattern, CoreProgram } from '../../../src/ailang/core/types.js';
import { refShow } from './reference-show.js';
import { bool, equal, int, RefFailure, type RefValue, string } from './reference-value.js';

type Environment = ReadonlyMap<string, () => RefValue>;
type Node<K extends Core['k']> = Extract<Core, { k: K }>;

const unit: RefValue = { k: 'unit' };
const itemsOf = (value: RefValue): readonly RefValue[] => ('items' in value ? value.items : []);
const list = (items: readonly RefValue[]): RefValue => ({ k: 'list', items });

/** Evaluates Core in the most direct way: an environment, recursion, no compilation. For programs without effects. */
export class ReferenceEvaluator {
  readonly #functions = new Map<string, CoreFunction>();

  constructor(program: CoreProgram) {
    for (const { path, functions } of program.modules)
      for (const fn of functions) this.#functions.set(`${path} ${fn.name}`, fn);
  }

  /** @throws RefFailure */
  call(module: string, name: string, args: readonly RefValue[]): RefValue {
    const fn = this.#functions.get(`${module} ${name}`);
    if (fn === undefined) throw new Error(`no function ${name}`);
    return this.#eval(fn.body, bindAll(new Map(), fn.parameters, args));
  }

  #eval(core: Core, env: Environment): RefValue {
    const value = (part: Core): RefValue => this.#eval(part, env);
    const values = (parts: readonly Core[]): RefValue[] => parts.map(value);
    switch (core.k) {
      case 'int':
        return int(core.value);
      case 'float':
        return { k: 'float', v: core.value };
      case 'string':
        return string(core.value);
      case 'bool':
        return bool(core.value);
      case 'unit':
        return unit;
      case 'local':
        return lookup(env, core.name);
      case 'global':
        return { k: 'function', apply: (args) => this.call(core.module, core.name, args) };
      case 'builtin':
        return { k: 'function', apply: (args) => builtin(core.name, args) };
      case 'constructor': {
        const { name } = core;
        if (core.arity === 0) return { k: 'data', name, args: [] };
        return { k: 'function', apply: (args) => ({ k: 'data', name, args }) };
      }
      case 'lambda':
        return { k: 'function', apply: (args) => this.#eval(core.body, bindAll(env, core.parameters, args)) };
      case 'call':
        return applied(value(core.callee), values(core.args));
      case 'let': {
        const bound = value(core.value);
        return this.#eval(
          core.body,
          new Map(env).set(core.name, () => bound),
        );
      }
      case 'letrec': {
        const inner = new Map(env);
        for (const binding of core.bindings) inner.set(binding.name, () => this.#eval(binding.value, inner));
        return this.#eval(core.body, inner);
      }
      case 'sequence':
        value(core.first);
        return value(core.rest);
      case 'if':
        return value(isTrue(value(core.condition)) ? core.then : core.otherwise);
      case 'match':
        return this.#match(core, env);
      case 'list':
      case 'tuple':
      case 'array':
        return { k: core.k, items: values(core.items) };
      case 'record':
        return { k: 'record', fields: new Map(core.fields.map((field) => [field.name, value(field.value)])) };
      case 'update': {
        const base = value(core.base);
        if (base.k !== 'record') throw new Error('update of no record');
        return { k: 'record', fields: new Map([...base.fields, ...this.#fields(core, env)]) };
      }
      case 'field': {
        const base = value(core.base);
        if (base.k !== 'record') throw new Error('field of no record');
        return base.fields.get(core.name) as RefValue;
      }
      case 'binary':
        return this.#binary(core, env);
      case 'unary': {
        const operand = value(core.value);
        if (operand.k === 'bool') return bool(!operand.v);
        if (operand.k === 'float') return { k: 'float', v: -operand.v };
        if (operand.k === 'int') return int(core.operator === '~' ? ~operand.v : -operand.v);
        throw new Error('unary of something else');
      }
      case 'interpolate':
        return string(core.parts.map((part) => (typeof part === 'string' ? part : refShow(value(part)))).join(''));
      case 'assert':
        throw new Error('assert outside a test');
    }
  }

  #fields(core: Node<'update'>, env: Environment): [string, RefValue][] {
    return core.fields.map((field) => [field.name, this.#eval(field.value, env)]);
  }

  #match(core: Node<'match'>, env: Environment): RefValue {
    const subject = this.#eval(core.scrutinee, env);
    for (const { pattern, guard, body } of core.arms) {
      const bound = new Map<string, RefValue>();
      if (!matches(pattern, subject, bound)) continue;
      const inner = new Map(env);
      for (const [name, value] of bound) inner.set(name, () => value);
      if (guard === null || isTrue(this.#eval(guard, inner))) return this.#eval(body, inner);
    }
    throw new RefFailure('RT002');
  }

  #binary(core: Node<'binary'>, env: Environment): RefValue {
    const left = this.#eval(core.left, env);
    if (core.operator === '&&') return isTrue(left) ? this.#eval(core.right, env) : left;
    if (core.operator === '||') return isTrue(left) ? left : this.#eval(core.right, env);
    return operation(core.operator, left, this.#eval(core.right, env));
  }
}

function bindAll(env: Environment, names: readonly string[], values: readonly RefValue[]): Environment {
  const inner = new Map(env);
  for (const [index, name] of names.entries()) inner.set(name, () => values[index] ?? unit);
  return inner;
}

function lookup(env: Environment, name: string): RefValue {
  const found = env.get(name);
  if (found === undefined) throw new Error(`unbound ${name}`);
  return found();
}

function applied(callee: RefValue, args: readonly RefValue[]): RefValue {
  if (callee.k !== 'function') throw new Error('call of no function');
  return callee.apply(args);
}

const isTrue = (value: RefValue): boolean => value.k === 'bool' && value.v;

function operation(operator: string, a: RefValue, b: RefValue): RefValue {
  if (operator === '::') return list([a, ...itemsOf(b)]);
  if (operator === '++') return list([...itemsOf(a), ...itemsOf(b)]);
  if (operator === '==') return bool(equal(a, b));
  if (operator === '!=') return bool(!equal(a, b));
  if (a.k === 'int' && b.k === 'int') return onInts(operator, a.v, b.v);
  if (a.k === 'float' && b.k === 'float') return onFloats(operator, a.v, b.v);
  if (a.k === 'string' && b.k === 'string')
    return compared(operator, Buffer.compare(Buffer.from(a.v), Buffer.from(b.v)));
  throw new Error(`${operator} of ${a.k} and ${b.k}`);
}

function onInts(operator: string, a: bigint, b: bigint): RefValue {
  switch (operator) {
    case '+':
      return int(a + b);
    case '-':
      return int(a - b);
    case '*':
      return int(a * b);
    case '/':
    case '%':
      if (b === 0n) throw new RefFailure('RT001');
      return int(operator === '/' ? a / b : a % b);
    case '&':
      return int(a & b);
    case '^':
      return int(a ^ b);
    case '<<':
      return int(b > 63n ? 0n : a << b);
    case '>>':
      return int(b > 63n ? (a < 0n ? -1n : 0n) : a >> b);
    default:
      return compared(operator, a < b ? -1 : a > b ? 1 : 0);
  }
}

function onFloats(operator: string, a: number, b: number): RefValue {
  const float = (v: number): RefValue => ({ k: 'float', v });
  switch (operator) {
    case '+':
      return float(a + b);
    case '-':
      return float(a - b);
    case '*':
      return float(a * b);
    case '/':
      return float(a / b);
    case '%':
      return float(a % b);
    case '<':
      return bool(a < b);
    case '<=':
      return bool(a <= b);
    case '>':
      return bool(a > b);
    default:
      return bool(a >= b);
  }
}

function compared(operator: string, order: number): RefValue {
  if (operator === '<') return bool(order < 0);
  if (operator === '<=') return bool(order <= 0);
  return bool(operator === '>' ? order > 0 : order >= 0);
}

function matches(pattern: CorePattern, value: RefValue, bound: Map<string, RefValue>): boolean {
  const all = (patterns: readonly CorePattern[], values: readonly RefValue[]): boolean =>
    patterns.every((part, index) => matches(part, values[index] as RefValue, bound));
  switch (pattern.k) {
    case 'wildcard':
      return true;
    case 'bind':
      bound.set(pattern.name, value);
      return true;
    case 'literal': {
      const { value: wanted } = pattern;
      if (wanted.k === 'unit') return true;
      return 'v' in value && value.v === wanted.value;
    }
    case 'constructor':
      return value.k === 'data' && value.name === pattern.name && all(pattern.args, value.args);
    case 'cons': {
      const [head, ...tail] = itemsOf(value);
      return head !== undefined && matches(pattern.head, head, bound) && matches(pattern.tail, list(tail), bound);
    }
    case 'list': {
      const items = itemsOf(value);
      const { length } = pattern.items;
      if (pattern.rest === null ? items.length !== length : items.length < length) return false;
      if (!all(pattern.items, items)) return false;
      return pattern.rest === null || matches(pattern.rest, list(items.slice(length)), bound);
    }
    case 'tuple':
      return all(pattern.items, itemsOf(value));
    case 'record':
      return pattern.fields.every(
        (field) => value.k === 'record' && matches(field.pattern, value.fields.get(field.name) as RefValue, bound),
      );
  }
}

/** The few primitives that generated programs call. */
function builtin(name: string, args: readonly RefValue[]): RefValue {
  const [first = unit, second = unit, third = unit] = args;
  switch (name) {
    case 'show':
      return string(refShow(first));
    case '_list_map':
      return list(itemsOf(second).map((item) => applied(first, [item])));
    case '_list_filter':
      return list(itemsOf(second).filter((item) => isTrue(applied(first, [item]))));
    case '_list_foldl':
      return itemsOf(third).reduce((acc, item) => applied(first, [acc, item]), second);
    case '_list_foldr':
      return itemsOf(third).reduceRight((acc, item) => applied(first, [item, acc]), second);
    case '_list_length':
      return int(BigInt(itemsOf(first).length));
    case '_list_reverse':
      return list([...itemsOf(first)].reverse());
    default:
      throw new Error(`the reference evaluator has no ${name}`);
  }
}
