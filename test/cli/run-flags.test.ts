import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runAllowance } from '../../src/cli/run-flags.js';

const allowance = (caps: string | undefined, net: readonly string[] = [], http = false) =>
  runAllowance({
    ...(caps === undefined ? {} : { 'run-allow-caps': [caps] }),
    'run-net-allow': net,
    'run-net-allow-http': http,
  });

test('nothing is enabled unless it is named', () =>
  assert.deepEqual(runAllowance({}), { caps: [], net: [], netHttp: false }));

test('what is named is enabled, addresses verbatim', () => {
  assert.deepEqual(allowance('Net,Env, Declassify', ['127.0.0.1:8080', '[::1]:65535', '127.3.2.1:1'], true), {
    caps: ['Declassify', 'Env', 'Net'],
    net: ['127.0.0.1:8080', '[::1]:65535', '127.3.2.1:1'],
    netHttp: true,
  });
  assert.deepEqual(runAllowance({ 'run-allow-caps': ['Env', 'Declassify'] }).caps, ['Declassify', 'Env']);
});

for (const [caps, message] of [
  ['Process', '--run-allow-caps: unknown capability "Process"'],
  ['IO', '--run-allow-caps: unknown capability "IO"'],
  ['FS', '--run-allow-caps: unknown capability "FS"'],
  ['net', '--run-allow-caps: unknown capability "net"'],
  ['Env,', '--run-allow-caps: unknown capability ""'],
  ['', '--run-allow-caps: unknown capability ""'],
  ['Env,Env', '--run-allow-caps names "Env" twice'],
  ['Net', '--run-allow-caps Net needs at least one --run-net-allow'],
] as const)
  test(`refused: --run-allow-caps ${JSON.stringify(caps)}`, () =>
    assert.throws(() => allowance(caps), { code: 'usage', message }));

for (const [entry, objection] of [
  ['127.0.0.1', 'names no port: it would open every port of the loopback'],
  ['[::1]', 'names no port: it would open every port of the loopback'],
  ['::1', 'is an IPv6 address without brackets and port'],
  ['::1:8080', 'is an IPv6 address without brackets and port'],
  ['localhost:8080', 'does not begin with an IP address: names are refused'],
  ['example.com:80', 'does not begin with an IP address: names are refused'],
  ['*:80', 'does not begin with an IP address: names are refused'],
  [':8080', 'does not begin with an IP address: names are refused'],
  ['', 'does not begin with an IP address: names are refused'],
  ['http://127.0.0.1:8080', 'does not begin with an IP address: names are refused'],
  ['127.1:8080', 'does not begin with an IP address: names are refused'],
  ['127.0.0.01:8080', 'does not begin with an IP address: names are refused'],
  [' 127.0.0.1:8080', 'does not begin with an IP address: names are refused'],
  ['2130706433:80', 'does not begin with an IP address: names are refused'],
  ['[127.0.0.1]:80', 'has its brackets wrong'],
  ['10.0.0.1:80', 'is not a loopback address'],
  ['0.0.0.0:80', 'is not a loopback address'],
  ['8.8.8.8:53', 'is not a loopback address'],
  ['[::]:80', 'is not a loopback address'],
  ['[::ffff:127.0.0.1]:80', 'is not a loopback address'],
  ['[0:0:0:0:0:0:0:1]:80', 'is not a loopback address'],
  ['127.0.0.1:0', 'has a port that is not 1 to 65535'],
  ['127.0.0.1:65536', 'has a port that is not 1 to 65535'],
  ['127.0.0.1:080', 'has a port that is not 1 to 65535'],
  ['127.0.0.1:', 'has a port that is not 1 to 65535'],
  ['127.0.0.1:*', 'has a port that is not 1 to 65535'],
  ['127.0.0.1:80/x', 'has a port that is not 1 to 65535'],
  ['127.0.0.1:80\n', 'has a port that is not 1 to 65535'],
] as const)
  test(`refused: --run-net-allow ${JSON.stringify(entry)}`, () =>
    assert.throws(() => allowance('Net', [entry]), {
      code: 'usage',
      message: `--run-net-allow ${JSON.stringify(entry)} ${objection}`,
    }));

test('the same address twice, and addresses without Net, are refused', () => {
  assert.throws(() => allowance('Net', ['127.0.0.1:1', '127.0.0.1:1']), {
    message: '--run-net-allow names "127.0.0.1:1" twice',
  });
  assert.throws(() => allowance('Env', ['127.0.0.1:1']), {
    message: '--run-net-allow does nothing without the Net capability',
  });
  assert.throws(() => allowance(undefined, [], true), {
    message: '--run-net-allow-http does nothing without the Net capability',
  });
});
