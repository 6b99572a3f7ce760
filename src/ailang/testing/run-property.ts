import type { CoreTest } from '../core/types.js';
import { TimedOut } from '../eval/bounded.js';
import type { Value } from '../eval/values.js';
import { generate, undrawable } from './generate.js';
import { literal } from './literal.js';
import { Random } from './random.js';
import type { TestSettings } from './settings.js';
import { simplerParts } from './shrink.js';
import type { TestResult } from './test-result.js';

export type PropertyOutcome = Pick<TestResult, 'status' | 'cases' | 'error' | 'failingInput'>;

/** Most cases tried to make a counterexample simpler. */
const maxShrinks = 2000;

/**
 * Tries random cases that grow in size; the first that fails is made as simple as it can be.
 * @param failure why the claim fails for these values, null when it holds @throws TimedOut from `failure` is an outcome
 */
export function runProperty(
  { name, binders }: Extract<CoreTest, { k: 'property' }>,
  failure: (values: Value[]) => string | null,
  settings: TestSettings,
  tooLong: string,
): PropertyOutcome {
  const types = binders.map((binder) => binder.type);
  const shown = (values: readonly Value[]): string =>
    binders.map((binder, index) => `${binder.name} = ${literal(values[index])}`).join(', ');
  const cannot = types.map((type) => undrawable(type)).find((text) => text !== null);
  if (cannot !== undefined) return { status: 'skip', cases: 0, error: `values of type ${cannot} cannot be drawn` };
  const random = Random.for(settings.seed, name);
  for (let index = 0; index < settings.runs; index++) {
    const size = Math.ceil((settings.maxSize * (index + 1)) / settings.runs);
    const values = types.map((type) => generate(type, random, size, settings));
    let found: Failing | null = null;
    try {
      const error = failure(values);
      if (error === null) continue;
      found = { values, error };
      for (let left = maxShrinks, simpler: Failing | null = found; simpler !== null; ) {
        found = simpler;
        simpler = null;
        for (const candidate of simplerParts(types, found.values, settings)) {
          if (--left < 0) break;
          const again = failure(candidate);
          if (again === null) continue;
          simpler = { values: candidate, error: again };
          break;
        }
      }
    } catch (error) {
      if (!(error instanceof TimedOut)) throw error;
      if (found === null) return { status: 'fail', cases: index + 1, error: tooLong, failingInput: shown(values) };
    }
    return { status: 'fail', cases: index + 1, error: found.error, failingInput: shown(found.values) };
  }
  return { status: 'pass', cases: settings.runs };
}

interface Failing {
  readonly values: Value[];
  readonly error: string;
}
