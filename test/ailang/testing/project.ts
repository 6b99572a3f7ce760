import { builtins } from '../../../src/ailang/std/builtins.js';
import { stdSource } from '../../../src/ailang/std/source.js';
import { type TestIo, type TestOutcome, testCommand } from '../../../src/ailang/testing/test-command.js';

export type Files = Readonly<Record<string, string>>;

/** A project in memory. */
export function ioOf(files: Files, change: Partial<TestIo> = {}): TestIo {
  const read = (path: string): string | null => (Object.hasOwn(files, path) ? (files[path] ?? null) : null);
  const inside = (path: string): string[] =>
    Object.keys(files).filter((file) => path === '.' || file.startsWith(`${path}/`));
  let time = 0;
  return {
    sources: { read },
    tree: {
      kind: (path) => (read(path) !== null ? 'file' : inside(path).length > 0 ? 'directory' : null),
      list: (path) => [
        ...new Set(inside(path).map((file) => file.slice(path === '.' ? 0 : path.length + 1).split('/')[0] ?? '')),
      ],
    },
    std: stdSource,
    builtins,
    relaxModules: false,
    environment: { AILANG_TEST_SEED: '7' },
    clock: { now: () => time++ },
    randomSeed: () => 99,
    colour: false,
    ...change,
  };
}

export const tested = (files: Files, args: readonly string[] = [], change: Partial<TestIo> = {}): TestOutcome =>
  testCommand(args, ioOf(files, change));

interface Entry {
  readonly name: string;
  readonly status: string;
  readonly duration: string;
  readonly location: string;
  readonly error?: string;
  readonly tests_run?: number;
  readonly failing_input?: string;
}

export interface Report {
  readonly failed_tests: number;
  readonly passed_tests: number;
  readonly skipped_tests: number;
  readonly total_tests: number;
  readonly success: boolean;
  readonly seed: number;
  readonly module_path: string;
  readonly tests: readonly Entry[];
  readonly properties: readonly Entry[];
}

/** The JSON report of one module `m`, given without its first line. */
export function report(body: string, change: Partial<TestIo> = {}): Report {
  return JSON.parse(tested({ 'm.ail': `module m\n${body}` }, ['--json'], change).stdout);
}
