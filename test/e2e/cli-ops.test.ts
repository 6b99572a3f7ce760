import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { CLI_OPS } from '../../src/tools/cli-ops.js';
import { ailang } from '../ailang/cli/program.js';
import { connect, type Output } from './client.js';
import { HELLO, makeSandbox, startDaemon } from './world.js';

const lock = {
  schema: 'ailang.lock/v1',
  packages: [
    { name: 'acme/auth', version: '1.10.0', source: 'registry', exports: ['acme/auth/token'] },
    { name: 'acme/base', version: '0.1.0', source: 'registry', exports: [] },
  ],
};

const files = {
  'hello.ail': HELLO,
  'untidy.ail': 'module untidy\nfunc   f( n:int )->int=n   +1\n',
  'broken.ail': 'module broken\n\nexport func main() -> int = "a"\n',
  'sugar.ail': 'module sugar\nfunc f(x: int) -> [int] = x :: []\n',
  'lib/math.ail':
    'module lib/math\n\nexport type Sign = Plus | Minus\n\nexport pure func half(n: int) -> int ! {}\n  requires { n >= 0 }\n  ensures { result * 2 <= n }\n  tests [(4, 2), (5, 2)]\n{ n / 2 }\n',
  'wrong.ail': 'module wrong\n\npure func one() -> int tests [((), 2)] { 1 }\n',
  'claims.ail': 'module claims\n\npure func f(n: int) -> int ! {}\n  ensures { result > n }\n{ n }\n',
  'net.ail':
    'module net\nimport std/net (httpGet)\nexport func main() -> () ! {IO, Net} = println(httpGet("http://127.0.0.1:1/"))\n',
  'uses_package.ail':
    'module uses_package\nimport pkg/acme/auth/token (size)\nexport func main() -> () ! {IO} = println(show(size()))\n',
  'ailang.toml':
    '[package]\nname = "acme/app"\nversion = "0.3.0"\n\n[dependencies]\n"acme/auth" = "1"\n"acme/base" = "0.1"\n"acme/local" = { path = "parts/local" }\n',
  'ailang.lock': JSON.stringify(lock),
  'parts/local/ailang.toml': '[package]\nname = "acme/local"\nversion = "0.0.1"\n',
  'parts/local/local_test.ail': 'module local_test\n\ntest "adds" = 1 + 1 == 2\n',
};

const cache = {
  'acme/auth/1.9.0/AGENT.md': '# Old\n',
  'acme/auth/1.10.0/AGENT.md': '# acme/auth\n\nTokens.\n',
  'acme/auth/1.10.0/ailang.toml':
    '[package]\nname = "acme/auth"\nversion = "1.10.0"\n\n[dependencies]\n"acme/base" = "0.1"\n"acme/gone" = "2"\n',
  'acme/auth/1.10.0/token.ail': 'module acme/auth/token\nexport func size() -> int = 7\n',
  'acme/base/0.1.0/base.ail': 'module acme/base/base\n',
};

interface Row {
  readonly args: Output & { readonly op: string };
  /** The command line that the operation stands for; `POLICY` is the policy's file. */
  readonly argv: string;
  readonly code?: number;
  readonly stdout?: RegExp;
  readonly stderr?: RegExp;
}

const empty = /^$/;
const usage = '🏷️ {2}Available tags:';

/** Every operation with every flag it admits, and the answers that are no success. */
const rows: readonly Row[] = [
  { args: { op: 'agent_prompt' }, argv: 'agent-prompt', stdout: /^# Working with AILANG/ },
  { args: { op: 'prompt' }, argv: 'prompt', stdout: /^# AILANG for a model/ },
  { args: { op: 'devtools_prompt' }, argv: 'devtools-prompt', stdout: /^# Tools for AILANG development/ },
  { args: { op: 'axioms' }, argv: 'axioms', stdout: /^AILANG axioms, .*\nScore: \d+\/24\n/ },
  { args: { op: 'version' }, argv: 'version', stdout: /^AILANG v0\.52\.1\n/ },

  { args: { op: 'check', path: 'hello.ail' }, argv: 'check hello.ail', stdout: /✓ No errors found!\n$/ },
  { args: { op: 'check', path: 'hello.ail', flags: { quiet: '' } }, argv: 'check --quiet hello.ail', stdout: empty },
  {
    args: { op: 'check', path: 'broken.ail' },
    argv: 'check broken.ail',
    code: 1,
    stderr: /^Error: broken\.ail:3:29: .*\]\n/,
  },
  {
    args: { op: 'check', path: 'broken.ail', flags: { json: 'true' } },
    argv: 'check --json broken.ail',
    code: 1,
    stdout: /"passed": false,\n {2}"error_count": 1,/,
  },
  {
    args: { op: 'check', path: 'sugar.ail', flags: { 'strict-syntax': '', quiet: '' } },
    argv: 'check --quiet --strict-syntax sugar.ail',
    code: 1,
    stderr: /SUGAR_CONS/,
  },
  { args: { op: 'check', path: 'lib' }, argv: 'check lib', stdout: /^→ Type checking lib\/math\.ail\.\.\.\n/ },
  { args: { op: 'check', path: 'uses_package.ail' }, argv: 'check uses_package.ail', stdout: /No errors/ },

  {
    args: { op: 'ai_check', path: 'lib/math.ail' },
    argv: 'ai-check lib/math.ail',
    stdout: /"verified": 1,\n {4}"counterexample": 0,/,
  },
  {
    args: { op: 'ai_check', path: 'claims.ail', flags: { timeout: '5s' } },
    argv: 'ai-check --timeout 5s claims.ail',
    code: 1,
    stdout: /"counterexample": 1,/,
  },

  {
    args: { op: 'fmt', path: 'untidy.ail' },
    argv: 'fmt untidy.ail',
    stdout: /\n\nfunc f\(n: int\) -> int = n \+ 1\n$/,
  },
  {
    args: { op: 'fmt', path: 'untidy.ail', flags: { check: '' } },
    argv: 'fmt --check untidy.ail',
    code: 1,
    stdout: /^untidy\.ail\n$/,
  },
  { args: { op: 'fmt', path: 'hello.ail', flags: { check: '' } }, argv: 'fmt --check hello.ail', stdout: empty },

  { args: { op: 'iface', module: 'std/io' }, argv: 'iface std/io', stdout: /"schema": "ailang\.iface\/v1"/ },
  {
    args: { op: 'iface', module: 'lib/math', flags: { compact: '' } },
    argv: 'iface --compact lib/math',
    stdout: /^module lib\/math\ntype Sign = Minus \| Plus\nhalf : \(int\)->int\n$/,
  },
  { args: { op: 'iface', module: 'lib/none' }, argv: 'iface lib/none', code: 1, stderr: /^Error: module lib\/none/ },

  { args: { op: 'test', path: 'lib' }, argv: 'test lib', stdout: /→ Running tests in lib\n/ },
  {
    args: { op: 'test', path: 'wrong.ail', flags: { json: '', 'no-color': '', 'allow-skips': '' } },
    argv: 'test --allow-skips --json --no-color wrong.ail',
    code: 1,
    stdout: /"failed_tests": 1,/,
    stderr: /^→ Running tests in wrong\.ail\n$/,
  },
  {
    args: { op: 'test', package: 'parts/local' },
    argv: 'test --package parts/local',
    stdout: /adds/,
  },

  {
    args: { op: 'docs_search', query: 'record update' },
    argv: 'docs search|record update',
    stdout: /^🔍 Search: "record update"\n {3}Scanned: \d+ docs\n\n1\. reference\//,
  },
  {
    args: { op: 'docs_search', query: 'effects', flags: { json: '', limit: '2' } },
    argv: 'docs search --json --limit 2 effects',
    stdout: /^\{\n {2}"stats": \{\n {4}"total_docs": \d+/,
  },

  { args: { op: 'examples_search', query: 'fold' }, argv: 'examples search fold', stdout: /Found \d+ examples/ },
  { args: { op: 'examples_list' }, argv: 'examples list', stdout: /^📚 AILANG Examples \(\d+\/\d+\)\n\n✅ / },
  {
    args: { op: 'examples_list', flags: { tags: 'json', status: 'all' } },
    argv: 'examples list --status all --tags json',
    stdout: /json_read\.ail/,
  },
  { args: { op: 'examples_show', module: 'hello' }, argv: 'examples show hello', stdout: /📤 Expected output:/ },
  {
    args: { op: 'examples_show', module: 'nothing' },
    argv: 'examples show nothing',
    code: 1,
    stderr: /^Error: example not found/,
  },
  { args: { op: 'examples_tags' }, argv: 'examples tags', stdout: new RegExp(`^${usage}\\n`) },

  { args: { op: 'builtins_list' }, argv: 'builtins list', stdout: /^Total: \d+ builtins\n\n/ },
  {
    args: { op: 'builtins_list', flags: { json: '', module: 'std/fs', query: 'read' } },
    argv: 'builtins list --json --module std/fs --query read',
    stdout: /^\{"count":\d+,"builtins":\[\{"name":"/,
  },
  {
    args: { op: 'builtins_list', flags: { 'by-module': '' } },
    argv: 'builtins list --by-module',
    stdout: /^# \S+ \(\d+\)$/m,
  },
  {
    args: { op: 'builtins_list', flags: { 'by-effect': '', verbose: '' } },
    argv: 'builtins list --by-effect --verbose',
    stdout: /^# IO \(\d+\)$/m,
  },
  {
    args: { op: 'builtins_show', module: '_str_len' },
    argv: 'builtins show _str_len',
    stdout: /^\n_str_len: string -> int\n\nUsage:\n {2}import std\/string \(length\)\n/,
  },
  {
    args: { op: 'builtins_show', module: 'str_lenn' },
    argv: 'builtins show str_lenn',
    code: 1,
    stdout: /^Builtin 'str_lenn' not found\.\n[\s\S]*_str_len/,
  },

  { args: { op: 'pkg_docs', module: 'acme/auth' }, argv: 'pkg-docs acme/auth', stdout: /^# acme\/auth\n\nTokens\.\n$/ },
  {
    args: { op: 'pkg_docs', module: 'acme/none' },
    argv: 'pkg-docs acme/none',
    code: 1,
    stderr: /^Error: package acme\/none not found /,
  },
  {
    args: { op: 'pkg_docs', module: 'acme' },
    argv: 'pkg-docs acme',
    code: 1,
    stderr: /^Error: invalid package name: "acme" \(must be vendor\/name\)\n$/,
  },
  {
    args: { op: 'tree' },
    argv: 'tree',
    stdout:
      /^acme\/app 0\.3\.0\n├── acme\/auth 1\.10\.0\n│ {3}├── acme\/base 0\.1\.0 \(without an ailang\.toml\)\n│ {3}└── acme\/gone 2 \(not in the cache\)\n├── acme\/base 0\.1\.0 \(without an ailang\.toml\)\n└── acme\/local 0\.0\.1 \(path parts\/local\)\n$/,
  },
  { args: { op: 'tree', path: 'lib' }, argv: 'tree lib', stdout: /^acme\/app 0\.3\.0\n/ },

  {
    args: { op: 'policy_check', path: 'hello.ail' },
    argv: 'policy-check --policy POLICY hello.ail',
    stdout: /"module": "hello",\n {2}"decision": \{\n {4}"ok": true,/,
  },
  {
    args: { op: 'policy_check', path: 'net.ail' },
    argv: 'policy-check --policy POLICY net.ail',
    code: 2,
    stdout: /"missing_from_policy": \[\n {6}"Net"\n/,
  },
  {
    args: { op: 'policy_check', path: 'uses_package.ail' },
    argv: 'policy-check --policy POLICY uses_package.ail',
    stdout: /"ok": true,/,
  },
];

/** What the policy layer refuses before anything runs: arguments, text. */
const refusals: readonly (readonly [args: Output, refused: string])[] = [
  [
    { op: 'check', path: 'hello.ail', flags: { zz: '' } },
    'op check does not admit flag --zz (admitted: --json --quiet --strict-syntax)',
  ],
  [{ op: 'tree', flags: { json: '' } }, 'op tree does not admit flag --json (admitted: none)'],
  [{ op: 'version', flags: { toString: '' } }, 'op version does not admit flag --toString (admitted: none)'],
  [
    { op: 'check', path: 'hello.ail', flags: { json: 'yes' } },
    'flag --json is boolean: pass "" or "true" to set it, omit it to leave it off (got "yes")',
  ],
  [{ op: 'ai_check', path: 'hello.ail', flags: { timeout: '5 s' } }, 'flag --timeout: "5 s" is not a simple token'],
  [{ op: 'examples_list', flags: { tags: 'a,b' } }, 'flag --tags: "a,b" is not a simple token'],
  [{ op: 'check' }, 'op check requires path'],
  [{ op: 'iface' }, 'op iface requires module'],
  [{ op: 'docs_search' }, 'op docs_search requires query'],
  [{ op: 'version', path: 'hello.ail' }, 'op version does not take path'],
  [{ op: 'check', path: 'hello.ail', package: 'lib' }, 'op check does not take package'],
  [{ op: 'iface', module: '-compact' }, '"-compact" looks like a flag; flags go in the flags field'],
  [{ op: 'docs_search', query: '--json' }, '"--json" looks like a flag; flags go in the flags field'],
  [{ op: 'iface', module: 'a/../b' }, 'module "a/../b" is not a module path'],
  [{ op: 'examples_show', module: 'a/b' }, '"a/b" is not a simple token'],
  [{ op: 'docs_search', query: 'a\nb' }, 'query is malformed'],
  [{ op: 'docs_search', query: 'x'.repeat(4097) }, 'query is malformed'],
  [{ op: 'check', path: 'nope.ail' }, 'path "nope.ail": statat nope.ail: no such file or directory'],
];

function writeTree(directory: string, tree: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
}

/** A corpus of one program, as an operator may have his own. */
const corpus = {
  'manifest.json': JSON.stringify({
    schema: 'ailang.manifest/v1',
    examples: [{ path: 'greeting.ail', status: 'working', tags: ['zebra'], description: 'A greeting of the house' }],
  }),
  'runnable/greeting.ail': 'module greeting\n',
};

test('--examples-dir and AILANG_EXAMPLES name another corpus', async (t) => {
  const sandbox = makeSandbox(t);
  const directory = join(dirname(sandbox.workspaceRoot), 'corpus');
  writeTree(directory, corpus);
  const daemon = await startDaemon(t, sandbox, { args: ['--examples-dir', directory] });
  const world = await connect(t, daemon);
  const found = (await world.call('examples-search', { query: 'zebra' })).output;
  assert.match(String(found.stdout), /Found 1 examples\n\n1\. greeting\.ail \(1\.00, tag\)\n/);
  assert.match(String((await world.call('examples-search', { query: 'quicksort' })).output.stdout), /Found 0 examples/);
  const shown = (await world.call('ailang-cli', { op: 'examples_show', module: 'greeting' })).output;
  assert.match(String(shown.stdout), /\nmodule greeting\n/);
  const direct = ailang(['examples', 'search', 'zebra'], { env: { AILANG_EXAMPLES: directory } });
  assert.equal(direct.stdout, found.stdout);
  assert.equal(await daemon.stop(), 0);
});

/** Durations and seeds are never the same twice. */
const steady = (text: string): string =>
  text
    .replace(/"(total_)?duration": ("[^"]*"|\d+)/g, '"$1duration": 0')
    .replace(/"(seed|random_seed)": \d+/g, '"$1": 0')
    .replace(/\b\d+(\.\d+)?(µs|ms|s)\b/g, '0s');

test('every operation of ailang-cli answers over MCP what the ailang program answers', async (t) => {
  const sandbox = makeSandbox(t, { files });
  const packages = join(dirname(sandbox.workspaceRoot), 'packages');
  writeTree(packages, cache);
  sandbox.env.AILANG_PACKAGE_ROOT = packages;
  const daemon = await startDaemon(t, sandbox, { args: ['--budget', '200'] });
  const world = await connect(t, daemon);
  const call = async (args: Output): Promise<Output> => {
    const { output, world: block } = await world.call('ailang-cli', args);
    assert.deepEqual(
      block.effects.map(({ id, status }) => ({ id, status })),
      [{ id: 'e1', status: 'ok' }],
      JSON.stringify(output),
    );
    return output;
  };

  await t.test('no operation is left out', () => {
    assert.deepEqual([...new Set(rows.map(({ args }) => args.op))].sort(), [...CLI_OPS]);
  });

  for (const { args, argv, code = 0, stdout = /(?:)/, stderr = empty } of rows)
    await t.test(JSON.stringify(args), async () => {
      const output = await call(args);
      const given = output.argv as string[];
      const policy = given[given.indexOf('--policy') + 1] ?? '';
      const [words = '', last] = argv.replace('POLICY', policy).split('|');
      assert.deepEqual(given, [...words.split(' '), ...(last === undefined ? [] : [last])]);
      assert.equal(output.exit_code, code, JSON.stringify(output));
      assert.equal(output.ok, code === 0);
      assert.equal(output.refused, undefined);
      assert.match(String(output.stdout), stdout);
      assert.match(String(output.stderr), stderr);
      const direct = ailang(given, {
        cwd: daemon.worktree,
        env: { AILANG_PACKAGE_ROOT: packages, HOME: packages, NO_COLOR: '' },
      });
      assert.deepEqual(
        [direct.status, steady(direct.stdout), steady(direct.stderr)],
        [code, steady(String(output.stdout)), steady(String(output.stderr))],
      );
    });

  for (const [args, refused] of refusals)
    await t.test(`refused: ${refused}`, async () => {
      const output = await call(args);
      assert.deepEqual([output.ok, output.refused], [false, refused]);
      assert.equal(output.argv, undefined);
    });

  await t.test('no operation has changed a file', () => {
    assert.equal(sandbox.git('-C', daemon.worktree, 'status', '--porcelain'), '');
    assert.equal(readFileSync(join(daemon.worktree, 'untidy.ail'), 'utf8'), files['untidy.ail']);
  });

  await t.test('a program that imports a package of the cache runs', async () => {
    const { output } = await world.call('ailang-run', { path: 'uses_package.ail' });
    assert.deepEqual([output.admitted, output.exit_code, output.stdout], [true, 0, '7\n']);
  });

  assert.equal(await daemon.stop(), 0);
});
