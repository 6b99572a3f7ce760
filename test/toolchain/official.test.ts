import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { boundedProcess } from '../../src/toolchain/official/bounded-process.js';
import { parseReply } from '../../src/toolchain/official/reply.js';
import { OfficialToolchain } from '../../src/toolchain/official/toolchain.js';
import { scratch } from '../ailang/policy/scratch.js';
import { atEnd } from '../cleanup.js';
import { toolchainContract } from './contract.js';
import { fakeOfficial } from './fake-official.js';
import { gone } from './processes.js';

const open = async (t: TestContext, binary = fakeOfficial(scratch(t))) => {
  const toolchain = await OfficialToolchain.open({ binary });
  atEnd(t, () => toolchain.close());
  return toolchain;
};

const contractDirectory = mkdtempSync(join(tmpdir(), 'ailang-fake-'));
after(() => rmSync(contractDirectory, { recursive: true, force: true }));
toolchainContract('official (stand-in binary)', () =>
  OfficialToolchain.open({ binary: fakeOfficial(contractDirectory) }),
);

test('the identity is the version and the digest of the binary', async (t) => {
  const binary = fakeOfficial(scratch(t));
  const { identity } = await open(t, binary);
  const digest = createHash('sha256').update(readFileSync(binary)).digest('hex');
  assert.deepEqual(identity, { name: 'official', version: 'v0.52.1', ref: `sha256:${digest}` });
});

test('a binary that changed since is not run', async (t) => {
  const binary = fakeOfficial(scratch(t));
  const toolchain = await open(t, binary);
  appendFileSync(binary, '# changed\n');
  const policy = { episode: 'ep1', file: '/p', digest: '', sandbox: '/' } as Parameters<
    typeof toolchain.openEpisode
  >[0];
  await assert.rejects(toolchain.policyTool(policy, { op: 'version' }, 1000), { code: 'toolchain-changed' });
});

test('what is no ailang is refused', async (t) => {
  const file = join(scratch(t), 'other');
  writeFileSync(file, '#!/bin/sh\necho something else\n');
  chmodSync(file, 0o755);
  await assert.rejects(OfficialToolchain.open({ binary: file }), { code: 'toolchain-failed' });
  await assert.rejects(OfficialToolchain.open({ binary: join(file, 'none') }), { code: 'toolchain-missing' });
});

test('a process that hangs, floods or leaves a grandchild behind is ended with its group', async (t) => {
  const cwd = scratch(t);
  const base = { file: '/bin/sh', cwd, environment: {}, stdin: '', deadlineMs: 300, maxBytes: 1000 };
  await assert.rejects(boundedProcess({ ...base, args: ['-c', 'sleep 60'] }), { code: 'toolchain-timeout' });
  const flood = ['-c', 'while :; do echo xxxxxxxxxxxxxxxx; done'];
  await assert.rejects(boundedProcess({ ...base, deadlineMs: 5000, args: flood }), { code: 'toolchain-output' });
  const began = performance.now();
  const left = await boundedProcess({ ...base, deadlineMs: 20_000, args: ['-c', 'sleep 60 & echo $!'] });
  assert.ok(performance.now() - began < 10_000);
  const pid = Number(left.stdout);
  assert.ok(pid > 1);
  await gone([pid]);
});

test('an answer that is no protocol answer is a failure', () => {
  for (const text of ['', 'null', '{}', '{"ok":"yes"}', '{"ok":true,"stdout":1}'])
    assert.throws(() => parseReply('check', text), { code: 'toolchain-failed' });
});
