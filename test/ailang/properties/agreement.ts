import { check } from '../../../src/ailang/check.js';
import { Effects } from '../../../src/ailang/eval/effects.js';
import { RuntimeFailure } from '../../../src/ailang/eval/failure.js';
import { List } from '../../../src/ailang/eval/list.js';
import { loadProgram } from '../../../src/ailang/eval/load.js';
import { show } from '../../../src/ailang/eval/show.js';
import { ArrayValue, Data, Float, RecordValue, Tuple, type Value } from '../../../src/ailang/eval/values.js';
import { builtins } from '../../../src/ailang/std/builtins.js';
import { stdSource } from '../../../src/ailang/std/source.js';
import { generateProgram } from './generated-program.js';
import { ReferenceEvaluator } from './reference-evaluator.js';
import { refShow } from './reference-show.js';
import { canonical, RefFailure, type RefValue } from './reference-value.js';

/** What a value of the compiled form is in the reference's terms. */
export function reflected(value: Value): RefValue {
  if (value === undefined) return { k: 'unit' };
  if (typeof value === 'number' || typeof value === 'bigint') return { k: 'int', v: BigInt(value) };
  if (typeof value === 'string') return { k: 'string', v: value };
  if (typeof value === 'boolean') return { k: 'bool', v: value };
  if (value instanceof Float) return { k: 'float', v: value.v };
  if (value instanceof List) return { k: 'list', items: value.toArray().map(reflected) };
  if (value instanceof Tuple) return { k: 'tuple', items: value.items.map(reflected) };
  if (value instanceof ArrayValue) return { k: 'array', items: value.items.map(reflected) };
  if (value instanceof Data) return { k: 'data', name: value.c.name, args: value.args().map(reflected) };
  if (value instanceof RecordValue) {
    const values = value.values();
    return { k: 'record', fields: new Map(value.names.map((name, index) => [name, reflected(values[index])])) };
  }
  return { k: 'function', apply: () => ({ k: 'unit' }) };
}

const host = { charge: () => undefined };

/** The whole value and its printed form, or the code of the failure. */
function outcome(evaluate: () => { readonly value: RefValue; readonly shown: string }): string {
  try {
    const { value, shown } = evaluate();
    return `${canonical(value)}\n${shown}`;
  } catch (error) {
    if (error instanceof RefFailure || error instanceof RuntimeFailure) return error.code;
    throw error;
  }
}

/** How the program of a seed comes out in the compiled form and in the reference evaluator. */
export function bothOutcomes(seed: number): {
  readonly text: string;
  readonly compiled: string;
  readonly reference: string;
} {
  const text = generateProgram(seed);
  const read = (path: string): string | null => (path === 'main.ail' ? text : null);
  const { program, diagnostics } = check({ file: 'main.ail', host: { read }, std: stdSource, builtins });
  if (program === null) throw new Error(`${diagnostics.map((one) => one.message).join('\n')}\n${text}`);
  const options = { program, entry: 'main', argsJson: 'null', host, maxDepth: 10_000 };
  const compiled = outcome(() => {
    const settings = { ...options, verifyContracts: false, printResult: false };
    const value = loadProgram(settings, 'main', new Effects(host))([]);
    return { value: reflected(value), shown: show(value) };
  });
  const reference = outcome(() => {
    const value = new ReferenceEvaluator(program).call('main', 'main', []);
    return { value, shown: refShow(value) };
  });
  return { text, compiled, reference };
}
