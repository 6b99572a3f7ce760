import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { loadPolicy, parsePolicy } from '../../../src/ailang/policy/policy-file.js';

const parse = (text: string) => parsePolicy('/p.toml', Buffer.from(text));
const known =
  'AI,Async,Clock,Cog,DB,DOM,Debug,Declassify,Env,FS,IO,Msg,Net,Process,Rand,Secret,SharedIndex,SharedMem,Stream,Trace';
const restricted = 'AI,Clock,Declassify,FS,IO,Net,Process,Rand,Stream';
const fs = 'allowed_caps = ["FS"]\nfs_sandbox = "/s"\n';
const net = (entry: string) => `allowed_caps = ["Net"]\nnet_allow = ["${entry}"]`;
const want = '(want host, host:PORT or [IPv6]:PORT)';

const refusals: readonly (readonly [string, string])[] = [
  ['colour = 1\nshape = 2', 'unknown fields: [colour shape]'],
  ['security_mode = "open"', 'security_mode "open" is not one of "restricted", "trusted_host"'],
  ['allowed_caps = ["Fs"]', `allowed_caps names unknown capability "Fs" (known: ${known})`],
  ['allowed_caps = ["IO", "IO"]', 'allowed_caps lists "IO" twice'],
  [
    'allowed_caps = ["Env"]',
    `allowed_caps admits Env, which restricted mode has no confined adapter for — set security_mode = "trusted_host" to run it unconfined (restricted admits: ${restricted})`,
  ],
  ['allowed_caps = ["FS"]', 'policy admits FS but sets no fs_sandbox — refusing to run FS unsandboxed'],
  ['allowed_caps = ["Net"]', 'policy admits Net but sets no net_allow — name the hosts or drop Net'],
  ['net_allow = ["a.b"]', 'net_allow is set but neither Net nor Stream is in allowed_caps'],
  ['allowed_caps = ["Stream"]', 'policy admits Stream but sets no net_allow — name the hosts or drop Stream'],
  [net('http://a.b'), `net_allow entry "http://a.b" is malformed: it has a slash ${want}`],
  [net('a.b:0'), `net_allow entry "a.b:0" is malformed: the port is not 1 to 65535 ${want}`],
  [net('a.b:080'), `net_allow entry "a.b:080" is malformed: the port is not 1 to 65535 ${want}`],
  [net('a.b:65536'), `net_allow entry "a.b:65536" is malformed: the port is not 1 to 65535 ${want}`],
  [
    net('localhost:80'),
    'net_allow entry "localhost:80" names loopback by name — restricted mode takes a loopback address with a port, such as 127.0.0.1:8080',
  ],
  [
    net('127.0.0.1'),
    'net_allow entry "127.0.0.1" would open every loopback port — add the port, such as 127.0.0.1:8080',
  ],
  [net('[::1]'), 'net_allow entry "[::1]" would open every loopback port — add the port, such as 127.0.0.1:8080'],
  ...(
    [
      ['10.1.2.3:80', 'a private'],
      ['192.168.0.1', 'a private'],
      ['[fd00::1]:80', 'a private'],
      ['169.254.1.1', 'a link-local'],
      ['[fe80::1]', 'a link-local'],
      ['0.0.0.0:80', 'the unspecified'],
      ['[::]:80', 'the unspecified'],
      ['224.0.0.1', 'a multicast'],
      ['[::ffff:10.0.0.1]:80', 'a private'],
    ] as const
  ).map(
    ([entry, kind]) =>
      [
        net(entry),
        `net_allow entry "${entry}" names ${kind} address, which restricted mode never connects to (no override)`,
      ] as const,
  ),
  ['allowed_caps = ["Process"]', 'policy admits Process but sets no process_allow — name the commands or drop Process'],
  ['process_allow = ["git"]', 'process_allow is set but Process is not in allowed_caps'],
  [
    'allowed_caps = ["Process"]\nprocess_allow = ["git:"]',
    'process_allow entry "git:" is malformed (want cmd, cmd:sub or cmd:*)',
  ],
  [
    'allowed_caps = ["Process"]\nprocess_allow = ["git:push"]',
    'process_allow entry "git:push" has no confined adapter — restricted mode admits only git:status, git:diff, git:log',
  ],
  ['allowed_caps = ["AI"]', 'policy admits AI but sets no ai_provider — name the provider or drop AI'],
  ['ai_provider = "stub"', 'ai_provider is set but AI is not in allowed_caps'],
  [
    'allowed_caps = ["AI"]\nai_provider = "stub"',
    'policy admits AI in restricted mode but sets no [budgets] AI — bound the calls',
  ],
  ...['', ' ', '/x', '\\\\x', 'a/../b', '..'].map(
    (pattern) =>
      [
        `${fs}fs_deny_write = ["${pattern}"]`,
        `fs_deny_write pattern "${pattern}" must be relative to fs_sandbox with no traversal`,
      ] as const,
  ),
  ['fs_deny_write = ["a"]', 'fs_deny_write is set but FS is not in allowed_caps'],
  ['timeout_ms = 0', 'timeout_ms must be positive, got 0'],
  ['timeout_ms = -5', 'timeout_ms must be positive, got -5'],
  ['timeout_ms = 86400001', 'timeout_ms 86400001 exceeds the 24h0m0s ceiling'],
  ['max_output_bytes = -1', 'max_output_bytes must not be negative, got -1'],
  [`${fs}[budgets]\nFS = -1`, 'budgets.FS must not be negative, got -1'],
  ['[budgets]\nFS = 1', 'budgets names FS, which is not in allowed_caps'],
  ['timeout_ms = 8000.0', 'toml: incompatible types: timeout_ms must be an integer'],
  ['allowed_caps = "IO"', 'toml: incompatible types: allowed_caps must be an array of strings'],
  ['net_allow_http = "yes"', 'toml: incompatible types: net_allow_http must be a boolean'],
  ['budgets = 3', 'toml: incompatible types: budgets must be a table'],
];
for (const [text, message] of refusals)
  test(`refused: ${text.replaceAll('\n', ' ')}`, () =>
    assert.throws(() => parse(text), { name: 'PolicyError', message: `policy: /p.toml: ${message}` }));

test('the first rule broken is the one reported', () =>
  assert.throws(() => parse('allowed_caps = ["FS"]\nnet_allow = ["x"]\ntimeout_ms = 0'), /sets no fs_sandbox/));

test('a missing file is named', () =>
  assert.throws(() => loadPolicy('/nowhere/p.toml'), {
    message: 'policy: cannot read /nowhere/p.toml: open /nowhere/p.toml: no such file or directory',
  }));

test('text that is no TOML is refused', () =>
  assert.throws(() => parse('timeout_ms = ='), /^PolicyError: policy: \/p.toml: /));

test('an empty policy denies everything and has the restricted defaults', () => {
  const policy = parse('');
  assert.deepEqual(
    {
      caps: policy.caps,
      mode: policy.securityMode,
      timeout: policy.timeoutMs,
      entry: policy.entry,
      cli: policy.cliAllow,
    },
    { caps: [], mode: 'restricted', timeout: 5000, entry: 'main', cli: null },
  );
  assert.deepEqual(policy.limits, {
    max_fs_transfer_bytes: 8388608,
    max_module_graph_bytes: 16777216,
    max_output_bytes: 8388608,
    max_source_bytes: 1048576,
  });
});

test('a trusted host has no default limits and admits Env', () => {
  const policy = parse('security_mode = "trusted_host"\nallowed_caps = ["Env", "IO"]');
  assert.equal(policy.limits.max_output_bytes, 0);
  assert.deepEqual(policy.caps, ['Env', 'IO']);
});

test('the digest is that of the raw bytes', () => {
  const text = '# a comment\nentry = "main"\n';
  assert.equal(parse(text).digest, createHash('sha256').update(text).digest('hex'));
});

test('loopback with a port is admitted', () =>
  assert.deepEqual(parse(net('127.0.0.1:8080')).netAllow, ['127.0.0.1:8080']));
