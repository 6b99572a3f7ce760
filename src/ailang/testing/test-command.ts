import { parseArgs } from 'node:util';
import { parse as parseToml } from 'smol-toml';
import { check } from '../check.js';
import type { CheckOptions, SourceHost } from '../interfaces.js';
import { findSources, type SourceTree } from './find-files.js';
import { jsonReport, succeeded, type TestReport, textReport } from './report.js';
import { defaultLimits, locationOf, runModuleTests, type TestClock, type TestLimits } from './run-module-tests.js';
import { BadSetting, readSettings, type TestSettings } from './settings.js';
import type { TestResult } from './test-result.js';

/** What the test command may look at; it writes nothing. Paths are relative to the root of `sources`. */
export interface TestIo {
  readonly sources: SourceHost;
  readonly tree: SourceTree;
  readonly std: CheckOptions['std'];
  readonly builtins: CheckOptions['builtins'];
  readonly packages?: CheckOptions['packages'];
  readonly relaxModules: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: TestClock;
  /** A seed from 0 up to 2^32, for a run without AILANG_TEST_SEED. */
  readonly randomSeed: () => number;
  /** Whether the output goes to a terminal. */
  readonly colour: boolean;
  readonly limits?: TestLimits;
}

export interface TestOutcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

const options = {
  json: { type: 'boolean' },
  'allow-skips': { type: 'boolean' },
  'no-color': { type: 'boolean' },
  package: { type: 'boolean' },
} as const;

/**
 * `test [--json] [--allow-skips] [--no-color] [--package] [path…]` (ailang-cli section 10). Exit code 0 when something
 * ran and nothing failed, 1 otherwise, 2 for a wrong command line.
 */
export function testCommand(args: readonly string[], io: TestIo): TestOutcome {
  const command = readArguments(args);
  if (typeof command === 'string') return { stdout: '', stderr: `Error: ${command}\n`, exitCode: 2 };
  const { flags, paths } = command;
  const colour = io.colour && flags['no-color'] !== true && !io.environment.NO_COLOR;
  let settings: TestSettings;
  let title: string;
  let files: readonly string[];
  try {
    settings = readSettings(io.environment, io.randomSeed());
    title = flags.package ? packageName(io, paths[0] ?? '.') : 'All Tests';
    files = paths.flatMap((path) => sourcesAt(io, path, flags.package ? '_test.ail' : '.ail'));
  } catch (error) {
    if (error instanceof BadSetting) return { stdout: '', stderr: `Error: ${error.message}\n`, exitCode: 2 };
    if (error instanceof NoSuchPath) return { stdout: '', stderr: `Error: ${error.message}\n`, exitCode: 1 };
    throw error;
  }
  const where = paths.join(', ');
  const preamble = `→ Running tests in ${where}\n`;
  const [early, late] = flags.json ? [preamble, ''] : ['', `${preamble}\n`];
  if (files.length === 0) {
    const what = flags.package ? '*_test.ail' : '.ail';
    return { stdout: `${late}⚠ No ${what} files found in ${where}\n`, stderr: early, exitCode: 0 };
  }
  const from = io.clock.now();
  const results = files.flatMap((file) => testFile(file, settings, io, from));
  const success = succeeded(results, flags['allow-skips'] === true);
  const report: TestReport = { title, seed: settings.seed, results, milliseconds: io.clock.now() - from, success };
  const stdout = flags.json ? jsonReport(report) : late + textReport(report, colour);
  return { stdout, stderr: early, exitCode: success ? 0 : 1 };
}

function readArguments(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    return { flags: values, paths: positionals.length === 0 ? ['.'] : positionals.map(cleanPath) };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function cleanPath(path: string): string {
  return path.replace(/\/+$/, '').replace(/^(\.\/)+/, '') || (path.startsWith('/') ? '/' : '.');
}

class NoSuchPath extends Error {}

function sourcesAt(io: TestIo, path: string, suffix: string): readonly string[] {
  const kind = io.tree.kind(path);
  if (kind === null) throw new NoSuchPath(`cannot access '${path}': stat ${path}: no such file or directory`);
  return kind === 'directory' ? findSources(io.tree, path, suffix) : [path];
}

function packageName(io: TestIo, directory: string): string {
  const path = directory === '.' ? 'ailang.toml' : `${directory}/ailang.toml`;
  const text = io.sources.read(path);
  if (text === null)
    throw new NoSuchPath(`no ailang.toml found in ${directory}\nHint: --package tests the package of a directory`);
  try {
    const { package: found } = parseToml(text);
    const named = typeof found === 'object' && found !== null && 'name' in found ? found.name : null;
    return typeof named === 'string' ? named : directory;
  } catch (error) {
    throw new NoSuchPath(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function testFile(file: string, settings: TestSettings, io: TestIo, begin: number): readonly TestResult[] {
  const from = io.clock.now();
  const broken = (name: string, location: string, error: string): TestResult[] => [
    { kind: 'test', name, location, status: 'fail', milliseconds: io.clock.now() - from, error, cases: 0 },
  ];
  const { sources, std, builtins, packages = null, relaxModules } = io;
  let checked: ReturnType<typeof check>;
  try {
    checked = check({ file, host: sources, std, builtins, packages, relaxModules, tests: true });
  } catch (error) {
    return broken('read', file, error instanceof Error ? error.message : String(error));
  }
  const { program, tests, diagnostics } = checked;
  const [first] = diagnostics;
  const limits = io.limits ?? defaultLimits;
  if (program !== null)
    return runModuleTests(program, tests, settings, limits, io.clock, begin + limits.totalMilliseconds);
  const lines = diagnostics.map(({ message, code, position, suggestion }) => {
    const place = position === null ? '' : `${locationOf(position)}: `;
    return `${place}${message} [${code}]${suggestion === undefined ? '' : `\n  Hint: ${suggestion}`}`;
  });
  const location = first?.position ? locationOf(first.position) : file;
  return broken(first?.code.startsWith('PAR') ? 'parse' : 'check', location, lines.join('\n'));
}
