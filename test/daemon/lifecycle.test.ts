import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createConnection } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { packageRoot } from '../../src/ailang/package-root.js';
import { atEnd } from '../cleanup.js';
import { makeSandbox, startDaemon, worldd } from '../e2e/world.js';

const control = (repository: string) =>
  JSON.parse(readFileSync(join(repository, 'world', 'control.json'), 'utf8')) as {
    socket: string;
    pid: number;
    url: string;
  };

test('the control channel belongs to its owner and answers only requests it knows', async (t) => {
  const sandbox = makeSandbox(t);
  const daemon = await startDaemon(t, sandbox);
  const { socket, pid, url } = control(daemon.repository);
  assert.deepEqual([pid, url], [daemon.child.pid, new URL(daemon.url).origin]);
  assert.equal(statSync(join(daemon.repository, 'world', 'control.json')).mode & 0o777, 0o600);
  assert.equal(lstatSync(dirname(socket)).mode & 0o777, 0o700);
  assert.ok(socket.startsWith(sandbox.env.XDG_RUNTIME_DIR ?? '?'));

  const connection = createConnection(socket);
  atEnd(t, () => connection.destroy());
  const lines = createInterface({ input: connection })[Symbol.asyncIterator]();
  const ask = async (line: string): Promise<unknown> => {
    connection.write(`${line}\n`);
    return JSON.parse((await lines.next()).value ?? '');
  };
  const unknown = { ok: false, error: { code: 'control-request', message: 'not a control request' } };
  for (const line of [
    '',
    '{',
    '{"op":"reboot"}',
    '{"op":"flush","now":true}',
    '{"op":"session-mint","episode":"ep1","grants":[]}',
  ])
    assert.deepEqual(await ask(line), unknown);
  assert.deepEqual(await ask('{"op":"flush"}'), { ok: true, result: {} });
  const refused = await ask('{"op":"session-revoke","credentialId":"zz"}');
  assert.equal((refused as { error: { code: string } }).error.code, 'session-unknown');
  assert.equal(await daemon.stop(), 0);
  assert.equal(existsSync(socket), false);
});

test('a request line without an end does not fill the memory', async (t) => {
  const sandbox = makeSandbox(t);
  const daemon = await startDaemon(t, sandbox);
  const connection = createConnection(control(daemon.repository).socket);
  const closed = new Promise<void>((resolve) => connection.once('close', () => resolve()));
  connection.on('error', () => undefined);
  connection.write('x'.repeat(200_000));
  await closed;
  assert.equal((await worldd(sandbox, ['session', 'list'])).code, 0);
  assert.equal(await daemon.stop(), 0);
});

test('killed, its leftovers are named by the doctor and cleared by the next start', async (t) => {
  const sandbox = makeSandbox(t);
  const daemon = await startDaemon(t, sandbox);
  const env = { WORLD_SESSION: daemon.session_file };
  const write = ['call', 'ailang-write', '--arg', 'path=a.txt', '--arg', 'content=x', '--json-out'];
  const { stdout } = await worldd(sandbox, ['--addr', daemon.url, ...write], { env });
  await daemon.kill();
  const state = dirname(dirname(daemon.session_file));
  const homes = () => readdirSync(state).filter((name) => name.startsWith('home-'));
  const left = homes();
  assert.equal(left.length, 1);

  const doctor = await worldd(sandbox, ['doctor', '--workspace-root', sandbox.workspaceRoot]);
  assert.equal(doctor.code, 0, doctor.stdout);
  assert.match(doctor.stdout, new RegExp(`^! daemon +none runs; pid ${daemon.child.pid} ended without stopping$`, 'm'));
  // Without a daemon, the verbs act on the log themselves.
  const minted = await worldd(sandbox, ['session', 'mint', '--episode', 'ep1', '--grant', 'Workspace.Read=worktree:1']);
  assert.equal(minted.code, 0, minted.stderr);
  assert.equal((await worldd(sandbox, ['why', '-'], { input: stdout })).code, 0);

  const again = await startDaemon(t, sandbox);
  assert.equal(homes().length, 1);
  assert.notDeepEqual(homes(), left);
  assert.equal(again.token, daemon.token);
  assert.equal(control(again.repository).pid, again.child.pid);
  assert.equal(await again.stop(), 0);
  assert.deepEqual(homes(), []);
  sandbox.git('fsck', '--strict');
});

test('a healthy world has a healthy doctor, with and without a daemon', async (t) => {
  const sandbox = makeSandbox(t);
  const doctor = async () => {
    const { code, stdout } = await worldd(sandbox, ['doctor', '--workspace-root', sandbox.workspaceRoot]);
    assert.equal(code, 0, stdout);
    return stdout;
  };
  assert.match(await doctor(), /^! log +no world here yet\n +start one: ailang-worldd up$/m);
  const daemon = await startDaemon(t, sandbox);
  const running = await doctor();
  assert.match(
    running,
    new RegExp(`^✓ daemon +pid ${daemon.child.pid} at ${new URL(daemon.url).origin}, head entry 2$`, 'm'),
  );
  assert.match(running, /^✓ head entry +entry 2: all 3 link\(s\) verified$/m);
  assert.match(running, /^✓ worktrees +1 below /m);
  assert.equal(await daemon.stop(), 0);
  assert.match(await doctor(), /^✓ daemon +none runs$/m);
  const elsewhere = await worldd(sandbox, ['doctor'], { cwd: '/' });
  assert.equal(elsewhere.code, 1);
  assert.match(elsewhere.stdout, /^✗ repository +\/ is not inside a git repository$/m);
});

test('serve prints one line, mints nothing, and operators do the rest while it runs', async (t) => {
  const sandbox = makeSandbox(t);
  const program = join(packageRoot(), 'dist', 'ailang-worldd.js');
  const args = ['serve', '--repo', sandbox.repository, '--port', '0', '--workspace-root', sandbox.workspaceRoot];
  const child = spawn(process.execPath, [program, ...args], {
    cwd: '/',
    env: sandbox.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  atEnd(t, () => child.kill('SIGKILL'));
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  await once(reader, 'line');
  const url = /^ailang-worldd listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(lines[0] ?? '')?.[1] ?? '';
  const minted = await worldd(sandbox, ['session', 'new', 'live-1']);
  assert.equal(minted.code, 0, minted.stderr);
  const env = { WORLD_SESSION: minted.stdout.trim() };
  assert.equal(
    (await worldd(sandbox, ['--addr', url, 'call', 'ailang-read', '--arg', 'path=hello.ail'], { env })).code,
    0,
  );
  child.kill('SIGINT');
  assert.deepEqual(await exited, [0, null]);
  assert.equal(lines.length, 1);
});

for (const objectFormat of ['sha1', 'sha256'] as const) {
  test(`a world started from a linked worktree lives in the common directory (${objectFormat})`, async (t) => {
    const sandbox = makeSandbox(t, { objectFormat });
    const linked = join(sandbox.repository, '..', 'linked');
    sandbox.git('worktree', 'add', '-q', linked);
    const daemon = await startDaemon(t, sandbox, { cwd: linked });
    assert.equal(daemon.repository, join(sandbox.repository, '.git'));
    const env = { WORLD_SESSION: daemon.session_file };
    const write = ['--addr', daemon.url, 'call', 'ailang-write', '--arg', 'path=a.txt', '--arg', 'content=x'];
    assert.equal((await worldd(sandbox, write, { env })).code, 0);
    assert.equal(await daemon.stop(), 0);
    assert.match(sandbox.git('log', '-1', '--format=%s', 'refs/world/log'), /^ailang-write ok a\.txt/);
    assert.equal((await worldd(sandbox, ['why', 'head'], { cwd: linked })).code, 0);
    sandbox.git('fsck', '--strict');
  });
}
