import type { Core, CoreProgram, CoreTest } from '../core/types.js';
import type { Position } from '../diagnostic.js';
import { bounded, TimedOut } from '../eval/bounded.js';
import { call } from '../eval/calls.js';
import { Effects } from '../eval/effects.js';
import { depthFailure, RuntimeFailure } from '../eval/failure.js';
import { List } from '../eval/list.js';
import { loadProgram } from '../eval/load.js';
import { equal } from '../eval/order.js';
import type { Callable } from '../eval/values.js';
import { literal } from './literal.js';
import { type PropertyOutcome, runProperty } from './run-property.js';
import type { TestSettings } from './settings.js';
import type { TestResult } from './test-result.js';

export interface TestClock {
  /** Milliseconds from any origin, with fractions. */
  now(): number;
}

export interface TestLimits {
  /** Milliseconds one test, or all cases of one property, may take. */
  readonly milliseconds: number;
  readonly maxDepth: number;
  /** Milliseconds a whole run may take; tests that are not reached in this time fail. */
  readonly totalMilliseconds: number;
}

export const defaultLimits: TestLimits = { milliseconds: 5000, maxDepth: 10_000, totalMilliseconds: 60_000 };

/**
 * Runs the tests of a checked module. They reach nothing of the world: every effect is refused.
 * @param until time of the clock at which the whole run ends
 */
export function runModuleTests(
  program: CoreProgram,
  tests: readonly CoreTest[],
  settings: TestSettings,
  limits: TestLimits,
  clock: TestClock,
  until: number,
): TestResult[] {
  if (tests.length === 0) return [];
  const result = (test: CoreTest, outcome: PropertyOutcome, from: number): TestResult => ({
    kind: test.k === 'property' ? 'property' : 'test',
    name: test.name,
    location: locationOf(test.position),
    milliseconds: clock.now() - from,
    ...outcome,
  });
  const begin = clock.now();
  let functions: Callable[];
  try {
    functions = bounded(limits.milliseconds, () => load(program, tests, limits));
  } catch (error) {
    const outcome = { status: 'fail', cases: 0, error: failureText(error, limits) } as const;
    return tests.map((test) => result(test, outcome, begin));
  }
  let next = 0;
  const take = (): Callable => functions[next++] as Callable;
  return tests.map((test) => {
    const from = clock.now();
    const milliseconds = Math.min(limits.milliseconds, until - from);
    if (milliseconds > 0) return result(test, runTest(test, take, settings, { ...limits, milliseconds }, clock), from);
    const error = `not run: the tests before it took the ${limits.totalMilliseconds} ms of the whole run`;
    if (test.k === 'example') take();
    take();
    return result(test, { status: 'fail', cases: 0, error }, from);
  });
}

export function locationOf({ file, line, column }: Position): string {
  return `${file}:${line}:${column}`;
}

function runTest(
  test: CoreTest,
  take: () => Callable,
  settings: TestSettings,
  limits: TestLimits,
  clock: TestClock,
): PropertyOutcome {
  switch (test.k) {
    case 'property': {
      const claim = take();
      const end = clock.now() + limits.milliseconds;
      const holds = (values: Parameters<typeof call>[2][]): string | null => {
        const left = end - clock.now();
        if (left <= 0) throw new TimedOut();
        try {
          return bounded(left, () => call(claim, 1, ...values)) === true ? null : 'the property does not hold';
        } catch (error) {
          if (error instanceof TimedOut) throw error;
          return failureText(error, limits);
        }
      };
      return runProperty(test, holds, settings, `it did not end within ${Math.round(limits.milliseconds)} ms`);
    }
    case 'claim': {
      const claim = take();
      return attempt(limits, () => (call(claim, 1) === true ? null : 'the condition is false'));
    }
    case 'example': {
      const [actual, expected] = [take(), take()];
      return attempt(limits, () => {
        const [found, wanted] = [call(actual, 1), call(expected, 1)];
        return equal(found, wanted) ? null : `expected ${literal(wanted)}, got ${literal(found)}`;
      });
    }
  }
}

function attempt(limits: TestLimits, run: () => string | null): PropertyOutcome {
  try {
    const error = bounded(limits.milliseconds, run);
    return error === null ? { status: 'pass', cases: 0 } : { status: 'fail', cases: 0, error };
  } catch (error) {
    return { status: 'fail', cases: 0, error: failureText(error, limits) };
  }
}

const entry = '(tests)';

/** One function for each claim and property, two for each example, in order. */
function load(program: CoreProgram, tests: readonly CoreTest[], limits: TestLimits): Callable[] {
  const lambda = (body: Core, parameters: readonly string[] = []): Core => ({ k: 'lambda', parameters, body });
  const items = tests.flatMap((test): Core[] => {
    if (test.k === 'example') return [lambda(test.actual), lambda(test.expected)];
    if (test.k === 'claim') return [lambda(test.body)];
    return [
      lambda(
        test.body,
        test.binders.map((binder) => binder.name),
      ),
    ];
  });
  const [first] = tests;
  if (first === undefined) return [];
  const all = { name: entry, exported: true, parameters: [], budgets: [], clauses: [], position: first.position };
  const modules = program.modules.map((module) =>
    module.path === program.root
      ? { ...module, functions: [...module.functions, { ...all, body: { k: 'list' as const, items } }] }
      : module,
  );
  const host = { charge: () => undefined };
  const options = {
    program: { ...program, modules },
    entry,
    argsJson: 'null',
    host,
    maxDepth: limits.maxDepth,
    verifyContracts: false,
    printResult: false,
  };
  const list = loadProgram(options, entry, new Effects(host))([]);
  return list instanceof List ? (list.toArray() as Callable[]) : [];
}

function failureText(error: unknown, limits: TestLimits): string {
  if (error instanceof TimedOut) return `it did not end within ${Math.round(limits.milliseconds)} ms`;
  if (error instanceof RuntimeFailure) return error.message;
  if (error instanceof RangeError && /call stack/.test(error.message)) return depthFailure(limits.maxDepth).message;
  if (error instanceof RangeError) return `RT007: out of memory: ${error.message}`;
  if (error instanceof ReferenceError) return 'RT_REC_001: a recursive value was read before it was initialised';
  return `internal error: ${error instanceof Error ? error.message : String(error)}`;
}
