import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeKey } from '../git/ssh/keys.js';
import { makeSandbox, startDaemon, worldd } from './world.js';

test('up --sign-key signs from genesis on, and says nothing of the key', async (t) => {
  const sandbox = makeSandbox(t);
  const home = String(sandbox.env.HOME);
  const key = makeKey(home, 'world-key', '-t', 'ed25519');
  const daemon = await startDaemon(t, sandbox, { args: ['--sign-key', key.file] });
  const called = await worldd(sandbox, ['--addr', daemon.address, 'call', 'ailang-read', '--arg', 'path=hello.ail'], {
    env: { WORLD_SESSION: daemon.token },
  });
  assert.equal(called.code, 0, called.stderr);
  assert.equal(await daemon.stop(), 0);
  assert.equal(daemon.stderr(), '');
  const signers = join(home, 'signers');
  writeFileSync(signers, `olga@example.org ${key.publicKey}\n`);
  const verified = await worldd(sandbox, ['verify', '--allowed-signers', signers]);
  assert.equal(verified.code, 0, verified.stdout);
  assert.match(
    verified.stdout,
    /✓ signatures holds: 4 entries, 4 good signatures\n {4}note: 4 signed by olga@example\.org/,
  );

  mkdirSync(sandbox.workspaceRoot, { recursive: true });
  const within = makeKey(sandbox.workspaceRoot, 'key', '-t', 'ed25519');
  const args = ['up', '--port', '0', '--workspace-root', sandbox.workspaceRoot, '--sign-key', within.file];
  const refused = await worldd(sandbox, args);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /daemon startup failed at store-open: the signing key .* lies where agents work/);
});
