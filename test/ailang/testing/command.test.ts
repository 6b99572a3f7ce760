import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type Files, tested } from './project.js';

const passing = 'module a\ntest "one" = true\nproperty "p" (x: int) = true\n';
const failing = 'module b\ntest "two" = false\n';
const skipped = 'module c\nproperty "s" (f: int -> int) = true\n';

/** Each row: files, arguments, exit code. */
const exits: readonly (readonly [string, Files, readonly string[], number])[] = [
  ['all pass', { 'a.ail': passing }, [], 0],
  ['one fails', { 'a.ail': passing, 'b.ail': failing }, [], 1],
  ['only the passing file is named', { 'a.ail': passing, 'b.ail': failing }, ['a.ail'], 0],
  ['all are skipped', { 'c.ail': skipped }, [], 1],
  ['all are skipped, and may be', { 'c.ail': skipped }, ['--allow-skips'], 0],
  ['some are skipped', { 'a.ail': passing, 'c.ail': skipped }, [], 0],
  ['no file is found', { 'README.md': '' }, [], 0],
  ['the path does not exist', { 'a.ail': passing }, ['nope'], 1],
  ['a flag is unknown', { 'a.ail': passing }, ['--nope'], 2],
  ['--package without a manifest', { 'a.ail': passing }, ['--package'], 1],
];

describe('exit codes', () => {
  for (const [name, files, args, code] of exits)
    for (const json of [[], ['--json']])
      test(`${name}${json.length > 0 ? ', with --json' : ''}`, () =>
        assert.equal(tested(files, [...args, ...json]).exitCode, code));
});

test('the JSON report has its keys in alphabetical order and nothing else on stdout', () => {
  const { stdout, stderr } = tested({ 'a.ail': passing }, ['--json']);
  const report = JSON.parse(stdout);
  assert.deepEqual(Object.keys(report), [
    ...['failed_tests', 'module_path', 'passed_tests', 'properties', 'seed', 'skipped_tests', 'success', 'tests'],
    ...['total_duration', 'total_tests'],
  ]);
  assert.deepEqual(Object.keys(report.tests[0]), ['name', 'status', 'duration', 'location']);
  assert.deepEqual(Object.keys(report.properties[0]), ['name', 'status', 'duration', 'tests_run', 'location']);
  assert.equal(report.module_path, 'All Tests');
  assert.match(report.total_duration, /^\d+ms$/);
  assert.equal(stderr, '→ Running tests in .\n');
});

test('no files: a notice on stdout, even with --json', () => {
  const { stdout, stderr } = tested({ 'x.md': '' }, ['--json', '.']);
  assert.equal(stdout, '⚠ No .ail files found in .\n');
  assert.equal(stderr, '→ Running tests in .\n');
});

test('the text report names the place, the counterexample and the seed', () => {
  const files = { 'sub/d.ail': 'module sub/d\nproperty "small" (x: int) = x < 3\ntest "fine" = true\n' };
  const { stdout, stderr } = tested(files, ['sub']);
  assert.equal(stderr, '');
  assert.match(stdout, /^→ Running tests in sub\n\n✗ small \(\d+ms, \d+ cases?\)\n {4}at sub\/d\.ail:2:1\n/);
  assert.match(stdout, / {4}counterexample: x = 3\n {4}the property does not hold\n✓ fine \(/);
  assert.match(stdout, /Seed: 7 \(set AILANG_TEST_SEED=7/);
  assert.match(stdout, /2 tests: 1 passed, 1 failed, 0 skipped \(\d+ms\)\n$/);
});

test('colours only on a terminal, and not with --no-color or NO_COLOR', () => {
  const coloured = (args: string[], environment = {}, colour = true): boolean =>
    tested({ 'a.ail': passing }, args, { colour, environment }).stdout.includes('\u001b[');
  assert.deepEqual(
    [coloured([]), coloured(['--no-color']), coloured([], { NO_COLOR: '1' }), coloured([], {}, false)],
    [true, false, false, false],
  );
});

test('--package runs the *_test.ail files of a package under its name', () => {
  const files = {
    'lib/ailang.toml': '[package]\nname = "acme/lib"\nversion = "1.0.0"\n',
    'lib/core.ail': 'module core\nexport func one() -> int { 1 }\ntest "not run" = false\n',
    'lib/core_test.ail': 'module core_test\nimport core (one)\ntest "one" = one() == 1\n',
  };
  const { stdout, exitCode } = tested(files, ['--json', '--package', 'lib']);
  const report = JSON.parse(stdout);
  assert.deepEqual([report.module_path, report.total_tests, exitCode], ['acme/lib', 1, 0], stdout);
});

test('a directory is walked in the order of paths, hidden ones left out', () => {
  const named = (path: string): string => `module ${path}\ntest "${path}" = true\n`;
  const files = Object.fromEntries(
    ['z', 'a/c', 'a/b', '.git/x', 'node_modules/y'].map((path) => [`${path}.ail`, named(path)]),
  );
  const names = JSON.parse(tested(files, ['--json']).stdout).tests.map((one: { name: string }) => one.name);
  assert.deepEqual(names, ['a/b', 'a/c', 'z']);
});

test('a bad setting is a usage error that names it', () => {
  const { stderr, exitCode } = tested({ 'a.ail': passing }, [], { environment: { AILANG_TEST_RUNS: 'many' } });
  assert.equal(exitCode, 2);
  assert.match(stderr, /AILANG_TEST_RUNS is "many"/);
});

test('nothing is left behind', () => {
  const directory = mkdtempSync(join(tmpdir(), 'ailang-test-'));
  try {
    writeFileSync(join(directory, 'a.ail'), passing);
    writeFileSync(join(directory, 'b.ail'), failing);
    tested({}, [], {
      sources: { read: (path) => readFileSync(join(directory, path), 'utf8') },
      tree: {
        kind: (path) => (statSync(join(directory, path)).isDirectory() ? 'directory' : 'file'),
        list: (path) => readdirSync(join(directory, path)),
      },
    });
    assert.deepEqual(readdirSync(directory).sort(), ['a.ail', 'b.ail']);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
