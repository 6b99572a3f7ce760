import assert from 'node:assert/strict';
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sandbox, scratch } from '../policy/scratch.js';
import { ailang } from './program.js';

const loose = 'module m\nfunc f( x:int )->int { x+1 }\n';
const canonical = 'module m\n\nfunc f(x: int) -> int {\n  x + 1\n}\n';
const tests = 'module t\nfunc f(x: int) -> int tests [(1, 2)] { x + 1 }\nproperty "small" (x: int) = x < 20\n';

test('fmt prints, checks, and writes with the mode kept', (t) => {
  const cwd = scratch(t, { 'm.ail': loose });
  chmodSync(join(cwd, 'm.ail'), 0o755);
  assert.deepEqual(ailang(['fmt', 'm.ail'], { cwd }), { status: 0, stdout: canonical, stderr: '' });
  assert.deepEqual(ailang(['fmt', '--check', 'm.ail'], { cwd }), { status: 1, stdout: 'm.ail\n', stderr: '' });
  assert.deepEqual(ailang(['fmt', '--write', 'm.ail'], { cwd }), { status: 0, stdout: '', stderr: '' });
  assert.equal(readFileSync(join(cwd, 'm.ail'), 'utf8'), canonical);
  assert.equal(statSync(join(cwd, 'm.ail')).mode & 0o777, 0o755);
  assert.deepEqual(readdirSync(cwd), ['m.ail']);
  assert.equal(ailang(['fmt', '--check', 'm.ail'], { cwd }).status, 0);
});

test('test walks a directory, follows no links, and leaves nothing behind', (t) => {
  const cwd = scratch(t, { 't.ail': tests });
  symlinkSync('.', join(cwd, 'loop'));
  const { status, stdout, stderr } = ailang(['test', '--json'], { cwd, env: { AILANG_TEST_SEED: '3' } });
  const report = JSON.parse(stdout);
  assert.deepEqual([status, stderr, report.total_tests, report.seed], [1, '→ Running tests in .\n', 2, 3]);
  assert.equal(report.properties[0].failing_input, 'x = 20');
  assert.deepEqual(readdirSync(cwd).sort(), ['loop', 't.ail']);
});

test('under a policy fmt and test stay in the sandbox and write nothing', (t) => {
  const { root, policyFile } = sandbox(t, {
    'm.ail': loose,
    't.ail': tests,
    'sub/t.ail': tests.replace('module t', 'module sub/t'),
  });
  const op = (request: object) =>
    JSON.parse(ailang(['policy-tool', '--policy', policyFile], { cwd: root, input: JSON.stringify(request) }).stdout);
  assert.deepEqual(op({ op: 'fmt', path: 'm.ail' }), { ok: true, argv: ['fmt', 'm.ail'], stdout: canonical });
  assert.deepEqual(op({ op: 'fmt', path: 'm.ail', flags: { check: '' } }).exit_code, 1);
  const write = op({ op: 'fmt', path: 'm.ail', flags: { write: '' } });
  assert.equal(write.ok, false);
  assert.equal(readFileSync(join(root, 'm.ail'), 'utf8'), loose);
  const run = op({ op: 'test', path: 't.ail', flags: { json: '' } });
  assert.deepEqual([run.ok, run.exit_code, JSON.parse(run.stdout).failed_tests], [false, 1, 1]);
  assert.equal(JSON.parse(op({ op: 'test', flags: { json: '' } }).stdout).total_tests, 4);
});
