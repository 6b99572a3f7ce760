import type { Core, CoreFunction, CoreProgram } from '../../core/types.js';
import { bounded } from '../../eval/bounded.js';
import { call } from '../../eval/calls.js';
import { Effects } from '../../eval/effects.js';
import { RuntimeFailure } from '../../eval/failure.js';
import type { List } from '../../eval/list.js';
import { loadProgram } from '../../eval/load.js';
import type { Callable } from '../../eval/values.js';

const entry = '$counterexample';
/** Failures that say nothing about a contract. */
const resources: ReadonlySet<string> = new Set(['RT_REC_003', 'RT005', 'RT007', 'INTERNAL']);
const nowhere = { file: '<counterexample>', line: 1, column: 1 };
const oneCallMs = 250;

export interface Failure {
  /** Which of the calls failed. */
  readonly index: number;
  readonly message: string;
}

/**
 * Calls a function of the root module with one list of arguments after another, contracts on, until a call fails that
 * its requires admit. @returns null when none does, as far as there was time
 */
export function firstFailure(
  program: CoreProgram,
  name: string,
  calls: readonly (readonly Core[])[],
  milliseconds: number,
): Failure | null {
  const end = performance.now() + milliseconds;
  const steps = load(program, name, calls);
  for (const [index] of calls.entries()) {
    const left = Math.min(oneCallMs, end - performance.now());
    if (left <= 0) return null;
    const [admitted, made] = [steps[2 * index], steps[2 * index + 1]];
    if (admitted === undefined || made === undefined || failureOf(admitted, left) !== null) continue;
    const failure = failureOf(made, left);
    if (failure !== null && !resources.has(failure.code)) return { index, message: failure.message };
  }
  return null;
}

/** Two functions for each list of arguments: one fails unless the requires hold, the other makes the call. */
function load(program: CoreProgram, name: string, calls: readonly (readonly Core[])[]): readonly Callable[] {
  const root = program.modules.find(({ path }) => path === program.root);
  const fn = root?.functions.find((one) => one.name === name);
  if (fn === undefined) return [];
  const callee: Core = { k: 'global', module: program.root, name };
  const items = calls.flatMap((args): Core[] => [
    later(required(fn, args)),
    later({ k: 'call', callee, args, position: nowhere }),
  ]);
  const body: Core = { k: 'list', items };
  const added = { name: entry, exported: true, parameters: [], body, budgets: [], clauses: [], position: nowhere };
  const host = { charge: () => {} };
  const options = {
    program: {
      ...program,
      // A script's statements may have effects; a pure call needs none of them.
      modules: program.modules.map((module) => ({
        ...module,
        values: module.values.filter((value) => value.name !== null),
        functions: module === root ? [...module.functions, added] : module.functions,
      })),
    },
    entry,
    argsJson: 'null',
    host,
    maxDepth: 10_000,
    verifyContracts: true,
    printResult: false,
  };
  return (loadProgram(options, entry, new Effects(host))([]) as List).toArray() as Callable[];
}

const later = (body: Core): Core => ({ k: 'lambda', parameters: ['$'], body });

function required({ parameters, clauses }: CoreFunction, args: readonly Core[]): Core {
  const holds = clauses
    .filter(({ kind }) => kind === 'requires')
    .reduceRight<Core>((rest, { predicate }) => ({ k: 'if', condition: predicate, then: rest, otherwise: failing }), {
      k: 'unit',
    });
  return parameters.reduceRight<Core>(
    (body, parameter, index) => ({ k: 'let', name: parameter, value: args[index] ?? { k: 'unit' }, body }),
    holds,
  );
}

const zero: Core = { k: 'int', value: 0n };
const failing: Core = { k: 'binary', operator: '/', operand: 'int', left: zero, right: zero, position: nowhere };

function failureOf(step: Callable, milliseconds: number): { readonly code: string; readonly message: string } | null {
  try {
    bounded(milliseconds, () => call(step, 1, undefined));
    return null;
  } catch (error) {
    if (error instanceof RuntimeFailure) return error;
    return { code: 'INTERNAL', message: error instanceof Error ? error.message : String(error) };
  }
}
