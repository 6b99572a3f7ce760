import type { Core, CoreFunction } from '../../core/types.js';
import type { CheckedModule } from '../../modules/checked-module.js';
import type { FunctionDeclaration } from '../../syntax/ast.js';
import { type FunctionType, resolve, type TypeConstructor } from '../../types/type.js';

export interface ProgramFunction {
  readonly key: string;
  readonly module: CheckedModule;
  readonly core: CoreFunction;
  readonly declaration: FunctionDeclaration;
  readonly type: FunctionType;
}

export const functionKey = (module: string, name: string): string => `${module}#${name}`;

/** The checked modules, seen as what the encoding asks of them. */
export class ProgramIndex {
  readonly functions = new Map<string, ProgramFunction>();
  readonly #modules = new Map<string, CheckedModule>();
  /** Functions that can reach themselves: all members of the cycles they are on. */
  readonly #cycles = new Map<string, ReadonlySet<string>>();

  constructor(modules: readonly CheckedModule[]) {
    for (const module of modules) {
      this.#modules.set(module.path, module);
      for (const declaration of module.file.declarations) {
        if (declaration.k !== 'function') continue;
        const name = declaration.name.text;
        const core = module.core?.functions.find((one) => one.name === name);
        const entry = module.scope.values.get(name);
        const type = entry === undefined ? null : resolve(entry.scheme.type);
        if (core === undefined || type?.k !== 'function') continue;
        const key = functionKey(module.path, name);
        this.functions.set(key, { key, module, core, declaration, type });
      }
    }
  }

  value(module: string, name: string): Core | null {
    return this.#modules.get(module)?.core?.values.find((value) => value.name === name)?.value ?? null;
  }

  /** The type of a constructor as a module sees it; null when several could be meant. */
  constructorType(module: string, type: string, name: string): TypeConstructor | null {
    const fits = new Set<TypeConstructor>();
    for (const path of [module, ...this.#modules.keys()]) {
      const scope = this.#modules.get(path)?.scope;
      if (scope === undefined) continue;
      for (const entry of [...scope.values.values(), ...scope.prelude.values.values()])
        if (entry.k === 'constructor' && entry.variant.name === name && entry.variant.type.name === type)
          fits.add(entry.variant.type);
      if (path === module && fits.size === 1) break;
    }
    const [only, ...more] = fits;
    return only !== undefined && more.length === 0 ? only : null;
  }

  /** Functions on a cycle of calls with this one, itself among them; empty when it is not recursive. */
  cycle(key: string): ReadonlySet<string> {
    const known = this.#cycles.get(key);
    if (known !== undefined) return known;
    const from = this.#reachable(key);
    const members = new Set(from.has(key) ? [...from].filter((other) => this.#reachable(other).has(key)) : []);
    this.#cycles.set(key, members);
    return members;
  }

  readonly #reached = new Map<string, ReadonlySet<string>>();

  #reachable(key: string): ReadonlySet<string> {
    const known = this.#reached.get(key);
    if (known !== undefined) return known;
    const reached = new Set<string>();
    const pending = [key];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      for (const callee of this.callees(at)) {
        if (reached.has(callee)) continue;
        reached.add(callee);
        pending.push(callee);
      }
    }
    this.#reached.set(key, reached);
    return reached;
  }

  readonly #callees = new Map<string, ReadonlySet<string>>();

  /** Functions the body names. */
  callees(key: string): ReadonlySet<string> {
    const known = this.#callees.get(key);
    if (known !== undefined) return known;
    const names = new Set<string>();
    const body = this.functions.get(key)?.core.body;
    if (body !== undefined) globals(body, names);
    this.#callees.set(key, names);
    return names;
  }
}

function globals(root: unknown, names: Set<string>): void {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const node = pending.pop();
    if (typeof node !== 'object' || node === null) continue;
    if ('k' in node && node.k === 'global' && 'module' in node && 'name' in node)
      names.add(functionKey(String(node.module), String(node.name)));
    pending.push(...Object.values(node));
  }
}
