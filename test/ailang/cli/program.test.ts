import assert from 'node:assert/strict';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { restrictedPolicy, sandbox, scratch } from '../policy/scratch.js';
import { ailang } from './program.js';

const hello = 'module hello\nimport std/io (println)\nexport func main() -> () ! {IO} = println("hello")\n';

test('run without a policy grants exactly --caps', (t) => {
  const cwd = scratch(t, { 'hello.ail': hello });
  assert.deepEqual(ailang(['run', '--caps', 'IO', 'hello.ail'], { cwd }), { status: 0, stdout: 'hello\n', stderr: '' });
  const refused = ailang(['run', 'hello.ail'], { cwd });
  assert.equal(refused.status, 1);
  assert.match(
    refused.stderr,
    /^Error: execution failed: effect 'IO' requires capability, but none provided\nHint: Run with --caps IO\n$/,
  );
});

test('run passes standard input, arguments and the exit code', (t) => {
  const cwd = scratch(t, {
    'p.ail':
      'module p\nimport std/io (println, readLine, exit)\nimport std/env (getArgs)\nexport func main() -> () ! {IO, Env} {\n  println("${readLine()} ${show(getArgs())}");\n  exit(7)\n}\n',
  });
  const result = ailang(['run', '--caps', 'IO,Env', 'p.ail', '--', 'a', '--b'], { cwd, input: 'line\n' });
  assert.deepEqual(result, { status: 7, stdout: 'line [a, --b]\n', stderr: '' });
});

test('run --policy prints as the official program does', (t) => {
  const { root, policyFile } = sandbox(t, { 'hello.ail': hello });
  const { status, stdout, stderr } = ailang(['run', '--policy', policyFile, '--', 'hello.ail'], { cwd: root });
  assert.deepEqual([status, stdout], [0, 'hello\n']);
  assert.match(stderr, /^policy: \{"ok":true,[^\n]*\}\n$/);
});

test('refusals of run --policy go to standard error with exit code 1', (t) => {
  const { root, outside, policyFile } = sandbox(t, { 'hello.ail': hello });
  const widened = ailang(['run', '--policy', policyFile, '--caps', 'IO', 'hello.ail'], { cwd: root });
  assert.deepEqual([widened.status, widened.stdout], [1, '']);
  assert.match(widened.stderr, /^Error: --policy: --caps is not allowed with --policy — /);
  const missing = ailang(['run', '--policy', join(outside, 'none.toml'), 'hello.ail'], { cwd: root });
  assert.match(missing.stderr, /^Error: --policy: policy: cannot read /);
  symlinkSync('../secret.txt', join(root, 'out.ail'));
  for (const file of ['/etc/hosts', 'out.ail', '../secret.txt']) {
    const refused = ailang(['run', '--policy', policyFile, file], { cwd: root });
    assert.deepEqual([refused.status, refused.stdout], [1, '']);
    assert.ok(
      refused.stderr.startsWith(`Error: --policy: program ${file} is outside fs_sandbox ${root} — `),
      refused.stderr,
    );
  }
});

test('a source that is too large is not read', (t) => {
  const { root, policyFile } = sandbox(t, { 'hello.ail': hello }, (at) =>
    restrictedPolicy(at, 'max_source_bytes = 10'),
  );
  const { status, stdout } = ailang(['run', '--policy', policyFile, 'hello.ail'], { cwd: root });
  const document = JSON.parse(stdout);
  assert.deepEqual([status, document.source_too_large, document.decision.error_kind], [2, true, 'source_too_large']);
  assert.equal(document.decision.message, `source size ${hello.length} exceeds max_source_bytes=10`);
});

test('a module graph that is too large is not run', (t) => {
  const { root, policyFile } = sandbox(t, { 'hello.ail': hello }, (at) =>
    restrictedPolicy(at, 'max_module_graph_bytes = 10'),
  );
  const { status, stdout } = ailang(['run', '--policy', policyFile, 'hello.ail'], { cwd: root });
  assert.deepEqual([status, JSON.parse(stdout).decision.error_kind], [2, 'source_too_large']);
});

test('a program that declares what this build cannot perform is refused, though the policy allows it', (t) => {
  const ai = 'module a\nimport std/ai (call)\nexport func main() -> string ! {AI} = call("hello")\n';
  const { root, policyFile } = sandbox(
    t,
    { 'a.ail': ai },
    (at) => `${restrictedPolicy(at, 'ai_provider = "local"').replace('["IO", "FS"]', '["FS", "AI"]')}AI = 1\n`,
  );
  const { status, stderr } = ailang(['run', '--policy', policyFile, 'a.ail'], { cwd: root });
  assert.equal(status, 1);
  assert.match(stderr, /^Error: --policy: the embedded toolchain has no adapter for AI — /);
});

test('policy-tool answers on standard output with exit code 0, refusals included', (t) => {
  const { root, policyFile } = sandbox(t, { 'a<b>.txt': '1 & 2' });
  const ask = (request: string, args = ['--policy', policyFile]) =>
    ailang(['policy-tool', ...args], { cwd: root, input: request });
  assert.deepEqual(ask('{"op":"read","path":"a<b>.txt"}'), {
    status: 0,
    stdout: '{\n  "ok": true,\n  "content": "1 \\u0026 2"\n}\n',
    stderr: '',
  });
  assert.deepEqual(JSON.parse(ask('nonsense').stdout).ok, false);
  const unread = ask('{}', ['--policy', '/nowhere.toml']);
  assert.deepEqual(
    [unread.status, JSON.parse(unread.stdout).refused],
    [0, 'policy: cannot read /nowhere.toml: open /nowhere.toml: no such file or directory'],
  );
  const none = ailang(['policy-tool'], { cwd: root, env: { AILANG_AGENT_POLICY: '' } });
  assert.deepEqual([none.status, none.stdout], [1, '']);
  assert.match(none.stderr, /--policy.*AILANG_AGENT_POLICY/);
  const byName = ailang(['policy-tool'], {
    cwd: root,
    input: '{"op":"version"}',
    env: { AILANG_AGENT_POLICY: policyFile },
  });
  assert.equal(JSON.parse(byName.stdout).ok, true);
  assert.equal(existsSync(join(root, '.ailang')), false);
});

test('without a command it explains itself', () => {
  const { status, stdout } = ailang([]);
  assert.equal(status, 2);
  assert.match(stdout, /Usage:\n {2}ailang <command> …\n[\s\S]*\n {2}run {15}run a program\n/);
  assert.equal(ailang(['--help']).status, 0);
  assert.equal(ailang(['run']).status, 2);
});
