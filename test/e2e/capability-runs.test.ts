import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { call, everyRun, left, listener, RUN_EFFECTS, SOME_REQUESTS } from './capability-matrix.js';
import { connect, type Output } from './client.js';
import { makeSandbox, startDaemon, worldd } from './world.js';

const program = (name: string, imports: string, body: string, effects: string): string =>
  `module ${name}\nimport std/io (println)\nimport std/result (Ok, Err)\n${imports}\nexport func main() -> () ! {${effects}} {\n${body}\n}\n`;

const getting = (name: string, url: string): string =>
  program(name, 'import std/net (httpGet)', `  println(httpGet("${url}"))`, 'IO, Net');

const FILES: Readonly<Record<string, string>> = {
  'pure.ail': 'module pure\nexport func main() -> int = 42\n',
  'io.ail': program('io', '', '  println("io")', 'IO'),
  'fs.ail': program('fs', 'import std/fs (readFile)', '  println(readFile("data.txt"))', 'IO, FS'),
  'env.ail': program('env', 'import std/env (getArgs)', '  println(show(getArgs()))', 'IO, Env'),
  'declassify.ail':
    'module declassify\nimport std/io (println)\nfunc secret(s: string) -> string<secret> = s\nfunc open(s: string<secret>) -> string ! {Declassify} = s\nexport func main() -> () ! {IO, Declassify} = println(open(secret("opened")))\n',
  'data.txt': 'data',
};

for (const enabled of [[], ['Net'], ['Declassify', 'Env', 'Net']])
  test(`runs under the operator's switches [${enabled}]: grants with requests`, (t) =>
    everyRun(t, enabled, [[], ...RUN_EFFECTS.map((grant) => [grant]), RUN_EFFECTS], SOME_REQUESTS));

test('a Net run reaches the granted pair and nothing else', async (t) => {
  const other = await listener(t, () => ({ status: 200, body: 'the other' }));
  const granted = await listener(t, (path) =>
    path === '/away'
      ? { status: 302, location: `http://${other.pair}/` }
      : path === '/back'
        ? { status: 307, location: '/' }
        : { status: 200, body: 'granted' },
  );
  const name = (url: string): string => `http://${url}`;
  const refused: readonly (readonly [string, RegExp])[] = [
    [name(`${other.pair}/`), /E_NET_DOMAIN_BLOCKED: domain not in allowlist: 127\.0\.0\.1\n/],
    [name(`localhost:${granted.port}/`), /E_NET_DOMAIN_BLOCKED: domain not in allowlist: localhost\n/],
    [name(`[::1]:${granted.port}/`), /E_NET_DOMAIN_BLOCKED/],
    [name(`2130706433:${granted.port}/`), /E_NET_DOMAIN_BLOCKED/],
    [name('example.com/'), /E_NET_DOMAIN_BLOCKED: domain not in allowlist: example\.com\n/],
    [name(`x@${granted.pair}/`), /E_NET_INVALID_URL/],
    [`https://${other.pair}/`, /E_NET_DOMAIN_BLOCKED/],
    [name(`${granted.pair}/away`), /E_NET_DOMAIN_BLOCKED: domain not in allowlist: 127\.0\.0\.1\n/],
    [
      name(`${granted.pair}/back`),
      /E_NET_IP_BLOCKED: localhost IP blocked: 127\.0\.0\.1 \(a redirect to loopback is refused\)\n/,
    ],
  ];
  const files: Record<string, string> = { ...FILES, 'good.ail': getting('good', name(`${granted.pair}/`)) };
  for (const [index, [url]] of refused.entries()) files[`bad${index}.ail`] = getting(`bad${index}`, url);
  files['values.ail'] = program(
    'values',
    'import std/net (httpPost, httpRequest, httpRequestBytes, Transport, DisallowedHost, InvalidHeader, BodyTooLarge)\nimport std/bytes (fromString)',
    `  println(httpPost("http://${granted.pair}/", "{}"));
  println(match httpRequest("DELETE", "http://${granted.pair}/d", [], "") { Ok(r) => "\${show(r.status)} \${r.body} \${show(r.ok)}", Err(_) => "?" });
  println(match httpRequestBytes("PUT", "http://${granted.pair}/b", [], fromString("x")) { Ok(r) => r.body, Err(_) => "?" });
  println(match httpRequest("GET", "http://${other.pair}/", [], "") { Err(DisallowedHost(h)) => h, _ => "?" });
  println(match httpRequest("GET", "http://${granted.pair}/away", [], "") { Err(DisallowedHost(h)) => h, _ => "?" });
  println(match httpRequest("GET", "http://${granted.pair}/", [{name: "Host", value: "x"}], "") { Err(InvalidHeader(h)) => h, _ => "?" });
  println(match httpRequest("GET", "ftp://${granted.pair}/", [], "") { Err(Transport(m)) => m, _ => "?" })`,
    'IO, Net',
  );
  const sandbox = makeSandbox(t, { files });
  const daemon = await startDaemon(t, sandbox, {
    args: ['--run-allow-caps', 'Net', '--run-net-allow', granted.pair, '--run-net-allow-http'],
  });
  const world = await connect(t, daemon);
  const run = async (path: string, caps = ['IO', 'Net']) => (await world.call('ailang-run', { path, caps })).output;

  const good = await run('good.ail');
  assert.deepEqual([good.exit_code, good.stdout], [0, 'granted\n'], JSON.stringify(good));
  assert.deepEqual(granted.requests, ['GET /']);
  const values = await run('values.ail');
  assert.equal(
    values.stdout,
    `granted\n200 granted true\ngranted\n127.0.0.1\n127.0.0.1\nHost\nE_NET_PROTOCOL_BLOCKED: ftp:// blocked (only https and http are supported)\n`,
    JSON.stringify(values),
  );
  const asked = granted.connections();
  assert.deepEqual(granted.requests.slice(1), ['POST /', 'DELETE /d', 'PUT /b', 'GET /away']);
  for (const [index, [url, reason]] of refused.entries()) {
    const output = await run(`bad${index}.ail`);
    assert.deepEqual([output.admitted, output.exit_code, output.stdout], [true, 1, ''], url);
    assert.match(String(output.stderr), reason, url);
    assert.match(String(output.stderr), /^Error: execution failed: E_NET_/);
  }
  assert.equal(granted.connections(), asked + 2, 'only the two redirecting pages were asked for');
  assert.equal(other.connections(), 0);
  const narrow = await run('good.ail', ['IO']);
  assert.deepEqual([narrow.admitted, (narrow.decision as Output).missing_from_policy], [false, ['Net']]);
  assert.equal(other.connections(), 0);
  assert.equal(await daemon.stop(), 0);
});

test('without --run-net-allow-http a plain request is refused', async (t) => {
  const peer = await listener(t, () => ({ status: 200 }));
  const sandbox = makeSandbox(t, { files: { 'good.ail': getting('good', `http://${peer.pair}/`) } });
  const daemon = await startDaemon(t, sandbox, { args: ['--run-allow-caps', 'Net', '--run-net-allow', peer.pair] });
  const world = await connect(t, daemon);
  const { output } = await world.call('ailang-run', { path: 'good.ail', caps: ['IO', 'Net'] });
  assert.match(
    String(output.stderr),
    /^Error: execution failed: E_NET_PROTOCOL_BLOCKED: http:\/\/ blocked \(use --net-allow-http to enable\)\npolicy: /,
  );
  assert.equal(peer.connections(), 0);
  assert.equal(await daemon.stop(), 0);
});

test('an Env run sees its arguments and the documented environment, and .git stays shut', async (t) => {
  const lookup = (names: readonly string[]): string =>
    names
      .map(
        (name) =>
          `  println(match getEnv("${name}") { Ok(v) => "${name}=\${v}", Err(NotFound(n)) => "no \${n}", Err(NotAllowed(n)) => "not \${n}" });`,
      )
      .join('\n');
  const secrets = ['XDG_STATE_HOME', 'WORLD_TEST_SECRET', 'NODE_OPTIONS', 'TMPDIR', 'USER', 'AILANG_CACHE_DIR'];
  const files = {
    ...FILES,
    'surroundings.ail': program(
      'surroundings',
      'import std/env (getArgs, getEnv, getEnvOr, hasEnv, NotFound, NotAllowed)',
      `${lookup(['PATH', 'LANG', 'LC_ALL', ...secrets])}\n  println(show(hasEnv("HOME")));\n  println(getEnvOr("NOPE", "otherwise"));\n  println(show(getArgs()))`,
      'IO, Env',
    ),
    ...Object.fromEntries(
      ['.git', '.git/config', 'vendor/.GIT/hooks/pre-commit', '.github/workflows/x.yml'].map((target, index) => [
        `write${index}.ail`,
        program(`write${index}`, 'import std/fs (writeFile)', `  writeFile("${target}", "x")`, 'IO, FS, Env'),
      ]),
    ),
    'vendor/keep.txt': '',
  };
  const sandbox = makeSandbox(t, { files });
  sandbox.env.WORLD_TEST_SECRET = 'hunter2';
  const daemon = await startDaemon(t, sandbox, { args: ['--run-allow-caps', 'Env'] });
  const world = await connect(t, daemon);
  const { output } = await world.call('ailang-run', {
    path: 'surroundings.ail',
    caps: ['Env', 'IO'],
    argv: ['--policy', 'a b', '--', ''],
  });
  const unset = secrets.map((name) => `no ${name}\n`).join('');
  assert.equal(
    output.stdout,
    `PATH=/usr/bin:/bin\nLANG=C\nLC_ALL=C\n${unset}true\notherwise\n[--policy, a b, --, ]\n`,
    JSON.stringify(output),
  );
  const before = readFileSync(join(daemon.worktree, '.git'), 'utf8');
  for (const index of [0, 1, 2, 3]) {
    const { output } = await world.call('ailang-run', { path: `write${index}.ail`, caps: ['Env', 'FS', 'IO'] });
    assert.deepEqual([output.admitted, output.exit_code], [true, 1]);
    assert.match(String(output.stderr), /^Error: execution failed: E_FS_PROTECTED: .* matches fs_deny_write "\.git/);
  }
  assert.equal(readFileSync(join(daemon.worktree, '.git'), 'utf8'), before);
  assert.equal(existsSync(join(daemon.worktree, 'vendor', '.GIT')), false);
  assert.equal(await daemon.stop(), 0);
});

test('a Declassify run is an Ailang.Run; without the capability the program is not admitted', async (t) => {
  const sandbox = makeSandbox(t, { files: FILES });
  const daemon = await startDaemon(t, sandbox, { args: ['--run-allow-caps', 'Declassify'] });
  const world = await connect(t, daemon);
  const opened = await call(daemon, world, { path: 'declassify.ail', caps: ['Declassify', 'IO'] });
  assert.deepEqual([opened.effect, opened.output.stdout], ['Ailang.Run', 'opened\n'], JSON.stringify(opened.output));
  const closed = await call(daemon, world, { path: 'declassify.ail' });
  assert.deepEqual((closed.output.decision as Output).missing_from_policy, ['Declassify']);
  const names = (await world.client.listTools()).tools.length;
  assert.equal(names, 8);
  assert.equal(await daemon.stop(), 0);
});

test('what the operator enables is minted by up, recorded in the log, and follows a restart', async (t) => {
  const sandbox = makeSandbox(t, { files: FILES });
  const recorded = (): Output => JSON.parse(sandbox.git('show', 'refs/world/log:operator.json')) as Output;
  const acts = async (): Promise<string> => sandbox.git('log', '--format=%s', 'refs/world/log');
  const first = await startDaemon(t, sandbox);
  assert.deepEqual(Object.keys(await left(sandbox)).sort(), [
    'Ailang.CLI',
    'Ailang.Check',
    'Ailang.Discover',
    'Ailang.Run',
    'Workspace.Read',
    'Workspace.Write',
  ]);
  assert.equal(await first.stop(), 0);
  const second = await startDaemon(t, sandbox, {
    args: ['--run-allow-caps', 'Net,Env', '--run-net-allow', '127.0.0.1:9'],
  });
  const names = Object.keys(await left(sandbox));
  assert.deepEqual(names.filter((name) => name.startsWith('Ailang.Run')).sort(), [
    'Ailang.Run',
    'Ailang.RunEnv',
    'Ailang.RunNet',
  ]);
  assert.equal(await second.stop(), 0);
  const tools = sandbox
    .git('rev-list', 'refs/world/log')
    .trim()
    .split('\n')
    .map((commit) => {
      try {
        return JSON.parse(sandbox.git('show', `${commit}:operator.json`)) as Output;
      } catch {
        return {};
      }
    });
  assert.deepEqual(
    tools.filter(({ act }) => act === 'tools' || act === 'genesis').map(({ act, allowance }) => ({ act, allowance })),
    [
      { act: 'tools', allowance: { caps: ['Env', 'Net'], netAllow: ['127.0.0.1:9'], netAllowHttp: false } },
      { act: 'genesis', allowance: undefined },
    ],
  );
  const entries = (await acts()).length;
  assert.equal((await worldd(sandbox, ['session', 'new', 'ep2', '--workspace-root', sandbox.workspaceRoot])).code, 0);
  assert.notEqual(recorded().act, 'tools', 'an operator verb without a daemon does not change what is recorded');
  assert.ok((await acts()).length > entries);
});

test('start-up is refused before anything is written', async (t) => {
  const sandbox = makeSandbox(t, { files: FILES });
  for (const [args, message] of [
    [['--run-allow-caps', 'Process'], /unknown capability "Process"/],
    [['--run-allow-caps', 'Net'], /--run-allow-caps Net needs at least one --run-net-allow/],
    [['--run-allow-caps', 'Net', '--run-net-allow', '127.0.0.1'], /names no port/],
    [['--run-allow-caps', 'Net', '--run-net-allow', 'localhost:80'], /names are refused/],
    [['--run-allow-caps', 'Net', '--run-net-allow', '10.0.0.1:80'], /is not a loopback address/],
    [['--run-allow-caps', 'Net', '--run-net-allow', '127.0.0.1:70000'], /port that is not 1 to 65535/],
    [['--run-allow-caps', 'Net', '--run-net-allow', '127.0.0.1:1', '--run-net-allow', '127.0.0.1:1'], /twice/],
    [['--run-net-allow', '127.0.0.1:1'], /does nothing without the Net capability/],
    [['--run-net-allow-http'], /does nothing without the Net capability/],
  ] as const)
    for (const verb of [['up'], ['serve', '--repo', '.']]) {
      const { code, stdout, stderr } = await worldd(sandbox, [...verb, '--port', '0', ...args]);
      assert.deepEqual([code, stdout], [1, ''], stderr);
      assert.match(stderr, message);
    }
  assert.equal(sandbox.git('for-each-ref', 'refs/world').trim(), '');
  const taken = await listener(t, () => ({ status: 200 }));
  const own = await worldd(sandbox, [
    'up',
    '--port',
    String(taken.port),
    '--run-allow-caps',
    'Net',
    '--run-net-allow',
    taken.pair,
  ]);
  assert.equal(own.code, 2, own.stderr);
  assert.match(own.stderr, /listen/);
});

test('a variant that was tampered with on disk is not run', async (t) => {
  const sandbox = makeSandbox(t, { files: FILES });
  const daemon = await startDaemon(t, sandbox, { args: ['--run-allow-caps', 'Env'] });
  const world = await connect(t, daemon);
  const args = { path: 'env.ail', caps: ['Env', 'IO'] };
  assert.equal((await world.call('ailang-run', args)).output.stdout, '[]\n');
  const state = String(sandbox.env.XDG_STATE_HOME);
  const [file] = readdirSync(state, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.run-Env.IO.toml'),
  );
  const path = join(state, file ?? '?');
  writeFileSync(path, readFileSync(path, 'utf8').replace('FS = 0', 'FS = 9'));
  const { output, world: block } = await world.call('ailang-run', args);
  assert.equal(block.effects[0]?.status, 'failed');
  assert.match(JSON.stringify(output), /policy-changed/);
  assert.equal(await daemon.stop(), 0);
});
