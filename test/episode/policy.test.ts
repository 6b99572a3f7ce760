import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { policyFileName, type RunAllowance, renderPolicy, writePolicy } from '../../src/episode/policy.js';
import { asEpisodeId } from '../../src/episode/worktree.js';
import { temporaryDirectory } from '../cleanup.js';

const NOTHING: RunAllowance = { caps: [], net: [], netHttp: false };
const NET: RunAllowance = { caps: ['Net'], net: ['127.0.0.1:8080'], netHttp: true };
const DENY = '[".github/**", ".pi/**", ".claude/**", ".gitmodules", ".gitattributes", ".ailang/**"]';

test('the base policy, byte for byte', () => {
  assert.equal(
    renderPolicy('/w/ep1', ['IO', 'FS'], NOTHING).toml,
    `security_mode = "restricted"
allowed_caps = ["IO", "FS"]
fs_sandbox = "/w/ep1"
timeout_ms = 8000
fs_deny_write = ${DENY}
entry = "main"

[budgets]
FS = 1000
`,
  );
});

test('a run without FS keeps FS admitted at budget 0', () => {
  const { toml, caps } = renderPolicy('/w', ['IO'], NOTHING);
  assert.match(toml, /^allowed_caps = \["FS", "IO"\]$/m);
  assert.match(toml, /^FS = 0$/m);
  assert.deepEqual(caps, ['FS', 'IO']);
});

test('a Net run names the operator’s endpoints and nothing else', () => {
  const { toml, securityMode, netAllow } = renderPolicy('/w', ['IO', 'Net'], NET);
  assert.equal(securityMode, 'restricted');
  assert.match(toml, /^net_allow = \["127\.0\.0\.1:8080"\]\nnet_allow_http = true$/m);
  assert.deepEqual(netAllow, ['127.0.0.1:8080']);
  assert.doesNotMatch(renderPolicy('/w', ['IO'], NET).toml, /net_allow/);
});

test('an Env run is trusted_host with .git denied and the byte limits spelled out', () => {
  const { toml, securityMode } = renderPolicy('/w', ['Env', 'IO'], NOTHING);
  assert.equal(securityMode, 'trusted_host');
  assert.ok(toml.includes('fs_deny_write = [".git/**", ".github/**"'));
  for (const limit of [
    'max_source_bytes = 1048576',
    'max_module_graph_bytes = 16777216',
    'max_output_bytes = 8388608',
  ]) {
    assert.ok(toml.includes(limit), limit);
  }
});

test('a path that cannot be quoted is refused', () => {
  for (const path of ['relative', '/a"b', '/a\\b', '/a\nb'])
    assert.throws(() => renderPolicy(path, ['IO'], NOTHING), path);
});

test('the file is private, whole, and its digest is that of its bytes', async (t) => {
  const directory = temporaryDirectory(t);
  const policy = await writePolicy(directory, asEpisodeId('ep1'), '/w/ep1', ['Declassify', 'IO'], NOTHING);
  assert.equal(policy.file, `${directory}/ep1.run-Declassify.IO.toml`);
  assert.equal(statSync(policy.file).mode & 0o777, 0o600);
  assert.equal(policy.digest, createHash('sha256').update(readFileSync(policy.file)).digest('hex'));
  assert.deepEqual(readdirSync(directory), ['ep1.run-Declassify.IO.toml']);
  assert.equal(policyFileName(asEpisodeId('ep1'), ['IO', 'FS']), 'ep1.toml');
});
