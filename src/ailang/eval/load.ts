import type { RunOptions } from '../interfaces.js';
import { createNatives, findNative } from '../std/natives/registry.js';
import { bounce, TAIL } from './calls.js';
import { compileProgram } from './compile/program.js';
import { globalKey } from './compile/tail-calls.js';
import type { Effects } from './effects.js';
import { depthFailure, RuntimeFailure } from './failure.js';
import { runtimeNames } from './runtime.js';
import type { Callable, Value } from './values.js';

/**
 * Compiles a program and evaluates its module values. The result calls the entry, or for a script (`entry` null) gives
 * the value of its last statement. @throws RuntimeFailure
 */
export function loadProgram(options: RunOptions, entry: string | null, effects: Effects): (args: Value[]) => Value {
  const { program, maxDepth } = options;
  const natives = createNatives(effects);
  const { source, constants } = compileProgram(program, entry === null ? null : globalKey(program.root, entry), {
    maxDepth,
    contracts: options.verifyContracts,
    budgets: options.noBudgets !== true,
    native: (name) => {
      const native = findNative(natives, name);
      if (native === undefined) throw new RuntimeFailure('EVA001', `EVA001: the primitive ${name} is not available`);
      return native;
    },
  });
  const names = { ...runtimeNames, effects, tooDeep: () => depthFailure(maxDepth) };
  const start = new Function('K', 'R', `'use strict';\nconst {${Object.keys(names).join(', ')}} = R;\n${source}`);
  const { main, last } = start(constants, names) as { readonly main: Callable | null; readonly last: Value };
  return (args) => {
    if (main === null) return last;
    const result = main(1, ...args);
    return result === TAIL ? bounce() : result;
  };
}
