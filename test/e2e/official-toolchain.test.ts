import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryDirectory } from '../cleanup.js';
import { fakeOfficial } from '../toolchain/fake-official.js';
import { connect, type Output } from './client.js';
import { makeSandbox, type Sandbox, startDaemon, worldd } from './world.js';

/** The stand-in of the toolchain's contract tests: the official binary itself is not part of this repository. */
function standIn(t: TestContext): string {
  const directory = temporaryDirectory(t);
  return fakeOfficial(directory);
}
const digest = (file: string): string => `sha256:${createHash('sha256').update(readFileSync(file)).digest('hex')}`;
interface Program {
  readonly act: string;
  readonly toolchain: { readonly name: string; readonly version: string; readonly sha256: string };
}

/** The log's records of what runs, newest first. */
const programs = (sandbox: Sandbox): Program[] =>
  sandbox
    .git('log', '--format=%H', '--diff-filter=AM', 'refs/world/log', '--', 'operator.json')
    .trim()
    .split('\n')
    .map((commit) => JSON.parse(sandbox.git('show', `${commit}:operator.json`)) as Program)
    .filter(({ act }) => act === 'genesis' || act === 'tools');

test('--ailang-bin: the binary does the work, its version and digest are in genesis and in results', async (t) => {
  const binary = standIn(t);
  const sandbox = makeSandbox(t);
  const daemon = await startDaemon(t, sandbox, { args: ['--ailang-bin', binary, '--run-allow-caps', 'Env'] });
  const world = await connect(t, daemon);
  const read = await world.call('ailang-read', { path: 'hello.ail' });
  assert.equal(read.output.tool, digest(binary));
  const run = await world.call('ailang-run', { path: 'hello.ail' });
  assert.deepEqual([run.output.admitted, run.output.stdout], [true, 'hello from ailang-run\n'], run.text);
  const env = await world.call('ailang-run', { path: 'hello.ail', caps: ['Env', 'IO'], argv: ['-x'] });
  assert.deepEqual([(env.output.policy as Output).security_mode, env.output.exit_code], ['trusted_host', 0], env.text);
  const denied = await world.call('ailang-run', { path: 'nope.ail' });
  assert.deepEqual([denied.output.admitted, (denied.output.decision as Output).error_kind], [false, 'read_failed']);
  assert.equal((await world.call('ailang-check', { path: 'hello.ail' })).output.passed, true);

  appendFileSync(binary, '# another\n');
  const changed = await world.call('ailang-run', { path: 'hello.ail' });
  assert.equal(changed.world.effects[0]?.status, 'failed');
  assert.match(changed.text, /toolchain-changed/);
  assert.equal(await daemon.stop(), 0);
  assert.deepEqual(
    programs(sandbox).map(({ act, toolchain }) => [act, toolchain.name, toolchain.version]),
    [['genesis', 'official', 'v0.52.1']],
  );
  const recorded = programs(sandbox)[0]?.toolchain.sha256;
  assert.notEqual(recorded, digest(binary));

  const again = await startDaemon(t, sandbox, { args: ['--ailang-bin', binary] });
  assert.equal(await again.stop(), 0);
  const embedded = await startDaemon(t, sandbox);
  assert.equal(await embedded.stop(), 0);
  assert.deepEqual(
    programs(sandbox).map(({ act, toolchain }) => [act, toolchain.name]),
    [
      ['tools', 'embedded'],
      ['tools', 'official'],
      ['genesis', 'official'],
    ],
  );
  assert.equal(programs(sandbox)[1]?.toolchain.sha256, digest(binary));
});

test('a binary of another release, of no release, or that is not there is refused before anything is written', async (t) => {
  const sandbox = makeSandbox(t);
  const directory = temporaryDirectory(t);
  const saying = (text: string): string => {
    const file = join(directory, 'ailang');
    writeFileSync(file, `#!/bin/sh\necho '${text}'\n`);
    chmodSync(file, 0o755);
    return file;
  };
  for (const [text, message] of [
    ['AILANG v0.51.0', /is AILANG v0\.51\.0; only v0\.52\.x is supported/],
    ['AILANG v0.53.0', /is AILANG v0\.53\.0; only v0\.52\.x is supported/],
    ['AILANG v0.52.1-dirty', /is AILANG v0\.52\.1-dirty; only v0\.52\.x is supported/],
    ['something else', /does not answer "version" as ailang does/],
  ] as const)
    for (const verb of [['up'], ['serve', '--repo', '.']]) {
      const { code, stderr } = await worldd(sandbox, [...verb, '--port', '0', '--ailang-bin', saying(text)]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
    }
  const missing = await worldd(sandbox, ['up', '--port', '0', '--ailang-bin', join(directory, 'none')]);
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /the ailang binary .* cannot be read/);
  assert.equal(sandbox.git('for-each-ref', 'refs/world').trim(), '');
});
