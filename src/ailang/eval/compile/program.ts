import type { Core, CoreFunction, CoreModule, CoreProgram } from '../../core/types.js';
import { type Callable, type Constructor, constructorOf, constructorValue, type Value } from '../values.js';
import { BodyCompiler } from './body.js';
import { Scope } from './scope.js';
import { checksResult, globalKey, planTails, type TailPlan } from './tail-calls.js';
import { CompilationUnit, type Globals } from './unit.js';

export interface CompileOptions {
  readonly maxDepth: number;
  readonly contracts: boolean;
  readonly budgets: boolean;
  /** Natives by name. @throws when there is none */
  native(name: string): Callable;
}

export interface CompiledProgram {
  /** Statements that define everything and evaluate module values, then return the entry and the last script value. */
  readonly source: string;
  readonly constants: readonly unknown[];
}

interface NamedValue {
  readonly variable: string;
  readonly value: Core;
  readonly owner: string;
}

/** Compiles what the entry can reach, and all module values. @param entry key of the entry function, or null for a script */
export function compileProgram(program: CoreProgram, entry: string | null, options: CompileOptions): CompiledProgram {
  return new ProgramCompiler(program, options).compile(entry);
}

class ProgramCompiler implements Globals {
  readonly unit = new CompilationUnit();
  private readonly all = new Map<string, CoreFunction>();
  private readonly names = new Map<string, string>();
  private readonly aliases = new Map<string, Callable>();
  private plan: TailPlan = { mayTail: () => true, inCycle: () => true };

  constructor(
    private readonly program: CoreProgram,
    private readonly options: CompileOptions,
  ) {
    for (const module of program.modules) {
      for (const fn of module.functions) this.all.set(globalKey(module.path, fn.name), fn);
    }
  }

  compile(entry: string | null): CompiledProgram {
    const reached = this.reach(entry);
    const functions = new Map([...this.all].filter(([key]) => reached.has(key)));
    for (const [key, fn] of functions) {
      this.names.set(key, this.unit.fresh('g'));
      const native = this.forwarded(fn);
      if (native !== null) this.aliases.set(key, native);
    }
    const values = this.program.modules.flatMap((module) => this.nameValues(module));
    const { contracts, budgets } = this.options;
    this.plan = planTails(new Map([...functions].filter(([, fn]) => !checksResult(fn, contracts, budgets))));
    const emitted = [...functions].filter(([key]) => key === entry || !this.aliases.has(key));
    const lines = emitted.map(([key, fn]) => this.functionCode(key, fn));
    for (const value of values) lines.push(this.valueCode(value));
    const last = values.at(-1)?.variable ?? 'undefined';
    const main = entry === null ? 'null' : (this.names.get(entry) ?? 'null');
    const constants = this.unit.constants.map((_, index) => `k${index} = K[${index}]`);
    const head = constants.length === 0 ? '' : `const ${constants.join(', ')};\n`;
    return {
      source: `${head}${lines.join('\n')}\nreturn { main: ${main}, last: ${last} };`,
      constants: this.unit.constants,
    };
  }

  private nameValues(module: CoreModule): NamedValue[] {
    return module.values.map(({ name, value }) => {
      const variable = this.unit.fresh('g');
      if (name !== null) this.names.set(globalKey(module.path, name), variable);
      return { variable, value, owner: name ?? 'script' };
    });
  }

  private valueCode({ variable, value, owner }: NamedValue): string {
    const shape = { parameters: [], self: null, tails: false, requires: [], owner };
    const body = new BodyCompiler(this, shape, this.options.maxDepth).compile(value, Scope.empty);
    return `const ${variable} = (function ${body})(1);`;
  }

  private functionCode(key: string, fn: CoreFunction): string {
    const { contracts, budgets, maxDepth } = this.options;
    const clauses = contracts ? fn.clauses : [];
    const requires = clauses.filter((clause) => clause.kind === 'requires');
    const name = this.name(key);
    if (!checksResult(fn, contracts, budgets)) {
      const shape = { parameters: fn.parameters, self: { global: key }, tails: true, requires, owner: fn.name };
      return `function ${name}${new BodyCompiler(this, shape, maxDepth).compile(fn.body, Scope.empty)}`;
    }
    const ensures = clauses.filter((clause) => clause.kind === 'ensures');
    const shape = { parameters: fn.parameters, self: null, tails: false, requires, owner: fn.name };
    const body = new BodyCompiler(this, shape, maxDepth).compile(fn.body, Scope.empty);
    const check = { ...shape, parameters: [...fn.parameters, 'result'], requires: ensures };
    const checks = new BodyCompiler(this, check, maxDepth).compile({ k: 'unit' }, Scope.empty);
    const parameters = fn.parameters.map((_, index) => `p${index}`);
    const call = `(${['d', ...parameters].join(', ')})`;
    const withChecks = [`const r = (function ${body})${call};`];
    if (ensures.length > 0) withChecks.push(`(function ${checks})(${['d', ...parameters, 'r'].join(', ')});`);
    if (!budgets || fn.budgets.length === 0) return `function ${name}${call} {\n${withChecks.join('\n')}\nreturn r;\n}`;
    const enter = `effects.enter(${this.unit.constant(fn.budgets)}, ${this.unit.constant(fn.name)})`;
    return `function ${name}${call} {\nconst outer = ${enter};\ntry {\n${withChecks.join('\n')}\neffects.settle(outer);\nreturn r;\n} finally { effects.leave(outer); }\n}`;
  }

  /** A function that is nothing but another name of a native. */
  private forwarded(fn: CoreFunction): Callable | null {
    const { body, parameters } = fn;
    if (body.k !== 'call' || body.callee.k !== 'builtin' || fn.budgets.length > 0 || fn.clauses.length > 0) return null;
    if (body.args.length !== parameters.length || new Set(parameters).size !== parameters.length) return null;
    const same = body.args.every((arg, index) => arg.k === 'local' && arg.name === parameters[index]);
    return same ? this.native(body.callee.name) : null;
  }

  private reach(entry: string | null): ReadonlySet<string> {
    const reached = new Set<string>();
    const pending: object[] = this.program.modules.flatMap((module) => module.values.map((value) => value.value));
    const add = (key: string): void => {
      const fn = this.all.get(key);
      if (fn === undefined || reached.has(key)) return;
      reached.add(key);
      pending.push(fn.body, ...fn.clauses.map((clause) => clause.predicate));
    };
    if (entry !== null) add(entry);
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (isGlobal(node)) add(globalKey(node.module, node.name));
      for (const key in node) {
        const part: unknown = node[key as never];
        if (typeof part === 'object' && part !== null) pending.push(part);
      }
    }
    return reached;
  }

  native(name: string): Callable {
    return this.options.native(name);
  }

  name(key: string): string {
    const name = this.names.get(key);
    if (name === undefined) throw new Error(`the checker let the unknown global ${key} through`);
    return name;
  }

  alias(key: string): Callable | null {
    return this.aliases.get(key) ?? null;
  }

  isFunction(key: string): boolean {
    return this.all.has(key);
  }

  mayTail(key: string): boolean {
    return this.plan.mayTail(key);
  }

  inCycle(from: string, to: string): boolean {
    return this.plan.inCycle(from, to);
  }

  constructorValue(name: string, arity: number): Value {
    return constructorValue(name, arity);
  }

  descriptor(name: string, arity: number): Constructor {
    return constructorOf(name, arity);
  }
}

const isGlobal = (node: object): node is Extract<Core, { k: 'global' }> => 'k' in node && node.k === 'global';
