import type { Core, CoreArm, CoreClause } from '../../core/types.js';
import { dataClass, Float, fieldProperty } from '../values.js';
import { ExpressionCompiler, isShortCircuit, type Node } from './expressions.js';
import { type Attempt, integerCode, matchPattern, type Subject } from './patterns.js';
import type { Scope } from './scope.js';
import { globalKey, lambdaMayTail } from './tail-calls.js';
import type { Globals } from './unit.js';

/** Where the value of an expression goes: returned, assigned to a variable, or dropped. */
type Target =
  | { readonly to: 'return' }
  | { readonly to: 'variable'; readonly name: string }
  | { readonly to: 'nothing' };

/** Who a function calls when it calls itself: jumps replace such calls in tail position. */
type Self = { readonly global: string } | { readonly local: string } | null;

export interface FunctionShape {
  readonly parameters: readonly string[];
  readonly self: Self;
  /** False when every call must return here first. */
  readonly tails: boolean;
  readonly requires: readonly CoreClause[];
  readonly owner: string;
}

/** Compiles one function body to JavaScript statements. Parameter 0 is the call depth `d`. */
export class BodyCompiler extends ExpressionCompiler {
  private loops = false;
  private calls = false;
  private hasLambda = false;
  private usesTemporary = false;
  private parameterNames: string[] = [];

  constructor(
    globals: Globals,
    private readonly shape: FunctionShape,
    private readonly maxDepth: number,
  ) {
    super(globals);
  }

  /** `(d, …) { … }` */
  compile(body: Core, scope: Scope): string {
    const { parameters } = this.shape;
    this.parameterNames = parameters.map(() => this.globals.unit.fresh('a'));
    this.hasLambda = containsLambda(body);
    const inner = this.hasLambda ? parameters.map(() => this.globals.unit.fresh('v')) : this.parameterNames;
    const bound = parameters.reduce((outer, name, index) => outer.bind(name, inner[index] ?? ''), scope);
    const { lines } = this.captured(() => {
      for (const clause of this.shape.requires) this.clause(clause, bound);
      this.into(body, bound, { to: 'return' });
    });
    const copies = this.hasLambda ? inner.map((name, index) => `const ${name} = ${this.parameterNames[index]};`) : [];
    const entry = this.calls ? [`if (d > ${this.maxDepth}) throw tooDeep();`] : [];
    const temporary = this.usesTemporary ? ['let t;'] : [];
    const content = [...copies, ...lines];
    const code = this.loops ? ['L: for (;;) {', ...content, '}'] : content;
    return `(${['d', ...this.parameterNames].join(', ')}) {\n${[...entry, ...temporary, ...code].join('\n')}\n}`;
  }

  private clause(clause: CoreClause, scope: Scope): void {
    const holds = this.value(clause.predicate, scope);
    this.emit(
      `if (!(${holds})) throw broken(${this.globals.unit.constant(clause)}, ${this.globals.unit.constant(this.shape.owner)});`,
    );
  }

  /** Emits statements that bring the value to its target. */
  private into(core: Core, scope: Scope, target: Target): void {
    switch (core.k) {
      case 'let':
        this.into(core.body, this.bindValue(core.name, core.value, scope), target);
        break;
      case 'letrec':
        this.into(core.body, this.bindRecursive(core, scope), target);
        break;
      case 'sequence':
        this.into(core.first, scope, { to: 'nothing' });
        this.into(core.rest, scope, target);
        break;
      case 'if': {
        const condition = this.value(core.condition, scope);
        this.block(`if (${condition}) {`, () => this.into(core.then, scope, target), '} else {');
        this.block('', () => this.into(core.otherwise, scope, target));
        break;
      }
      case 'match':
        this.match(core, scope, target);
        break;
      default:
        if (core.k === 'binary' && isShortCircuit(core)) this.into(asChoice(core), scope, target);
        else if (core.k === 'call' && target.to === 'return' && this.shape.tails) this.tailCall(core, scope);
        else this.deliver(this.value(core, scope), target);
    }
  }

  private deliver(code: string, target: Target): void {
    if (target.to === 'return') this.emit(`return ${code};`);
    else if (target.to === 'variable') this.emit(`${target.name} = ${code};`);
    else this.emit(`void (${code});`);
  }

  /** Statements for what must happen before, and code for the value. */
  protected value(core: Core, scope: Scope): string {
    const { unit } = this.globals;
    switch (core.k) {
      case 'int':
        return integerCode(core.value);
      case 'float':
        return unit.constant(new Float(core.value));
      case 'string':
        return unit.constant(core.value);
      case 'bool':
        return String(core.value);
      case 'unit':
        return 'undefined';
      case 'local':
        return scope.lookup(core.name).code;
      case 'global': {
        const native = this.globals.alias(globalKey(core.module, core.name));
        return native === null ? this.globals.name(globalKey(core.module, core.name)) : unit.constant(native);
      }
      case 'builtin':
        return unit.constant(this.globals.native(core.name));
      case 'constructor':
        return unit.constant(this.globals.constructorValue(core.name, core.arity));
      case 'lambda':
        return this.lambda(core, scope, null);
      case 'call':
        return this.call(core, scope);
      case 'let':
        return this.value(core.body, this.bindValue(core.name, core.value, scope));
      case 'letrec':
        return this.value(core.body, this.bindRecursive(core, scope));
      case 'sequence':
        this.into(core.first, scope, { to: 'nothing' });
        return this.value(core.rest, scope);
      case 'if':
        return this.choice(core, scope);
      case 'match': {
        const name = unit.fresh('m');
        this.emit(`let ${name};`);
        this.match(core, scope, { to: 'variable', name });
        return name;
      }
      case 'list':
        if (core.items.length === 0) return 'nil';
        return `listOf([${this.values(core.items, scope).join(', ')}])`;
      case 'tuple':
        return `new Tuple([${this.values(core.items, scope).join(', ')}])`;
      case 'array':
        return `new ArrayValue([${this.values(core.items, scope).join(', ')}])`;
      case 'record':
        return this.record(core, scope);
      case 'update':
        return this.update(core, scope);
      case 'field':
        return `${this.value(core.base, scope)}${core.unwrap ? '.p0' : ''}.${fieldProperty(core.name)}`;
      case 'binary':
        return this.binary(core, scope);
      case 'unary':
        return this.unary(core, scope);
      case 'interpolate':
        return this.interpolate(core, scope);
      case 'assert':
        this.emit(`if (!(${this.value(core.condition, scope)})) throw assertionFailed(${unit.constant(core)});`);
        return 'undefined';
    }
  }

  private bindValue(name: string, value: Core, scope: Scope): Scope {
    const variable = this.globals.unit.fresh('v');
    if (value.k === 'lambda') {
      this.emit(`const ${variable} = ${this.lambda(value, scope, null)};`);
      return scope.bind(name, variable, this.lambdaTails(value, null));
    }
    this.emit(`const ${variable} = ${this.value(value, scope)};`);
    return scope.bind(name, variable);
  }

  private bindRecursive(core: Node<'letrec'>, scope: Scope): Scope {
    const variables = core.bindings.map(() => this.globals.unit.fresh('v'));
    const inner = core.bindings.reduce((outer, { name, value }, index) => {
      const tails = value.k !== 'lambda' || this.lambdaTails(value, name);
      return outer.bind(name, variables[index] ?? '', tails);
    }, scope);
    for (const [index, { name, value }] of core.bindings.entries()) {
      const code = value.k === 'lambda' ? this.lambda(value, inner, name) : this.value(value, inner);
      this.emit(`const ${variables[index]} = ${code};`);
    }
    return inner;
  }

  private lambdaTails(lambda: Node<'lambda'>, self: string | null): boolean {
    return lambdaMayTail(lambda.body, self, (key) => this.globals.alias(key) === null && this.globals.mayTail(key));
  }

  private lambda(core: Node<'lambda'>, scope: Scope, self: string | null): string {
    const shape: FunctionShape = {
      parameters: core.parameters,
      self: self === null ? null : { local: scope.lookup(self).code },
      tails: true,
      requires: [],
      owner: self ?? 'lambda',
    };
    return `function ${new BodyCompiler(this.globals, shape, this.maxDepth).compile(core.body, scope)}`;
  }

  private call(core: Node<'call'>, scope: Scope): string {
    const { callee } = core;
    if (callee.k === 'constructor' && callee.arity === core.args.length) {
      const { unit } = this.globals;
      const args = this.values(core.args, scope);
      const descriptor = unit.constant(this.globals.descriptor(callee.name, callee.arity));
      return `new ${unit.constant(dataClass(callee.arity))}(${[descriptor, ...args].join(', ')})`;
    }
    this.calls = true;
    const [target = '', ...args] = this.values([callee, ...core.args], scope);
    if (this.isNative(callee)) return `${target}(${['d', ...args].join(', ')})`;
    const code = `${target}(${['d + 1', ...args].join(', ')})`;
    if (!this.mayTail(callee, scope)) return code;
    this.usesTemporary = true;
    return `((t = ${code}) === TAIL ? bounce() : t)`;
  }

  private isNative(callee: Core): boolean {
    if (callee.k === 'builtin' || callee.k === 'constructor') return true;
    return callee.k === 'global' && this.globals.alias(globalKey(callee.module, callee.name)) !== null;
  }

  private mayTail(callee: Core, scope: Scope): boolean {
    if (callee.k === 'global') {
      const key = globalKey(callee.module, callee.name);
      return !this.globals.isFunction(key) || this.globals.mayTail(key);
    }
    return callee.k !== 'local' || scope.lookup(callee.name).mayTail;
  }

  private tailCall(core: Node<'call'>, scope: Scope): void {
    const { callee } = core;
    if (this.isSelf(callee, scope)) {
      this.jump(core.args, scope);
      return;
    }
    if (this.isNative(callee)) {
      this.deliver(this.call(core, scope), { to: 'return' });
      return;
    }
    const [target = '', ...args] = this.values([callee, ...core.args], scope);
    if (callee.k === 'global' && this.callsDirectly(globalKey(callee.module, callee.name))) {
      this.emit(`return ${target}(${['d', ...args].join(', ')});`);
    } else {
      this.emit(`return tailCall(${[target, 'd', ...args].join(', ')});`);
    }
  }

  private isSelf(callee: Core, scope: Scope): boolean {
    const { self } = this.shape;
    if (self === null) return false;
    if (callee.k === 'global') return 'global' in self && self.global === globalKey(callee.module, callee.name);
    return callee.k === 'local' && 'local' in self && self.local === scope.lookup(callee.name).code;
  }

  private callsDirectly(key: string): boolean {
    const { self } = this.shape;
    const from = self !== null && 'global' in self ? self.global : null;
    return this.globals.isFunction(key) && (from === null || !this.globals.inCycle(from, key));
  }

  private jump(args: readonly Core[], scope: Scope): void {
    this.loops = true;
    const codes = this.values(args, scope);
    const changed = this.parameterNames
      .map((name, index) => ({ name, code: codes[index] ?? 'undefined' }))
      .filter(({ name, code }) => name !== code);
    const fixed = changed.length === 1 ? changed : changed.map(({ name, code }) => ({ name, code: this.copied(code) }));
    for (const { name, code } of fixed) this.emit(`${name} = ${code};`);
    this.emit('continue L;');
  }

  /** Parameters change one by one, so a value that is one of them is saved first. */
  private copied(code: string): string {
    if (!this.parameterNames.includes(code)) return this.fixed(code);
    const name = this.globals.unit.fresh('t');
    this.emit(`const ${name} = ${code};`);
    return name;
  }

  private match(core: Node<'match'>, scope: Scope, target: Target): void {
    const subject = this.subject(core, scope);
    const exit = this.globals.unit.fresh('M');
    this.block(`${exit}: {`, () => {
      for (const arm of core.arms) this.arm(arm, subject, scope, target, exit);
      this.emit(
        `throw noMatch(${this.position(core.position)}, ${typeof subject === 'string' ? subject : `new Tuple([${subject.join(', ')}])`});`,
      );
    });
  }

  /** A tuple that is only taken apart is never built. */
  private subject(core: Node<'match'>, scope: Scope): Subject {
    const { scrutinee } = core;
    const onlyParts = core.arms.every(({ pattern }) => pattern.k === 'tuple' || pattern.k === 'wildcard');
    if (scrutinee.k !== 'tuple' || !onlyParts) return this.fixed(this.value(scrutinee, scope));
    return this.values(scrutinee.items, scope).map((code) => this.fixed(code));
  }

  private arm(arm: CoreArm, subject: Subject, scope: Scope, target: Target, exit: string): void {
    const next = this.globals.unit.fresh('A');
    this.block(`${next}: {`, () => {
      const attempt: Attempt = {
        globals: this.globals,
        test: (condition) => this.emit(`if (!(${condition})) break ${next};`),
        name: (code) => this.fixed(code),
      };
      const inner = matchPattern(arm.pattern, subject, scope, attempt);
      if (arm.guard !== null) this.emit(`if (!(${this.value(arm.guard, inner)})) break ${next};`);
      this.into(arm.body, inner, target);
      if (target.to !== 'return') this.emit(`break ${exit};`);
    });
  }
}

/** As an `if`, so that a call on the right is in tail position. */
function asChoice({ operator, left, right }: Node<'binary'>): Core {
  const [then, otherwise]: [Core, Core] =
    operator === '&&' ? [right, { k: 'bool', value: false }] : [{ k: 'bool', value: true }, right];
  return { k: 'if', condition: left, then, otherwise };
}

/** Whether a closure may capture the parameters. */
function containsLambda(core: object): boolean {
  if ('k' in core && core.k === 'lambda') return true;
  for (const key in core) {
    const part: unknown = core[key as never];
    if (typeof part === 'object' && part !== null && containsLambda(part)) return true;
  }
  return false;
}
