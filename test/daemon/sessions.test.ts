import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { mergeGrants, parseGrant, toolGrants } from '../../src/daemon/grants.js';
import { credentialIdOf, mintSession, resolveBearer } from '../../src/daemon/sessions.js';
import type { CredentialId, EpisodeId, LogState, SessionState } from '../../src/log/types.js';

const NOW = 1_791_024_750;
const TOKEN = 'ab'.repeat(32);
const session: SessionState = {
  credentialId: credentialIdOf(TOKEN),
  episode: 'ep1' as EpisodeId,
  grants: [],
  createdAt: NOW,
  expiresAt: NOW + 60,
  revoked: false,
};

function judge(header: string | undefined, options: { now?: number; revoked?: boolean } = {}): string {
  const known = { ...session, revoked: options.revoked ?? false };
  const state = {
    session: (id: CredentialId) => (id === known.credentialId ? known : undefined),
  } as LogState;
  return resolveBearer(header, state, options.now ?? NOW).outcome;
}

test('a credential id is the digest of the hex text, not of the bytes', () => {
  assert.equal(credentialIdOf(TOKEN), createHash('sha256').update(TOKEN).digest('hex'));
});

test('a bearer is two fields, the second 64 hex digits', () => {
  assert.equal(judge(undefined), 'absent');
  assert.equal(judge(`Bearer ${TOKEN}`), 'live');
  assert.equal(judge(` Bearer \t ${TOKEN} `), 'live');
  for (const header of [
    '',
    'Bearer',
    TOKEN,
    `bearer ${TOKEN}`,
    `Basic ${TOKEN}`,
    `Bearer ${TOKEN}0`,
    `Bearer ${TOKEN} x`,
    `Bearer ${'g'.repeat(64)}`,
  ])
    assert.equal(judge(header), 'malformed', header);
});

test('a token is hashed as it stands, so in capitals it is another', () => {
  assert.equal(judge(`Bearer ${TOKEN.toUpperCase()}`), 'unknown');
  assert.equal(judge(`Bearer ${'00'.repeat(32)}`), 'unknown');
});

test('a session lives up to and including its last second, and not when revoked', () => {
  assert.equal(judge(`Bearer ${TOKEN}`, { now: NOW + 60 }), 'live');
  assert.equal(judge(`Bearer ${TOKEN}`, { now: NOW + 61 }), 'expired');
  assert.equal(judge(`Bearer ${TOKEN}`, { revoked: true }), 'unknown');
});

test('what is minted resolves, and its grants end with the session', () => {
  const grants = toolGrants(50);
  const options = { episode: session.episode, grants, ttlSeconds: 60, nowSeconds: NOW };
  const { minted, act } = mintSession({ ...options, random: (bytes) => Buffer.alloc(bytes, 0xab) });
  assert.equal(minted.token, TOKEN);
  assert.equal(act.credentialId, session.credentialId);
  assert.deepEqual(new Set(act.grants.map((grant) => grant.expiresAt)), new Set([NOW + 60]));
  assert.doesNotMatch(JSON.stringify(act), new RegExp(TOKEN));
});

test('a grant is cut at the first = and the last :', () => {
  assert.deepEqual(parseGrant('Workspace.Read=worktree:50'), {
    effect: 'Workspace.Read',
    scope: 'worktree',
    budget: 50,
  });
  assert.deepEqual(parseGrant('Git.Commit=https://a:8=b:0'), {
    effect: 'Git.Commit',
    scope: 'https://a:8=b',
    budget: 0,
  });
  for (const text of ['', 'a', 'a=b', '=b:1', 'a=:1', 'a=b:', 'a=b:-1', 'a=b:1.5', 'a=b:1e3', 'a:1=b'])
    assert.throws(() => parseGrant(text), { code: 'grant-syntax' }, text);
});

test('any grant survives being written and read', () => {
  const effect = fc.stringMatching(/^[A-Za-z.]{1,20}$/);
  fc.assert(
    fc.property(effect, fc.string({ minLength: 1 }), fc.nat(), (name, scope, budget) => {
      assert.deepEqual(parseGrant(`${name}=${scope}:${budget}`), { effect: name, scope, budget });
    }),
  );
});

test('an explicit grant takes the place of the preset one of the same effect and scope', () => {
  const merged = mergeGrants(toolGrants(50), [
    parseGrant('Ailang.Run=worktree:3'),
    parseGrant('Ailang.RunEnv=worktree:1'),
  ]);
  assert.deepEqual(
    merged.map((grant) => `${grant.effect}:${grant.budget}`),
    [
      'Workspace.Read:50',
      'Workspace.Write:50',
      'Ailang.Check:50',
      'Ailang.Run:3',
      'Ailang.Discover:50',
      'Ailang.CLI:50',
      'Ailang.RunEnv:1',
    ],
  );
});
