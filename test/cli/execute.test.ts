import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VERBS } from '../../src/cli/verbs.js';
import { commandLine } from './command-line.js';

test('help, help <verb> and <verb> --help exit 0 for every verb', async () => {
  const overview = await commandLine(['help']);
  assert.equal(overview.code, 0);
  for (const { name } of VERBS) {
    assert.match(overview.stdout, new RegExp(`^ {2}${name} `, 'm'));
    const long = await commandLine(['help', name]);
    const flag = await commandLine([name, '--help']);
    assert.equal(long.code, 0);
    assert.match(long.stdout, new RegExp(`^Usage: ailang-worldd .*${name}`));
    assert.deepEqual(flag, long);
  }
});

test('an unknown verb is a usage error with a suggestion', async () => {
  const { code, stdout, stderr } = await commandLine(['helth']);
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
  assert.equal(stderr, 'ailang-worldd: unknown verb "helth"\n  did you mean "health"?\n');
});

test('no verb of ours runs while the registry key is set, and its value is not shown', async () => {
  for (const args of [[], ['help'], ['--nonsense'], ['call', '--help'], ['version']]) {
    const { code, stdout, stderr } = await commandLine(args, { env: { AILANG_REGISTRY_API_KEY: 'hush-hush' } });
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
    assert.match(stderr, /AILANG_REGISTRY_API_KEY/);
    assert.doesNotMatch(stderr, /hush/);
  }
});

test('the key refuses even when it is empty', async () => {
  assert.equal((await commandLine(['help'], { env: { AILANG_REGISTRY_API_KEY: '' } })).code, 2);
});

test('--addr belongs to client verbs', async () => {
  for (const verb of ['serve', 'session', 'episode', 'up']) {
    const { code, stderr } = await commandLine(['--addr', 'http://127.0.0.1:1', verb, 'list']);
    assert.equal(code, 1);
    assert.equal(stderr, `ailang-worldd: --addr is a client flag and is not valid for '${verb}'\n`);
  }
  assert.match((await commandLine(['--addr', 'nowhere', 'health'])).stderr, /--addr must be an http address/);
  assert.match((await commandLine(['health', '--addr', 'http://127.0.0.1:1'])).stderr, /unknown flag --addr/);
});

test('a client verb without a daemon says so', async () => {
  const { code, stderr } = await commandLine(['--addr', 'http://127.0.0.1:1', 'health']);
  assert.equal(code, 1);
  assert.match(stderr, /^ailang-worldd: no daemon answers at http:\/\/127\.0\.0\.1:1\n {2}start one/);
});

const WRONG: readonly (readonly [readonly string[], RegExp])[] = [
  [['call'], /missing argument: expected <tool>/],
  [['call', 'a', 'b'], /unexpected argument "b"/],
  [['call', 'a', '--arg', 'path'], /--arg must look like name=value, not "path"/],
  [['call', 'a', '--arg-json', 'n={'], /--arg-json n is not JSON/],
  [['call', 'a', '--json', '[1]'], /--json must hold a JSON object/],
  [['call', 'a', '--json', '{}', '--arg', 'a=b'], /--json does not mix with --arg/],
  [['call', 'a', '--arg', 'a=b', '--arg', 'a=c'], /argument "a" is given twice/],
  [['call', 'a'], /no session: give --session <file> or set WORLD_SESSION/],
  [['tools'], /missing argument: expected "list"/],
  [['tools', 'lst'], /unknown tools verb "lst"/],
  [['log'], /log needs a verb/],
  [['log', 'tial'], /unknown log verb "tial"\n {2}did you mean "log tail"\?/],
  [['log', 'get', 'x'], /the index must be a whole number/],
  [['log', 'range'], /log range needs --from <n>/],
  [['log', 'range', '--from', '0', '--limit', '501'], /--limit must be a whole number from 1 to 500/],
  [['log', 'tail', '--interval', 'soon'], /--interval must be a time/],
  [['object', 'get', 'sha256:12'], /is not a ref/],
  [['world', 'put', 'x'], /unknown world verb "put"/],
  [['why'], /missing argument/],
  [['why', 'head', '--result', 'f'], /--result and a target do not mix/],
  [['why', '-'], /nothing on stdin/],
  [['why', '--result', '/nowhere/at/all'], /--result: cannot read/],
  [['provenance', '--scan', '5001'], /--scan must be a whole number from 1 to 5000/],
  [['session'], /session needs a verb/],
  [['session', 'mint'], /session mint needs --episode/],
  [['session', 'mint', '--episode', 'ep1'], /needs at least one --grant/],
  [['session', 'mint', '--episode', 'ep1', '--grant', 'X'], /"X" is not a grant/],
  [['session', 'new', 'Ep'], /not an episode name/],
  [['session', 'revoke'], /needs either a credential id or --episode/],
  [['episode', 'opn', 'a'], /unknown episode verb "opn"\n {2}did you mean "episode open"\?/],
  [['serve'], /serve needs --repo/],
  [['serve', '--repo', '.', '--run-allow-caps', 'Net'], /--run-allow-caps Net needs at least one --run-net-allow/],
  [['serve', '--db', 'x'], /--db is not supported: the log lives in git/],
  [['serve', '--repo', '.', '--port', '1', '--bind', '127.0.0.1:1'], /--bind and --port do not mix/],
  [['up', '--port', '65536'], /--port must be a whole number/],
  [['up', '--episode', '../x'], /not an episode name/],
  [['up', 'here'], /unexpected argument "here"/],
  [['version', 'please', '--loud'], /unknown flag --loud/],
];

for (const [args, message] of WRONG) {
  test(`usage error: ${args.join(' ')}`, async () => {
    const { code, stdout, stderr } = await commandLine(args);
    assert.match(stderr, message);
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
  });
}

test('serve binds to loopback only', async () => {
  const { code, stderr } = await commandLine(['serve', '--repo', '.', '--bind', '0.0.0.0:7644']);
  assert.equal(code, 2);
  assert.match(stderr, /daemon startup failed at bind-policy: bind host "0\.0\.0\.0" is not loopback/);
});
