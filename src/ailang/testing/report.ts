import type { TestResult } from './test-result.js';

export interface TestReport {
  /** `All Tests`, or the name of the package. */
  readonly title: string;
  readonly seed: number;
  readonly results: readonly TestResult[];
  readonly milliseconds: number;
  readonly success: boolean;
}

function counts(results: readonly TestResult[]): Record<TestResult['status'], number> {
  const found = { pass: 0, fail: 0, skip: 0 };
  for (const result of results) found[result.status]++;
  return found;
}

/** Whether the run counts as passed: something ran, nothing failed. */
export function succeeded(results: readonly TestResult[], allowSkips: boolean): boolean {
  const { pass, fail } = counts(results);
  return fail === 0 && (pass > 0 || allowSkips);
}

/** The report of `test --json` (ailang-cli section 10), two spaces indented. */
export function jsonReport({ title, seed, results, milliseconds, success }: TestReport): string {
  const { pass, fail, skip } = counts(results);
  const record = (result: TestResult) => ({
    name: result.name,
    status: result.status,
    duration: goDuration(result.milliseconds),
    ...(result.kind === 'property' ? { tests_run: result.cases } : {}),
    location: result.location,
    ...(result.error === undefined ? {} : { error: result.error }),
    ...(result.failingInput === undefined ? {} : { failing_input: result.failingInput }),
  });
  const report = {
    failed_tests: fail,
    module_path: title,
    passed_tests: pass,
    properties: results.filter((result) => result.kind === 'property').map(record),
    seed,
    skipped_tests: skip,
    success,
    tests: results.filter((result) => result.kind === 'test').map(record),
    total_duration: goDuration(milliseconds),
    total_tests: results.length,
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

const marks = { pass: '✓', fail: '✗', skip: '-' } as const;
const colours = { pass: '32', fail: '31', skip: '33' } as const;

/** For a reader: one line a test, what went wrong below it, the seed, the count. */
export function textReport({ seed, results, milliseconds }: TestReport, colour: boolean): string {
  const lines: string[] = [];
  for (const result of results) {
    const { status, kind, cases, name } = result;
    const mark = colour ? `\u001b[${colours[status]}m${marks[status]}\u001b[0m` : marks[status];
    const tried = kind === 'property' && status !== 'skip' ? `, ${cases} ${cases === 1 ? 'case' : 'cases'}` : '';
    lines.push(`${mark} ${name} (${goDuration(result.milliseconds)}${tried})`);
    if (status === 'pass') continue;
    lines.push(`    at ${result.location}`);
    if (result.failingInput !== undefined) lines.push(`    counterexample: ${result.failingInput}`);
    for (const line of (result.error ?? '').split('\n')) lines.push(`    ${line}`);
  }
  if (results.some((result) => result.kind === 'property'))
    lines.push('', `Seed: ${seed} (set AILANG_TEST_SEED=${seed} to draw the same cases again)`);
  const { pass, fail, skip } = counts(results);
  const total = `${results.length} ${results.length === 1 ? 'test' : 'tests'}`;
  lines.push('', `${total}: ${pass} passed, ${fail} failed, ${skip} skipped (${goDuration(milliseconds)})`);
  return `${lines.join('\n').trimStart()}\n`;
}

/** A duration as Go prints it: `1.5ms`, `12µs`, `2.034s`. */
export function goDuration(milliseconds: number): string {
  const nanoseconds = Math.max(0, Math.round(milliseconds * 1e6));
  if (nanoseconds === 0) return '0s';
  if (nanoseconds < 1e3) return `${nanoseconds}ns`;
  if (nanoseconds < 1e6) return `${nanoseconds / 1e3}µs`;
  if (nanoseconds < 1e9) return `${nanoseconds / 1e6}ms`;
  const seconds = nanoseconds / 1e9;
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds}s` : `${minutes}m${seconds - minutes * 60}s`;
}
