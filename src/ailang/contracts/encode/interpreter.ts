import type { Core, CoreClause, CorePattern } from '../../core/types.js';
import type { Position } from '../../diagnostic.js';
import { callNative } from './natives.js';
import { binary, shown, unary } from './operators.js';
import type { ProgramFunction, ProgramIndex } from './program.js';
import { functionKey } from './program.js';
import { found, recordSort, type Sort, shapes, sortOf, unify, unknownSort } from './sort.js';
import {
  type Closure,
  data,
  Environment,
  emptyRecord,
  isClosure,
  merge,
  type Obligation,
  type Record,
  type Value,
} from './symbolic.js';
import * as t from './term.js';
import { TooLarge, Unsupported, unencodable } from './unsupported.js';

/** How calls of functions that reach themselves are taken. */
export interface RecursionPlan {
  /** The function whose contract is the hypothesis for its own smaller calls; null while unrolling. */
  readonly inducting: string | null;
  /** Functions proven to end and to keep their contracts: their calls are symbols with known properties. */
  readonly proven: ReadonlySet<string>;
  /** How deep everything else is unrolled. */
  readonly depth: number;
}

export interface SelfCall {
  readonly path: t.Term;
  readonly args: readonly t.Term[];
}

const maxSteps = 60_000;
const maxNesting = 400;

/** Evaluates Core over terms: every path at once, each failure an obligation. */
export class Interpreter {
  path: t.Term = t.truth;
  record: Record = emptyRecord();
  readonly selfCalls: SelfCall[] = [];
  /** Whether some call stands for more than its properties say. */
  abstract = false;
  /** Whether something proven of a callee is used. */
  relies = false;
  #steps = 0;
  #nesting = 0;
  #inClause = 0;
  #fuel = 2;
  readonly #depths = new Map<string, { readonly depth: number; readonly path: t.Term }>();
  readonly #unfolded = new Set<string>();
  readonly #values = new Map<string, Value>();

  constructor(
    readonly index: ProgramIndex,
    readonly plan: RecursionPlan,
  ) {}

  under<T>(condition: t.Term, run: () => T): T {
    const before = this.path;
    this.path = t.and(before, condition);
    try {
      return run();
    } finally {
      this.path = before;
    }
  }

  require(safe: t.Term): void {
    if (safe !== t.truth) this.#oblige({ path: this.path, safe });
  }

  #oblige(obligation: Obligation): void {
    this.record.obligations.push(obligation);
    this.record.alive = t.and(this.record.alive, t.implies(obligation.path, obligation.safe));
  }

  integer(value: t.Term): t.Term {
    if (value.node.k !== 'int')
      this.record.wraps.push({ path: t.and(this.path, this.record.alive), safe: inRange(value) });
    return value;
  }

  /** Leaves this path out: it goes deeper than the bound. */
  cut(sort: Sort = unknownSort()): t.Term {
    this.record.cuts.push(t.and(this.path, this.record.alive));
    return t.arbitrary(sort);
  }

  /** Items of a list, with the conditions that they exist; cuts what is longer than the depth. */
  items(list: t.Term): readonly { readonly item: t.Term; readonly exists: t.Term }[] {
    const known = t.elements(list);
    if (known !== null) return known.map((item) => ({ item, exists: t.truth }));
    const size = t.length(list);
    this.under(t.less(t.int(this.depth()), size), () => this.cut());
    return Array.from({ length: this.depth() }, (_, index) => ({
      item: t.nth(list, t.int(index)),
      exists: t.less(t.int(index), size),
    }));
  }

  depth(): number {
    if (this.plan.depth > 0) return this.plan.depth;
    throw new Unsupported(
      'RECURSIVE',
      'a loop over a list of any length cannot be proven by induction, and no depth is given',
      'Pass --verify-recursive-depth N, or write @verify(depth: N) above the function.',
    );
  }

  choose(condition: t.Term, then: () => Value, otherwise: () => Value): Value {
    if (condition.node.k === 'bool') return condition.node.value ? then() : otherwise();
    const first = this.under(condition, then);
    const negated = t.not(condition);
    return merge(condition, first, this.under(negated, otherwise), (path, run) => this.under(path, run), negated);
  }

  evaluate(core: Core, env: Environment, module: string): Value {
    if (++this.#steps > maxSteps || this.#nesting > maxNesting) throw new TooLarge('the inlined function is too large');
    this.#nesting++;
    try {
      return this.#evaluate(core, env, module);
    } finally {
      this.#nesting--;
    }
  }

  term(core: Core, env: Environment, module: string): t.Term {
    return data(this.evaluate(core, env, module));
  }

  #evaluate(core: Core, env: Environment, module: string): Value {
    const term = (part: Core): t.Term => this.term(part, env, module);
    switch (core.k) {
      case 'int':
        return t.int(core.value);
      case 'float':
        return t.float(core.value);
      case 'string':
        return t.string(core.value);
      case 'bool':
        return t.bool(core.value);
      case 'unit':
        return t.unit;
      case 'local':
        return env.get(core.name);
      case 'global':
        return this.#global(core.module, core.name);
      case 'builtin':
        return { k: 'closure', call: (args, position) => callNative(this, core.name, args, position, module) };
      case 'constructor':
        return this.makeConstructor(core, module);
      case 'lambda':
        return this.#lambda(core.parameters, core.body, env, module);
      case 'call':
        return this.#call(core, env, module);
      case 'let':
        return this.evaluate(core.body, env.with(core.name, this.evaluate(core.value, env, module)), module);
      case 'letrec':
        return this.#letrec(core, env, module);
      case 'sequence':
        this.evaluate(core.first, env, module);
        return this.evaluate(core.rest, env, module);
      case 'if':
        return this.choose(
          term(core.condition),
          () => this.evaluate(core.then, env, module),
          () => this.evaluate(core.otherwise, env, module),
        );
      case 'match':
        return this.#match(core, env, module);
      case 'list': {
        const empty = t.emptyList({ k: 'list', item: unknownSort() });
        return core.items.reduce((list, item) => t.append(list, t.single(term(item))), empty);
      }
      case 'tuple': {
        const items = core.items.map(term);
        return t.construct('tuple', items, { k: 'tuple', items: items.map(({ sort }) => sort) });
      }
      case 'array':
        throw unencodable('an array');
      case 'record':
        return record(core.fields.map(({ name, value }) => [name, term(value)] as const));
      case 'update': {
        const base = term(core.base);
        const changed = new Map(core.fields.map(({ name, value }) => [name, term(value)] as const));
        return record(recordFields(base).map((name) => [name, changed.get(name) ?? field(base, name)] as const));
      }
      case 'field': {
        const base = term(core.base);
        return field(core.unwrap ? unwrap(base, core.position) : base, core.name, core.position);
      }
      case 'binary':
        return this.#binary(core, env, module);
      case 'unary':
        return unary(this, core.operator, term(core.value));
      case 'interpolate': {
        const parts = core.parts.map((part) => (typeof part === 'string' ? t.string(part) : shown(term(part))));
        return parts.length === 0
          ? t.string('')
          : parts.reduce((left, right) => t.apply('str.++', [left, right], { k: 'string' }));
      }
      case 'assert':
        throw unencodable('assert', core.position);
    }
  }

  #binary(core: Extract<Core, { k: 'binary' }>, env: Environment, module: string): Value {
    const left = this.term(core.left, env, module);
    const right = (): t.Term => this.term(core.right, env, module);
    if (core.operator === '&&') return this.choose(left, right, () => t.falsity);
    if (core.operator === '||') return this.choose(left, () => t.truth, right);
    return binary(this, core.operator, left, right(), core.position);
  }

  /** A constructor as a module sees it: a value, or the function that makes one. */
  makeConstructor({ type, name, arity }: { type: string; name: string; arity: number }, module: string): Value {
    const declared = this.index.constructorType(module, type, name);
    if (declared === null) throw unencodable(`the constructor ${name}, which several types have,`);
    const make = (args: readonly Value[]): t.Term => {
      const sort: Sort = {
        k: 'adt',
        constructor: declared,
        arguments: Array.from({ length: declared.arity }, () => unknownSort()),
      };
      return t.construct(
        name,
        args.map((arg) => data(arg)),
        sort,
      );
    };
    return arity === 0 ? make([]) : { k: 'closure', call: make };
  }

  #lambda(parameters: readonly string[], body: Core, env: Environment, module: string): Closure {
    return {
      k: 'closure',
      call: (args) => {
        const inner = parameters.reduce((scope, name, index) => scope.with(name, args[index] ?? t.unit), env);
        return this.evaluate(body, inner, module);
      },
    };
  }

  #call(core: Extract<Core, { k: 'call' }>, env: Environment, module: string): Value {
    const callee = this.evaluate(core.callee, env, module);
    const args = core.args.map((arg) => this.evaluate(arg, env, module));
    if (!isClosure(callee)) throw unencodable('a call of a value that is no function', core.position);
    return callee.call(args, core.position);
  }

  #letrec(core: Extract<Core, { k: 'letrec' }>, env: Environment, module: string): Value {
    const quantified = this.#forall(core, env, module);
    if (quantified !== null) return quantified;
    let scope = env;
    for (const { name, value } of core.bindings) {
      if (value.k !== 'lambda') throw unencodable(`the recursive value ${name}`);
      const key = `${module}#letrec#${name}#${this.#steps}`;
      const call: Closure['call'] = (args) =>
        this.#unrolled(key, () => this.#lambda(value.parameters, value.body, scope, module).call(args, nowhere));
      scope = scope.with(name, { k: 'closure', call });
    }
    return this.evaluate(core.body, scope, module);
  }

  /** The loop that `forall i: low..high => p` became is read back as a quantifier; a short range is written out. */
  #forall(core: Extract<Core, { k: 'letrec' }>, env: Environment, module: string): Value | null {
    const [loop] = core.bindings;
    if (loop?.name !== '$loop' || loop.value.k !== 'lambda' || loop.value.body.k !== 'if') return null;
    const { otherwise: step } = loop.value.body;
    const name = loop.value.parameters[0] ?? '';
    if (step.k !== 'if') return null;
    const low = data(env.get('$low'));
    const high = data(env.get('$high'));
    const holds = (index: t.Term): t.Term => this.term(step.condition, env.with(name, index), module);
    if (low.node.k === 'int' && high.node.k === 'int' && high.node.value - low.node.value <= 24n) {
      const indices: bigint[] = [];
      for (let at = low.node.value; at < high.node.value; at++) indices.push(at);
      const from = (position: number): Value => {
        const at = indices[position];
        return at === undefined
          ? t.truth
          : this.choose(
              holds(t.int(at)),
              () => from(position + 1),
              () => t.falsity,
            );
      };
      return from(0);
    }
    const index = t.variable(name);
    const inside = t.and(t.atMost(low, index), t.less(index, high));
    const outer = this.record;
    this.record = emptyRecord(outer.alive);
    const body = this.under(inside, () => holds(index));
    const inner = this.record;
    this.record = outer;
    const every = (path: t.Term, fact: t.Term): t.Term => t.forall([index], t.implies(path, fact));
    for (const { path, safe } of inner.obligations) this.#oblige({ path: this.path, safe: every(path, safe) });
    for (const fact of inner.facts) outer.facts.push(every(inside, fact));
    for (const fact of inner.hypotheses) outer.hypotheses.push(every(inside, fact));
    for (const cut of inner.cuts) outer.facts.push(every(inside, t.not(cut)));
    if (inner.cuts.length > 0) outer.cuts.push(t.falsity);
    for (const { path, safe } of inner.wraps) outer.wraps.push({ path: this.path, safe: every(path, safe) });
    return every(inside, body);
  }

  #match(core: Extract<Core, { k: 'match' }>, env: Environment, module: string): Value {
    const scrutinee = this.evaluate(core.scrutinee, env, module);
    const arm = (index: number): Value => {
      const at = core.arms[index];
      if (at === undefined) {
        this.require(t.falsity);
        return t.arbitrary();
      }
      const { condition, scope } = this.#pattern(at.pattern, scrutinee, env, module);
      if (condition === t.falsity) return arm(index + 1);
      const taken = (): Value => this.evaluate(at.body, scope, module);
      const { guard } = at;
      const matched =
        guard === null ? taken : () => this.choose(this.term(guard, scope, module), taken, () => arm(index + 1));
      return this.choose(condition, matched, () => arm(index + 1));
    };
    return arm(0);
  }

  #pattern(
    pattern: CorePattern,
    value: Value,
    env: Environment,
    module: string,
  ): { readonly condition: t.Term; readonly scope: Environment } {
    if (pattern.k === 'wildcard') return { condition: t.truth, scope: env };
    if (pattern.k === 'bind') return { condition: t.truth, scope: env.with(pattern.name, value) };
    const of = data(value);
    const all = (first: t.Term, parts: readonly (readonly [CorePattern, () => t.Term])[]) => {
      let condition = first;
      let scope = env;
      for (const [part, get] of parts) {
        if (condition === t.falsity) break;
        if (part.k === 'wildcard') continue;
        const inner = this.#pattern(part, get(), scope, module);
        condition = t.and(condition, inner.condition);
        scope = inner.scope;
      }
      return { condition, scope };
    };
    switch (pattern.k) {
      case 'literal': {
        const literal = this.term(pattern.value, env, module);
        const same = literal.node.k === 'float' ? t.apply('fp.eq', [of, literal], { k: 'bool' }) : t.equal(of, literal);
        return { condition: same, scope: env };
      }
      case 'constructor': {
        if (found(of.sort).k === 'var') {
          const declared = this.index.constructorType(module, pattern.type, pattern.name);
          if (declared === null) throw unencodable(`the pattern ${pattern.name}`);
          const parameters = Array.from({ length: declared.arity }, () => unknownSort());
          unify(of.sort, { k: 'adt', constructor: declared, arguments: parameters });
        }
        return all(
          t.is(pattern.name, of),
          pattern.args.map((part, index) => [part, () => t.select(pattern.name, index, of)] as const),
        );
      }
      case 'tuple':
        return all(
          t.truth,
          pattern.items.map((part, index) => [part, () => t.select('tuple', index, of)] as const),
        );
      case 'record':
        return all(
          t.truth,
          pattern.fields.map(({ name, pattern: part }) => [part, () => field(of, name)] as const),
        );
      case 'cons':
        return all(t.less(t.int(0), t.length(of)), [
          [pattern.head, () => t.nth(of, t.int(0))],
          [pattern.tail, () => t.rest(of, t.int(1))],
        ]);
      case 'list': {
        const size = t.int(pattern.items.length);
        const parts = pattern.items.map((part, index) => [part, () => t.nth(of, t.int(index))] as const);
        t.itemSort(of);
        if (pattern.rest === null) return all(t.equal(t.length(of), size), parts);
        return all(t.atMost(size, t.length(of)), [...parts, [pattern.rest, () => t.rest(of, size)]]);
      }
    }
  }

  #global(module: string, name: string): Value {
    const key = functionKey(module, name);
    const fn = this.index.functions.get(key);
    if (fn !== undefined) return { k: 'closure', call: (args, position) => this.#callFunction(fn, args, position) };
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const core = this.index.value(module, name);
    if (core === null) throw unencodable(`${name}`);
    const value = this.evaluate(core, Environment.empty, module);
    this.#values.set(key, value);
    return value;
  }

  #callFunction(fn: ProgramFunction, args: readonly Value[], position: Position): Value {
    const { key } = fn;
    if (this.index.cycle(key).size === 0) return this.inline(fn, args);
    const terms = args.filter((arg): arg is t.Term => !isClosure(arg));
    const symbolic = terms.length === args.length && (this.plan.proven.has(key) || this.plan.inducting === key);
    if (symbolic && !this.#constant(terms)) return this.#standing(fn, terms, position);
    return this.#unrolled(key, () => this.inline(fn, args), resultSort(fn));
  }

  /** Calls on written values are followed to the end. */
  #constant(args: readonly t.Term[]): boolean {
    return args.length > 0 && args.every(isWritten);
  }

  /** A call that stands for its result: what is known is the contract, and the body a few levels down. */
  #standing(fn: ProgramFunction, args: readonly t.Term[], position: Position): t.Term {
    const { key } = fn;
    const variables = new Map();
    const parameters = fn.type.parameters.map((type) => sortOf(type, variables));
    for (const [index, arg] of args.entries()) unify(arg.sort, parameters[index] ?? arg.sort);
    const result = t.declared(key, args, sortOf(fn.type.result, variables));
    this.abstract = true;
    this.relies = true;
    const self = this.plan.inducting === key && !this.plan.proven.has(key);
    if (self && this.#inClause > 0) {
      throw new Unsupported(
        'RECURSIVE',
        `a contract that calls ${fn.core.name} itself`,
        'State the property without the function.',
        position,
      );
    }
    if (self) this.selfCalls.push({ path: this.path, args });
    const env = scopeOf(fn, args);
    const call = `${key}(${args.map(({ id }) => id).join()})@${this.path.id}`;
    // Outside its requires nothing is known of a function: a fact there could hide the violation.
    const required = this.#required(fn, env);
    if (this.#unfolded.has(call)) return result;
    this.#unfolded.add(call);
    const facts = self ? this.record.hypotheses : this.record.facts;
    this.under(required, () => {
      facts.push(...this.#promised(fn, 'ensures', env.with('result', result)));
      if (this.#fuel > 0) facts.push(t.implies(this.path, t.equal(result, this.#unfold(fn, env))));
    });
    return result;
  }

  /** The body of a call that stands for its result; what may fail in it, the proof or the hypothesis covers. */
  #unfold(fn: ProgramFunction, env: Environment): t.Term {
    const { alive } = this.record;
    const obligations = this.record.obligations.length;
    const wraps = this.record.wraps.length;
    const calls = this.selfCalls.length;
    this.#fuel--;
    const body = data(this.evaluate(fn.core.body, env, fn.module.path));
    this.#fuel++;
    this.record.obligations.length = obligations;
    this.record.alive = alive;
    this.record.wraps.length = wraps;
    this.selfCalls.length = calls;
    return body;
  }

  /** The body in place of the call, its contract checked as a run with contracts would. */
  inline(fn: ProgramFunction, args: readonly Value[]): Value {
    const env = scopeOf(fn, args);
    const required = this.#required(fn, env);
    const result = this.evaluate(fn.core.body, env, fn.module.path);
    const after = env.with('result', result);
    if (!this.plan.proven.has(fn.key)) {
      this.oblige(fn, 'ensures', after);
      return result;
    }
    this.relies = true;
    this.record.facts.push(...this.under(required, () => this.#promised(fn, 'ensures', after)));
    return result;
  }

  #required(fn: ProgramFunction, env: Environment): t.Term {
    return t.and(...this.oblige(fn, 'requires', env));
  }

  /** Clauses that must hold, and must not fail. @returns what they say */
  oblige(fn: ProgramFunction, kind: CoreClause['kind'], env: Environment): readonly t.Term[] {
    return clausesOf(fn, kind).map(({ predicate }) => {
      const holds = this.#clause(predicate, env, fn);
      this.require(holds);
      return holds;
    });
  }

  /** Clauses that are known to hold, and so not to fail. */
  assume(fn: ProgramFunction, kind: CoreClause['kind'], env: Environment): void {
    this.record.facts.push(...this.#promised(fn, kind, env));
  }

  /** What clauses that hold say, on the current path. */
  #promised(fn: ProgramFunction, kind: CoreClause['kind'], env: Environment): readonly t.Term[] {
    return clausesOf(fn, kind).flatMap(({ predicate }) => {
      const { obligations, alive } = this.record;
      const kept = obligations.length;
      const holds = this.#clause(predicate, env, fn);
      const inside = obligations.splice(kept);
      this.record.alive = alive;
      return [...inside.map(({ path, safe }) => t.implies(path, safe)), t.implies(this.path, holds)];
    });
  }

  #clause(predicate: Core, env: Environment, fn: ProgramFunction): t.Term {
    this.#inClause++;
    try {
      return this.term(predicate, env, fn.module.path);
    } finally {
      this.#inClause--;
    }
  }

  /** Runs a recursive body up to the depth; levels that nothing undecided leads to are not counted. */
  #unrolled(key: string, run: () => Value, result: Sort = unknownSort()): Value {
    const before = this.#depths.get(key);
    const depth = (before?.depth ?? -1) + (before?.path === this.path ? 0 : 1);
    if (this.plan.depth === 0 && depth > 0) this.depth();
    if (depth > this.plan.depth) return this.cut(result);
    this.#depths.set(key, { depth, path: this.path });
    try {
      return run();
    } finally {
      if (before === undefined) this.#depths.delete(key);
      else this.#depths.set(key, before);
    }
  }
}

const nowhere: Position = { file: '', line: 1, column: 1 };

export const inRange = (value: t.Term): t.Term =>
  t.and(t.atMost(t.int(-(2n ** 63n)), value), t.atMost(value, t.int(2n ** 63n - 1n)));

const isWritten = (term: t.Term): boolean =>
  term.node.k !== 'symbol' &&
  term.node.k !== 'select' &&
  (term.node.k !== 'apply' || ['seq.unit', 'seq.++'].includes(term.node.name)) &&
  term.args.every(isWritten);

const clausesOf = (fn: ProgramFunction, kind: CoreClause['kind']): readonly CoreClause[] =>
  fn.core.clauses.filter((clause) => clause.kind === kind);

/** Unknown for a result that holds functions. */
function resultSort(fn: ProgramFunction): Sort {
  try {
    return sortOf(fn.type.result, new Map());
  } catch (error) {
    if (error instanceof Unsupported) return unknownSort();
    throw error;
  }
}

function scopeOf(fn: ProgramFunction, args: readonly Value[]): Environment {
  return fn.core.parameters.reduce((env, name, index) => env.with(name, args[index] ?? t.unit), Environment.empty);
}

function record(fields: readonly (readonly [string, t.Term])[]): t.Term {
  const sorted = [...fields].sort(([a], [b]) => (a < b ? -1 : 1));
  const sort = recordSort(sorted.map(([name, term]) => [name, term.sort] as const));
  return t.construct(
    'record',
    sorted.map(([, term]) => term),
    sort,
  );
}

function recordFields(base: t.Term): readonly string[] {
  const at = found(base.sort);
  if (at.k !== 'record') throw unencodable('a record whose fields are not known');
  return at.fields.map(([name]) => name);
}

export function field(base: t.Term, name: string, position: Position | null = null): t.Term {
  const index = recordFields(base).indexOf(name);
  if (index === -1) throw unencodable(`the field ${name} of a record without it`, position);
  return t.select('record', index, base);
}

function unwrap(base: t.Term, position: Position): t.Term {
  const [only] = shapes(base.sort) ?? [];
  if (only === undefined) throw unencodable('a field of this value', position);
  return t.select(only.name, 0, base);
}
