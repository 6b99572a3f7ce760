import type { Core, CoreProgram } from '../../core/types.js';
import { run } from '../../eval/run.js';

const entry = '$counterexample';
/** Failures that say nothing about a contract. */
const resources: ReadonlySet<string> = new Set(['RT_REC_003', 'RT005', 'RT007', 'RUN_NO_ENTRY', 'INTERNAL']);
const nowhere = { file: '<counterexample>', line: 1, column: 1 };

/** The program with one more function, which calls another with written values. */
export function withCall(program: CoreProgram, name: string, args: readonly Core[]): CoreProgram {
  const callee: Core = { k: 'global', module: program.root, name };
  const body: Core = {
    k: 'sequence',
    first: { k: 'call', callee, args, position: nowhere },
    rest: { k: 'unit' },
  };
  const fn = { name: entry, exported: true, parameters: [], body, budgets: [], clauses: [], position: nowhere };
  return {
    ...program,
    // Module values may have effects; a pure call needs none of a script's statements.
    modules: program.modules.map((module) => ({
      ...module,
      values: module.values.filter((value) => value.name !== null),
      functions: module.path === program.root ? [...module.functions, fn] : module.functions,
    })),
    entries: [{ name: entry, parameters: [], effects: [], openRow: false, returnsUnit: true }],
  };
}

/** Runs that call with contracts on. @returns how it fails, null when it does not */
export function replay(program: CoreProgram): string | null {
  const outcome = run({
    program,
    entry,
    argsJson: 'null',
    host: { charge: () => {} },
    maxDepth: 10_000,
    verifyContracts: true,
    printResult: false,
  });
  return outcome.kind === 'failed' && !resources.has(outcome.code) ? outcome.message : null;
}
