import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EpisodeId, JsonObject } from '../../src/log/types.js';
import type { RunPolicy } from '../../src/toolchain/types.js';
import { verifySummary } from '../../src/toolchain/verify-summary.js';

const policy: RunPolicy = {
  episode: 'ep1' as EpisodeId,
  file: '/p.toml',
  digest: 'd'.repeat(64),
  sandbox: '/w/ep1',
  securityMode: 'restricted',
  caps: ['FS', 'IO', 'Net'],
  netAllow: ['127.0.0.1:8080', '127.0.0.1:9090'],
};
const summary: JsonObject = {
  security_mode: 'restricted',
  policy_digest: policy.digest,
  fs_sandbox: '/w/ep1',
  caps: ['IO', 'FS', 'Net'],
  net_allow: ['127.0.0.1:8080', '127.0.0.1:9090'],
  timeout_ms: 8000,
};

test('a summary that is the policy passes, capabilities in any order', () => {
  verifySummary(policy, { ok: true, summary });
  const { net_allow: _, ...without } = summary;
  verifySummary({ ...policy, netAllow: [] }, { ok: true, summary: without });
});

for (const [name, change] of [
  ['another mode', { security_mode: 'trusted_host' }],
  ['one capability more', { caps: ['Env', 'FS', 'IO', 'Net'] }],
  ['one capability less', { caps: ['FS', 'IO'] }],
  ['a capability twice', { caps: ['FS', 'IO', 'Net', 'Net'] }],
  ['no capabilities', { caps: null }],
  ['one address more', { net_allow: ['127.0.0.1:8080', '127.0.0.1:9090', '127.0.0.1:1'] }],
  ['one address less', { net_allow: ['127.0.0.1:8080'] }],
  ['another port', { net_allow: ['127.0.0.1:8080', '127.0.0.1:9091'] }],
  ['another sandbox', { fs_sandbox: '/w' }],
  ['another digest', { policy_digest: 'e'.repeat(64) }],
] as const)
  test(`refused: ${name}`, () =>
    assert.throws(() => verifySummary(policy, { ok: true, summary: { ...summary, ...change } as JsonObject }), {
      code: 'policy-mismatch',
    }));

test('refused: no summary at all', () =>
  assert.throws(() => verifySummary(policy, { ok: false, refused: 'no' }), { code: 'policy-unusable' }));
