import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runOutcome } from '../../src/broker/run-outcome.js';
import { POLICY } from './doubles.js';

const decision = { allowed_caps: ['FS', 'IO'], declared_effects: ['IO'], function: 'main', ok: true };
const admission = `policy: ${JSON.stringify({ ok: true, policy_digest: POLICY.digest, decision })}\n`;
const limit = (stage: string) =>
  `policy-result: ${JSON.stringify({ message: 'm', policy_digest: POLICY.digest, reason: 'timeout', stage, version: 1 })}\n`;
const outcome = (exitCode: number | null, stdout: string, stderr: string) =>
  runOutcome({ exitCode, stdout, stderr }, POLICY);
const policy = { digest: POLICY.digest, security_mode: 'restricted', caps: ['FS', 'IO'], net_allow: [] };

test('(a) admitted', () => {
  assert.deepEqual(outcome(0, 'hello\n', admission), {
    admitted: true,
    decision,
    limit: null,
    exit_code: 0,
    stdout: 'hello\n',
    stderr: admission,
    policy,
  });
});

test('(b) admitted, then refused at run time', () => {
  const result = outcome(1, '', `Error: execution failed: readFile: escapes\n${admission}`);
  assert.deepEqual([result?.admitted, result?.exit_code, result?.limit], [true, 1, null]);
});

test('(c) refused before execution', () => {
  const denied = { ok: false, error_kind: 'policy_violation', missing_from_policy: ['Net'] };
  const result = outcome(2, JSON.stringify({ file: 'a.ail', decision: denied }, null, 2), '');
  assert.deepEqual([result?.admitted, result?.decision, result?.limit], [false, denied, null]);
});

test('(d) a supervisor limit, during the run and before it', () => {
  const running = outcome(3, 'part', admission + limit('execute'));
  assert.deepEqual([running?.admitted, running?.limit], [true, { reason: 'timeout', stage: 'execute', message: 'm' }]);
  const compiling = outcome(3, '', limit('admit'));
  assert.deepEqual([compiling?.admitted, compiling?.decision], [false, null]);
});

const NOTHING: readonly (readonly [string, number | null, string, string])[] = [
  ['a child that died', null, '', admission],
  ['success without the policy line', 0, 'hello', ''],
  ['a decision on stdout although something stands on stderr', 2, '{"decision":{"ok":false}}', 'x\n'],
  ['a decision that allows', 2, '{"decision":{"ok":true}}', ''],
  ['a policy line of another policy', 0, '', admission.replaceAll('d'.repeat(64), 'e'.repeat(64))],
  ['a policy line behind a lone CR', 0, '', `policy: {"policy_digest":"x"\r${'\u2028'}`],
  ['a limit with an exit code that is none', 1, '', limit('admit')],
];

for (const [name, exitCode, stdout, stderr] of NOTHING) {
  test(`no outcome: ${name}`, () => assert.equal(outcome(exitCode, stdout, stderr), null));
}

test('a program that prints a limit line of its own is not believed: the real line comes after it', () => {
  const result = outcome(3, '', limit('execute') + admission);
  assert.deepEqual([result?.admitted, result?.limit], [true, null]);
});

test('a policy line glued to the program’s unfinished last line is found', () => {
  assert.equal(outcome(0, '', `no newline${admission}`)?.admitted, true);
});
