import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { packageRoot } from '../../src/ailang/package-root.js';
import { EmbeddedToolchain } from '../../src/toolchain/embedded/toolchain.js';
import { sandbox } from '../ailang/policy/scratch.js';
import { atEnd } from '../cleanup.js';
import { policyOf } from './policy-of.js';
import { gone } from './processes.js';

const program = (name: string, imports: string, body: string, effects = 'IO'): string =>
  `module ${name}\nimport std/io (println)\nimport std/result (Ok, Err)\n${imports}\nexport func main() -> () ! {${effects}} {\n${body}\n}\n`;

/** A toolchain with programs in a sandbox, and a way to run one. */
async function setUp(t: TestContext, files: Readonly<Record<string, string>>) {
  const place = sandbox(t, files);
  const toolchain = await EmbeddedToolchain.open();
  atEnd(t, () => toolchain.close());
  const policy = policyOf(place.policyFile, place.root);
  return { ...place, toolchain, run: (path: string) => toolchain.run(policy, { path }, 20_000) };
}

/** Each an operation that must fail, and why. */
const fileOperations: readonly (readonly [string, RegExp])[] = [
  ['readFileResult("link")', /escapes sandbox/],
  ['readFileResult("up/secret.txt")', /escapes sandbox/],
  ['readFileResult("etc/hostname")', /escapes sandbox/],
  ['readFileResult("../secret.txt")', /escapes sandbox/],
  ['readFileResult("/proc/self/environ")', /escapes sandbox/],
  ['readFileResult("sub/../../secret.txt")', /escapes sandbox/],
  ['writeFileResult("link", "x")', /escapes sandbox/],
  ['writeFileResult("up/new.txt", "x")', /escapes sandbox/],
  ['writeFileResult("innocent/config", "x")', /under \.git, which is read-only/],
  ['writeFileResult(".GIT/config", "x")', /under \.git, which is read-only/],
  ['writeFileResult("sub/../.git/x", "x")', /under \.git, which is read-only/],
  ['writeFileResult(".GitHub/x", "x")', /matches fs_deny_write "\.github\/\*\*"/],
  ['mkdirAllResult("up/made")', /escapes sandbox/],
  ['mkdirAllResult(".git/made")', /under \.git, which is read-only/],
  ['renameFileResult("files.ail", "up/stolen")', /escapes sandbox/],
  ['removeFileResult("up/secret.txt")', /escapes sandbox/],
  ['removeDirResult(".git")', /under \.git, which is read-only/],
  ['writeFileResult("nul\\0x", "x")', /invalid argument/],
];

test('no file operation leaves the sandbox or writes what is protected', async (t) => {
  const lines = fileOperations.map(([call]) => `  println(match ${call} { Ok(_) => "DONE", Err(m) => m })`).join(';\n');
  const imports =
    'import std/fs (readFileResult, writeFileResult, mkdirAllResult, renameFileResult, removeFileResult, removeDirResult)';
  const { outside, root, run } = await setUp(t, {
    'files.ail': program('files', imports, lines, 'IO, FS'),
    'sub/keep': '',
  });
  mkdirSync(join(root, '.git'));
  symlinkSync('../secret.txt', join(root, 'link'));
  symlinkSync('..', join(root, 'up'));
  symlinkSync('/etc', join(root, 'etc'));
  symlinkSync('.git', join(root, 'innocent'));
  const { stdout, stderr, exitCode } = await run('files.ail');
  assert.equal(exitCode, 0, stderr);
  const told = stdout.split('\n');
  for (const [index, [call, reason]] of fileOperations.entries()) assert.match(told[index] ?? '', reason, call);
  assert.equal(readFileSync(join(outside, 'secret.txt'), 'utf8'), 'secret\n');
  assert.deepEqual(readdirSync(outside).sort(), ['policy.toml', 'root', 'secret.txt']);
  assert.deepEqual(readdirSync(join(root, '.git')), []);
});

test('names and keys that mean something to JavaScript mean nothing special', async (t) => {
  const text = readFileSync(join(packageRoot(), 'test/fixtures/run/names.ail'), 'utf8');
  const expected = [...text.matchAll(/^--> (.*)$/gm)].map(([, line]) => line?.replace('<LS>', '\u2028'));
  const { run } = await setUp(t, { 'names.ail': text });
  const { stdout, stderr } = await run('names.ail');
  assert.deepEqual(stdout.trimEnd().split('\n'), expected, stderr);
});

test('other programs, the environment and hidden effects are refused before anything runs', async (t) => {
  const { run } = await setUp(t, {
    'environment.ail': program('environment', 'import std/env (getEnv)', '  println(show(getEnv("PATH")))', 'IO, Env'),
    'process.ail': program('process', 'import std/process (exec)', '  println(show(exec("id", [])))', 'IO, Process'),
    'native.ail': program('native', '', '  println(show(_process_exec("id", [])))'),
    'hidden.ail': `module hidden\nimport std/process (exec)\nfunc sneaky() -> () = { let x = exec("id", []); () }\nexport func main() -> () = sneaky()\n`,
  });
  for (const [file, kind, missing] of [
    ['environment.ail', 'policy_violation', ['Env']],
    ['process.ail', 'policy_violation', ['Process']],
    ['native.ail', 'typecheck_failed', undefined],
    ['hidden.ail', 'typecheck_failed', undefined],
  ] as const) {
    const { exitCode, stdout, stderr } = await run(file);
    const { decision } = JSON.parse(stdout) as { decision: Record<string, unknown> };
    assert.deepEqual([exitCode, stderr], [2, ''], file);
    assert.deepEqual([decision.error_kind, decision.missing_from_policy], [kind, missing], file);
  }
});

test('what is too large or goes on for ever ends as a failure or a limit, and leaves no process', async (t) => {
  const doubling = Array.from({ length: 30 }, (_, index) => `  let p${index + 1} = \\x. p${index}(p${index}(x));`);
  const { toolchain, run } = await setUp(t, {
    'flood.ail': `module flood\nfunc go(n: int) -> int ! {IO} { println("\${n}: ${'x'.repeat(200)}"); go(n + 1) }\nexport func main() -> () ! {IO} { let n = go(0); () }\n`,
    'forever.ail': 'module forever\nfunc go(n: int) -> int = go(n + 1)\nexport func main() -> int = go(0)\n',
    'one_line.ail': program('one_line', 'import std/string (repeat)', '  println(repeat("abcdefgh", 4000000))'),
    'giant.ail': program('giant', 'import std/string (repeat)', '  println(repeat("abcdefgh", 100000000))'),
    'doubling.ail': program(
      'doubling',
      '',
      '  letrec f = \\n acc. if n == 0 then acc else f(n - 1, "${acc}${acc}");\n  println(f(60, "x"))',
    ),
    'range.ail': program('range', 'import std/list (range, length)', '  println(show(length(range(0, 2000000000))))'),
    'types.ail': program('types', '', `  let p0 = \\x. (x, x);\n${doubling.join('\n')}\n  println("typed")`),
    'nested.ail': program('nested', '', `  println(show(${'('.repeat(20_000)}1${')'.repeat(20_000)}))`),
    'regex.ail': program(
      'regex',
      'import std/regex (compile, isMatch)\nimport std/string (repeat)',
      '  println(match compile("(a+)+$") { Ok(r) => show(isMatch(r, "${repeat("a", 5000)}!")), Err(e) => e })',
    ),
  });
  const pids = await toolchain.warm();
  const rows: readonly (readonly [string, number, RegExp])[] = [
    ['flood.ail', 3, /"reason":"output_limit"[^\n]*"stage":"execute"/],
    ['forever.ail', 3, /"reason":"timeout"[^\n]*"stage":"execute"/],
    ['one_line.ail', 3, /"reason":"output_limit"/],
    ['giant.ail', 1, /^Error: execution failed: RT007: /],
    ['doubling.ail', 1, /^Error: execution failed: RT007: /],
    ['range.ail', 1, /^Error: execution failed: RT007: /],
    ['types.ail', 2, /^$/],
    ['nested.ail', 2, /^$/],
    ['regex.ail', 0, /^policy: /],
  ];
  for (const [file, exitCode, stderr] of rows) {
    const result = await run(file);
    assert.equal(result.exitCode, exitCode, `${file}: ${result.stderr}`);
    assert.match(result.stderr, stderr, file);
  }
  await gone(pids);
});
