import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeSandbox, startDaemon, worldd } from '../e2e/world.js';

test('from a bare repository to a verified call, over stop and start', async (t) => {
  const sandbox = makeSandbox(t);
  const daemon = await startDaemon(t, sandbox, { args: ['--budget', '5'] });
  const env = { WORLD_SESSION: daemon.session_file };
  const at = ['--addr', daemon.url];

  await t.test('the announcement names what was made', () => {
    assert.match(daemon.url, /^http:\/\/127\.0\.0\.1:\d+\/mcp\/$/);
    assert.equal(daemon.worktree, join(sandbox.workspaceRoot, 'ep1'));
    assert.equal(
      readFileSync(join(daemon.worktree, 'hello.ail'), 'utf8'),
      readFileSync(join(sandbox.repository, 'hello.ail'), 'utf8'),
    );
    assert.equal(statSync(daemon.session_file).mode & 0o777, 0o600);
    assert.match(daemon.token, /^[0-9a-f]{64}$/);
    assert.match(daemon.head, /^sha256:[0-9a-f]{64}$/);
    assert.equal(daemon.repository, join(sandbox.repository, '.git'));
  });

  await t.test('the eight tools are listed', async () => {
    const { code, stdout } = await worldd(sandbox, [...at, 'tools', 'list'], { env });
    assert.equal(code, 0);
    assert.match(stdout, /^ailang-check +\S.*\n +required: path\n/);
    assert.match(stdout, /\n8 tool\(s\)\n$/);
    const raw = await worldd(sandbox, [...at, 'tools', 'list', '--json'], { env });
    assert.equal((JSON.parse(raw.stdout) as unknown[]).length, 8);
  });

  await t.test('a call prints fields, output and world block', async () => {
    const { code, stdout, stderr } = await worldd(sandbox, [...at, 'call', 'ailang-read', '--arg', 'path=hello.ail'], {
      env,
    });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.match(stdout, /^content: module hello\n/);
    assert.match(stdout, /\nok: true\n/);
    assert.match(
      stdout,
      /\noutput: sha256:[0-9a-f]{64} \(\d+ bytes\)\nworld:\n {2}plan sha256:[0-9a-f]{64}\n {2}effect e1 ok sha256:[0-9a-f]{64}\n$/,
    );
  });

  await t.test('--json-out is the committed output, and why finds it', async () => {
    const args = ['call', 'ailang-write', '--json', '{"path":"notes.txt","content":"one\\n"}', '--json-out'];
    const { stdout } = await worldd(sandbox, [...at, ...args], { env });
    const committed = await worldd(sandbox, ['why', '-', '--json'], { input: stdout });
    assert.equal(committed.code, 0, committed.stderr);
    const chain = JSON.parse(committed.stdout) as {
      matchedBy: string;
      ok: boolean;
      links: { name: string; ref: string }[];
    };
    assert.deepEqual([chain.matchedBy, chain.ok, chain.links.length], ['output', true, 7]);
    const digest = createHash('sha256').update(stdout.slice(0, -1)).digest('hex');
    assert.equal(chain.links.at(-1)?.ref, `sha256:${digest}`);
    assert.equal(sandbox.git('cat-file', 'blob', 'refs/world/log:output.json'), stdout.slice(0, -1));
    assert.equal(sandbox.git('cat-file', 'blob', 'refs/world/log:worktree/notes.txt'), 'one\n');
    assert.equal(existsSync(join(sandbox.repository, 'notes.txt')), false);
  });

  await t.test('a refusal exits 0, and 3 when --strict', async () => {
    const args = ['call', 'ailang-read', '--arg', 'path=../x'];
    const plain = await worldd(sandbox, [...at, ...args], { env });
    assert.equal(plain.code, 0);
    assert.match(plain.stdout, /refused: path "\.\.\/x" refused:/);
    assert.equal((await worldd(sandbox, [...at, ...args, '--strict'], { env })).code, 3);
  });

  await t.test('a tool that is not there is a tool error', async () => {
    const { code, stderr } = await worldd(sandbox, [...at, 'call', 'ailang-fly'], { env });
    assert.equal(code, 1);
    assert.match(stderr, /unknown tool "ailang-fly"/);
  });

  await t.test('the token never shows on the command line or in the output', async () => {
    const text = await worldd(sandbox, [...at, 'tools', 'list', '--session', daemon.token], {});
    assert.equal(text.code, 0);
    assert.match(text.stderr, /warning: a token on the command line/);
    assert.doesNotMatch(text.stdout + text.stderr, new RegExp(daemon.token));
    const unknown = await worldd(sandbox, [...at, 'tools', 'list', '--session', 'f'.repeat(64)]);
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /unknown session credential/);
  });

  await t.test('the reads print what the daemon answers', async () => {
    const read = async (...args: string[]) => {
      const { code, stdout, stderr } = await worldd(sandbox, [...at, ...args]);
      assert.equal(code, 0, stderr);
      return stdout.trim();
    };
    const head = await read('head');
    const world = JSON.parse(await read('world', 'get', head)) as { ref: string; revision: number; stateRoot: string };
    assert.equal(world.ref, head);
    const object = JSON.parse(await read('object', 'get', world.stateRoot, '--payload')) as { payload: string };
    assert.equal(
      sandbox.git('cat-file', 'blob', 'refs/world/log:output.json'),
      Buffer.from(object.payload, 'base64').toString(),
    );
    assert.equal((JSON.parse(await read('health')) as { status: string }).status, 'ok');
    const entry = JSON.parse(await read('log', 'get', '0')) as { header: { writtenBy: string } };
    assert.equal(entry.header.writtenBy, 'operator:genesis');
    const page = JSON.parse(await read('log', 'range', '--from', '1', '--limit', '2')) as { items: unknown[] };
    assert.equal(page.items.length, 2);
    const lines = (await read('log', 'tail')).split('\n');
    assert.equal(lines.length, world.revision + 1);
    assert.match(lines[0] ?? '', /^#0 [0-9a-f]{8} operator:genesis$/);
    assert.match(lines[1] ?? '', /^#1 [0-9a-f]{8} operator:episode-open ep1$/);
    assert.match(lines[3] ?? '', /^#3 [0-9a-f]{8} coordinator:a2a ep1 ailang-read \[Workspace\.Read ok\]$/);
    assert.match(lines.at(-1) ?? '', /ep1 ailang-read \[no effects\]$/);
    const missing = await worldd(sandbox, [...at, 'log', 'get', '999']);
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /^ailang-worldd: \/v1\/log\/999 returned HTTP 404 NotFound: log entry not found\n/);
  });

  await t.test('why and provenance work through the daemon from anywhere', async () => {
    const why = await worldd(sandbox, [...at, 'why', 'head'], { cwd: '/' });
    assert.equal(why.code, 0, why.stderr);
    assert.match(why.stdout, /all 6 link\(s\) verified\n$/);
    const trailer = await worldd(sandbox, ['provenance', '--episode', 'ep1']);
    assert.match(
      trailer.stdout,
      /^World-Provenance: store=refs\/world\/log world=[0-9a-f]{16} episode=ep1 entries=3-\d+ head=sha256:[0-9a-f]{64} tree=[0-9a-f]{40}\n$/,
    );
    assert.equal((await worldd(sandbox, ['why', '999'])).code, 1);
    assert.match((await worldd(sandbox, ['why', '0'])).stdout, /note: operator:genesis entry/);
  });

  await t.test('stopped and started again it is the same world', async (t) => {
    const before = sandbox.git('rev-parse', 'refs/world/log');
    assert.equal(await daemon.stop(), 0);
    assert.equal(existsSync(join(daemon.repository, 'world', 'control.json')), false);
    const again = await startDaemon(t, sandbox, { args: ['--budget', '5'] });
    assert.equal(sandbox.git('rev-parse', 'refs/world/log'), before);
    assert.deepEqual([again.token, again.worktree], [daemon.token, daemon.worktree]);
    const { stdout } = await worldd(sandbox, ['session', 'list', '--json']);
    const [session] = JSON.parse(stdout) as { grants: { effect: string; spent: number }[] }[];
    const spent = new Map(session?.grants.map((grant) => [grant.effect, grant.spent]));
    assert.deepEqual([spent.get('Workspace.Read'), spent.get('Workspace.Write')], [1, 1]);
    assert.equal(await again.stop(), 0);
  });

  await t.test('a token file that others can read is not used again', async (t) => {
    writeFileSync(daemon.session_file, `${daemon.token}\n`, { mode: 0o600 });
    chmodSync(daemon.session_file, 0o644);
    const again = await startDaemon(t, sandbox);
    assert.notEqual(again.token, daemon.token);
    assert.equal(statSync(again.session_file).mode & 0o777, 0o600);
    assert.equal(await again.stop(), 0);
  });
});
