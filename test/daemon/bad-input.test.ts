import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { atEnd } from '../cleanup.js';
import { makeSandbox, type Sandbox, startDaemon, worldd } from '../e2e/world.js';

/** Starts `up` where it must fail: exit 2, nothing on stdout, and what stderr says. */
async function refusedUp(sandbox: Sandbox, options: { cwd?: string; args?: readonly string[] } = {}): Promise<string> {
  const args = ['up', '--json', '--port', '0', '--workspace-root', sandbox.workspaceRoot, ...(options.args ?? [])];
  const { code, stdout, stderr } = await worldd(sandbox, args, options.cwd === undefined ? {} : { cwd: options.cwd });
  assert.deepEqual({ code, stdout }, { code: 2, stdout: '' }, stderr);
  assert.match(stderr, /^ailang-worldd: daemon startup failed at (store-open|listen|config): .+\n {2}.+\n$/);
  return stderr;
}

test('not a git repository', async (t) => {
  const sandbox = makeSandbox(t);
  const elsewhere = join(sandbox.repository, '..', 'tmp');
  assert.match(await refusedUp(sandbox, { cwd: elsewhere }), /is not inside a git repository/);
});

test('a bare repository', async (t) => {
  const sandbox = makeSandbox(t);
  const bare = join(sandbox.repository, '..', 'bare.git');
  sandbox.git('clone', '-q', '--bare', '.', bare);
  assert.match(await refusedUp(sandbox, { cwd: bare }), /is bare, or the inside of a \.git directory/);
});

test('an unborn HEAD leaves no worktree and no log behind, and a first commit puts it right', async (t) => {
  const sandbox = makeSandbox(t);
  sandbox.git('checkout', '-q', '--orphan', 'empty');
  assert.match(await refusedUp(sandbox), /has no commit yet/);
  assert.equal(existsSync(join(sandbox.workspaceRoot, 'ep1')), false);
  const opened = await worldd(sandbox, ['episode', 'open', 'ep2', '--workspace-root', sandbox.workspaceRoot]);
  assert.match(opened.stderr, /has no commit yet.*\n {2}Make a first commit/);
  assert.equal(sandbox.git('for-each-ref', 'refs/world'), '');
  sandbox.git('commit', '-q', '--allow-empty', '-m', 'Start');
  assert.equal(await (await startDaemon(t, sandbox)).stop(), 0);
});

test('a detached HEAD and a dirty tree are fine: the episode starts from the commit', async (t) => {
  const sandbox = makeSandbox(t);
  sandbox.git('checkout', '-q', '--detach');
  writeFileSync(join(sandbox.repository, 'hello.ail'), 'changed\n');
  const daemon = await startDaemon(t, sandbox);
  assert.notEqual(readFileSync(join(daemon.worktree, 'hello.ail'), 'utf8'), 'changed\n');
  assert.equal(readFileSync(join(sandbox.repository, 'hello.ail'), 'utf8'), 'changed\n');
  assert.equal(await daemon.stop(), 0);
});

test('a worktree that is gone', async (t) => {
  const sandbox = makeSandbox(t);
  const daemon = await startDaemon(t, sandbox);
  assert.equal(await daemon.stop(), 0);
  rmSync(daemon.worktree, { recursive: true });
  assert.match(await refusedUp(sandbox), /the worktree of episode ep1 is gone/);
  const other = await startDaemon(t, sandbox, { args: ['--episode', 'ep2'] });
  assert.equal(await other.stop(), 0);
});

test('an episode that was closed', async (t) => {
  const sandbox = makeSandbox(t);
  assert.equal(await (await startDaemon(t, sandbox)).stop(), 0);
  const closed = await worldd(sandbox, ['episode', 'close', 'ep1', '--workspace-root', sandbox.workspaceRoot]);
  assert.equal(closed.code, 0, closed.stderr);
  assert.match(await refusedUp(sandbox), /episode ep1 is closed\n {2}start with another name/);
});

test('a port that is taken', async (t) => {
  const sandbox = makeSandbox(t);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(t, () => server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? String(address.port) : '';
  assert.match(
    await refusedUp(sandbox, { args: ['--port', port] }),
    new RegExp(`failed at listen: .*127\\.0\\.0\\.1:${port}`),
  );
});

test('a second daemon is refused and the first is named', async (t) => {
  const sandbox = makeSandbox(t);
  const daemon = await startDaemon(t, sandbox);
  const text = await refusedUp(sandbox);
  assert.match(text, new RegExp(`process ${daemon.child.pid}\\b`));
  assert.match(text, new RegExp(new URL(daemon.url).origin));
  // From a linked worktree it is the same world.
  const linked = join(sandbox.repository, '..', 'linked');
  sandbox.git('worktree', 'add', '-q', linked);
  assert.match(await refusedUp(sandbox, { cwd: linked }), new RegExp(`process ${daemon.child.pid}\\b`));
  assert.equal(await daemon.stop(), 0);
});

test('a workspace root that cannot be used', async (t) => {
  const sandbox = makeSandbox(t);
  writeFileSync(sandbox.workspaceRoot, 'a file\n');
  assert.match(await refusedUp(sandbox), new RegExp(`${sandbox.workspaceRoot}`));
  const inside = join(sandbox.repository, 'inside');
  assert.match(await refusedUp(sandbox, { args: ['--workspace-root', inside] }), /lies inside the repository/);
});

test('a directory that cannot be written', {
  skip: process.getuid?.() === 0 && 'root may write anywhere',
}, async (t) => {
  const sandbox = makeSandbox(t);
  const locked = join(sandbox.repository, '..', 'locked');
  mkdirSync(locked, { mode: 0o500 });
  assert.match(await refusedUp(sandbox, { args: ['--workspace-root', join(locked, 'root')] }), /permission denied/);
});

test('a journal damaged in the middle', async (t) => {
  const sandbox = makeSandbox(t);
  const daemon = await startDaemon(t, sandbox);
  const env = { WORLD_SESSION: daemon.session_file };
  for (const path of ['a.txt', 'b.txt', 'c.txt'])
    await worldd(
      sandbox,
      ['--addr', daemon.url, 'call', 'ailang-write', '--arg', `path=${path}`, '--arg', 'content=x'],
      { env },
    );
  await daemon.kill();
  const file = join(daemon.repository, 'world', 'journal');
  const bytes = readFileSync(file);
  const text = bytes.indexOf('a.txt');
  assert.notEqual(text, -1, 'the journal holds the first call');
  bytes[text] = 0x7a;
  writeFileSync(file, bytes);
  assert.match(await refusedUp(sandbox), /the journal .* is damaged/);
  assert.deepEqual(readFileSync(file), bytes);
  const doctor = await worldd(sandbox, ['doctor']);
  assert.equal(doctor.code, 1);
  assert.match(doctor.stdout, /^✗ journal +damaged in the middle$/m);
  const repaired = await worldd(sandbox, ['doctor', '--repair']);
  assert.equal(repaired.code, 0, repaired.stdout + repaired.stderr);
  assert.match(repaired.stderr, /the journal is now .*journal\.damaged-\d+\n$/);
  assert.equal(await (await startDaemon(t, sandbox)).stop(), 0);
});

test('a foreign move of the ref is named and not overwritten', async (t) => {
  const sandbox = makeSandbox(t);
  const daemon = await startDaemon(t, sandbox);
  const env = { WORLD_SESSION: daemon.session_file };
  const write = ['--addr', daemon.url, 'call', 'ailang-write', '--arg', 'path=a.txt', '--arg', 'content=x'];
  assert.equal((await worldd(sandbox, write, { env })).code, 0);
  assert.equal((await worldd(sandbox, ['why', 'head'])).code, 0);
  const foreign = sandbox.git('rev-parse', 'HEAD').trim();
  sandbox.git('update-ref', 'refs/world/log', foreign);
  await worldd(sandbox, write, { env });
  const refused = await worldd(sandbox, write, { env });
  assert.equal(refused.code, 1);
  assert.match(daemon.stderr(), /moved refs\/world\/log.*what to do: .*ailang-worldd doctor --repair/);
  assert.equal(sandbox.git('rev-parse', 'refs/world/log').trim(), foreign);
  await daemon.stop();
  await refusedUp(sandbox);
  assert.equal(sandbox.git('rev-parse', 'refs/world/log').trim(), foreign);
  assert.match((await worldd(sandbox, ['doctor'])).stdout, /^✗ journal +something else moved refs\/world\/log/m);
  const repaired = await worldd(sandbox, ['doctor', '--repair']);
  assert.equal(repaired.code, 0, repaired.stdout + repaired.stderr);
  assert.equal(sandbox.git('rev-parse', `refs/world/foreign/${foreign}`).trim(), foreign);
  const again = await startDaemon(t, sandbox);
  assert.equal((await worldd(sandbox, ['--addr', again.url, ...write.slice(2)], { env })).code, 0);
  assert.equal(await again.stop(), 0);
  assert.equal((await worldd(sandbox, ['why', 'head'])).code, 0);
});
