import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type FmtOutcome, fmtCommand } from '../../../src/ailang/format/fmt-command.js';

const canonical = 'let x = 1\n';
const loose = 'let   x=1';
const files: Readonly<Record<string, string>> = {
  'good.ail': canonical,
  'loose.ail': loose,
  'broken.ail': 'func f( = 1',
  'hole.ail': 'let x = "${ 1 -- c\n }"',
};

function fmt(args: readonly string[], writable = true): FmtOutcome & { readonly written: Record<string, string> } {
  const written: Record<string, string> = {};
  const write = (path: string, text: string): void => {
    written[path] = text;
  };
  const read = (path: string): string | null => {
    if (path === 'locked.ail') throw new Error('permission denied');
    return Object.hasOwn(files, path) ? (files[path] ?? null) : null;
  };
  const sourcesIn = (path: string) => (path === 'src' ? ['good.ail', 'loose.ail'] : null);
  return { ...fmtCommand(args, { read, sourcesIn, write: writable ? write : null }), written };
}

test('no flag: the canonical text on stdout, nothing written', () => {
  assert.deepEqual(fmt(['loose.ail']), { stdout: canonical, stderr: '', exitCode: 0, written: {} });
});

test('--check names each file that is not canonical', () => {
  assert.deepEqual(fmt(['--check', 'good.ail']), { stdout: '', stderr: '', exitCode: 0, written: {} });
  assert.deepEqual(fmt(['good.ail', 'loose.ail', '--check']), {
    stdout: 'loose.ail\n',
    stderr: '',
    exitCode: 1,
    written: {},
  });
});

test('a directory stands for its sources, with --check and --write only', () => {
  assert.deepEqual(fmt(['--check', 'src']).stdout, 'loose.ail\n');
  assert.deepEqual(fmt(['--write', 'src']).written, { 'loose.ail': canonical });
  assert.equal(fmt(['src']).exitCode, 2);
});

test('--write replaces only what is not canonical', () => {
  const { exitCode, stdout, written } = fmt(['--write', 'good.ail', 'loose.ail']);
  assert.deepEqual({ exitCode, stdout, written }, { exitCode: 0, stdout: '', written: { 'loose.ail': canonical } });
});

test('--write does nothing to a file it refuses, and still writes the others', () => {
  const { exitCode, written } = fmt(['--write', 'broken.ail', 'loose.ail', 'hole.ail']);
  assert.deepEqual({ exitCode, written }, { exitCode: 3, written: { 'loose.ail': canonical } });
});

/** Each row: arguments, exit code, stderr. */
const failures: readonly (readonly [string, readonly string[], number, RegExp])[] = [
  ['no file', [], 2, /^Error: a file is missing/],
  ['two files without a flag', ['good.ail', 'loose.ail'], 2, /^Error: .*one file/],
  ['both flags', ['--check', '--write', 'good.ail'], 2, /^Error: --check and --write exclude each other/],
  ['an unknown flag', ['--fix', 'good.ail'], 2, /^Error: .*--fix/],
  ['a missing file', ['none.ail'], 2, /^Error: none\.ail: no such file/],
  ['an unreadable file', ['locked.ail'], 2, /^Error: locked\.ail: permission denied/],
  ['a comment in a hole', ['hole.ail'], 2, /^Error: hole\.ail:1:15: a comment inside an expression/],
  ['a file that does not parse', ['broken.ail'], 3, /^broken\.ail:1:\d+: parse error: /],
  ['drift and a parse error', ['--check', 'loose.ail', 'broken.ail'], 3, /parse error/],
];

describe('failures', () => {
  for (const [name, args, exitCode, stderr] of failures)
    test(name, () => {
      const result = fmt(args);
      assert.equal(result.exitCode, exitCode);
      assert.match(result.stderr, stderr);
    });
});

test('--write is refused where files are read-only', () => {
  const { exitCode, stderr } = fmt(['--write', 'loose.ail'], false);
  assert.equal(exitCode, 2);
  assert.match(stderr, /--write is not allowed here/);
});
