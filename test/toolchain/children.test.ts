import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../src/ailang/package-root.js';
import { EmbeddedToolchain } from '../../src/toolchain/embedded/toolchain.js';
import { sandbox } from '../ailang/policy/scratch.js';
import { atEnd } from '../cleanup.js';
import { policyOf } from './policy-of.js';
import { alive, gone } from './processes.js';

const spinning =
  'module spin\nfunc spin(n: int) -> int = spin(n + 1)\nexport func main() -> () ! {IO} = println(show(spin(0)))\n';

test('when the daemon is killed, the helper and every child end, busy or idle', async (t) => {
  const { root, policyFile } = sandbox(t, { 'spin.ail': spinning });
  const module = pathToFileURL(join(packageRoot(), 'build/src/toolchain/embedded/toolchain.js'));
  const daemon = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { EmbeddedToolchain } from ${JSON.stringify(module.href)};
       const toolchain = await EmbeddedToolchain.open();
       const pids = await toolchain.warm();
       toolchain.run(${JSON.stringify(policyOf(policyFile, root))}, { path: 'spin.ail' }, 60000).catch(() => {});
       setTimeout(() => console.log(JSON.stringify([toolchain.helperPid, ...pids])), 200);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  atEnd(t, () => daemon.kill('SIGKILL'));
  const pids = JSON.parse(String(await new Promise((resolve) => daemon.stdout.once('data', resolve)))) as number[];
  assert.ok(pids.length >= 3 && pids.every(alive));
  daemon.kill('SIGKILL');
  await gone(pids);
});

test('closing the toolchain ends all its processes', async () => {
  const toolchain = await EmbeddedToolchain.open();
  const pids = [...(await toolchain.warm()), toolchain.helperPid!];
  await toolchain.close();
  await gone(pids);
  await assert.rejects(toolchain.warm(), { code: 'toolchain-closed' });
});

test('a killed helper fails the call under way and is started again', async (t) => {
  const { root, policyFile } = sandbox(t, { 'spin.ail': spinning });
  const toolchain = await EmbeddedToolchain.open();
  atEnd(t, () => toolchain.close());
  const policy = policyOf(policyFile, root);
  const pids = await toolchain.warm();
  const running = toolchain.run(policy, { path: 'spin.ail' }, 60_000);
  running.catch(() => {});
  process.kill(toolchain.helperPid!, 'SIGKILL');
  await assert.rejects(running, { code: 'toolchain-unavailable' });
  await gone(pids);
  assert.equal((await toolchain.policyTool(policy, { op: 'version' }, 20_000)).ok, true);
});

test('the caller’s deadline ends a run without an answer', async (t) => {
  const { root, policyFile } = sandbox(t, { 'spin.ail': spinning });
  const toolchain = await EmbeddedToolchain.open();
  atEnd(t, () => toolchain.close());
  const pids = await toolchain.warm();
  await assert.rejects(toolchain.run(policyOf(policyFile, root), { path: 'spin.ail' }, 300), {
    code: 'toolchain-failed',
    message: 'the run passed its deadline',
  });
  await gone(pids.slice(0, 1));
});

test('a child is used once and replaced', async (t) => {
  const { root, policyFile } = sandbox(t, {
    'one.ail': 'module one\nexport func main() -> () ! {IO} = println("1")\n',
  });
  const toolchain = await EmbeddedToolchain.open();
  atEnd(t, () => toolchain.close());
  const policy = policyOf(policyFile, root);
  const before = await toolchain.warm();
  for (let round = 0; round < 3; round++)
    assert.equal((await toolchain.run(policy, { path: 'one.ail' }, 20_000)).stdout, '1\n');
  const after = await toolchain.warm();
  assert.ok(after.length >= 2);
  assert.deepEqual(
    after.filter((pid) => before.includes(pid)),
    [],
  );
});

test('a program has the stack for 10 000 nested calls', async (t) => {
  const deep =
    'module deep\nfunc deep(n: int) -> int = if n == 0 then 0 else 1 + deep(n - 1)\nexport func main() -> () ! {IO} = println(show(deep(9900)))\n';
  const { root, policyFile } = sandbox(t, { 'deep.ail': deep });
  const toolchain = await EmbeddedToolchain.open();
  atEnd(t, () => toolchain.close());
  const result = await toolchain.run(policyOf(policyFile, root), { path: 'deep.ail' }, 20_000);
  assert.deepEqual([result.exitCode, result.stdout], [0, '9900\n']);
});
