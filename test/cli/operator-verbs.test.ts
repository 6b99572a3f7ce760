import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeSandbox, startDaemon, worldd } from '../e2e/world.js';

interface Row {
  readonly credentialId: string;
  readonly episode: string;
  readonly live: boolean;
  readonly grants: readonly { readonly effect: string; readonly budget: number; readonly spent: number }[];
}

for (const mode of ['while the daemon runs', 'with no daemon'] as const) {
  test(`episodes and sessions ${mode}`, async (t) => {
    const sandbox = makeSandbox(t);
    const root = ['--workspace-root', sandbox.workspaceRoot];
    const daemon = mode === 'while the daemon runs' ? await startDaemon(t, sandbox) : undefined;
    const sessions = async () =>
      JSON.parse((await worldd(sandbox, ['session', 'list', '--json'])).stdout) as readonly Row[];

    await t.test('a list of nothing writes nothing', async () => {
      if (daemon !== undefined) return;
      assert.equal((await worldd(sandbox, ['session', 'list'])).stdout, 'no sessions\n');
      assert.equal((await worldd(sandbox, ['episode', 'list'])).stdout, 'no episodes\n');
      assert.throws(() => sandbox.git('rev-parse', '--verify', '--quiet', 'refs/world/log'));
    });

    await t.test('an episode opens once, in a worktree of its own', async () => {
      const { code, stdout, stderr } = await worldd(sandbox, ['episode', 'open', 'fix-1', ...root]);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^episode fix-1 is open at /);
      assert.ok(existsSync(join(sandbox.workspaceRoot, 'fix-1', 'hello.ail')));
      const again = await worldd(sandbox, ['episode', 'open', 'fix-1', ...root]);
      assert.deepEqual([again.code, again.stderr.split('\n')[0]], [1, 'ailang-worldd: episode fix-1 is open already']);
      const listed = await worldd(sandbox, ['episode', 'list', ...root]);
      assert.match(listed.stdout, new RegExp(`^fix-1 {2}open {2}[0-9a-f]{12} {2}${sandbox.workspaceRoot}/fix-1$`, 'm'));
    });

    await t.test('session new opens what it needs and writes the token once', async () => {
      const out = join(sandbox.env.HOME ?? '', 'fix-2.token');
      const { code, stdout, stderr } = await worldd(sandbox, [
        'session',
        'new',
        'fix-2',
        '--budget',
        '7',
        '--out',
        out,
        ...root,
      ]);
      assert.equal(code, 0, stderr);
      assert.equal(stdout, '');
      assert.match(stderr, /^credential [0-9a-f]{64} expires \d{4}-/m);
      assert.equal(statSync(out).mode & 0o777, 0o600);
      assert.doesNotMatch(stderr, new RegExp(readFileSync(out, 'utf8').trim()));
      const row = (await sessions()).find((session) => session.episode === 'fix-2');
      assert.deepEqual(
        row?.grants.map((grant) => [grant.effect, grant.budget, grant.spent]),
        ['Workspace.Read', 'Workspace.Write', 'Ailang.Check', 'Ailang.Run', 'Ailang.Discover', 'Ailang.CLI'].map(
          (effect) => [effect, 7, 0],
        ),
      );
      // The file is never overwritten, and the session nobody has the token of is revoked again.
      const taken = await worldd(sandbox, ['session', 'new', 'fix-2', '--out', out, ...root]);
      assert.equal(taken.code, 1);
      assert.match(taken.stderr, /exists; a token file is never overwritten/);
      assert.equal((await sessions()).filter((session) => session.episode === 'fix-2').length, 1);
    });

    await t.test('session mint gives exactly the grants named', async () => {
      const grant = ['--grant', 'Workspace.Read=worktree:3'];
      const { code, stdout } = await worldd(sandbox, [
        'session',
        'mint',
        '--episode',
        'fix-1',
        ...grant,
        '--ttl',
        '60',
      ]);
      assert.equal(code, 0);
      assert.match(stdout, /^[0-9a-f]{64}\n$/);
      if (daemon !== undefined) {
        const tools = await worldd(sandbox, ['--addr', daemon.url, 'tools', 'list', '--json'], {
          env: { WORLD_SESSION: stdout.trim() },
        });
        assert.deepEqual(
          (JSON.parse(tools.stdout) as { name: string }[]).map((tool) => tool.name),
          ['ailang-read'],
        );
      }
      const unknown = await worldd(sandbox, ['session', 'mint', '--episode', 'nowhere', ...grant]);
      assert.deepEqual(
        [unknown.code, unknown.stderr.split('\n')[0]],
        [1, 'ailang-worldd: episode nowhere does not exist'],
      );
    });

    await t.test('a revoked session is unknown from then on', async () => {
      const minted = await worldd(sandbox, [
        'session',
        'mint',
        '--episode',
        'fix-1',
        '--grant',
        'Workspace.Read=worktree:3',
      ]);
      const credential = /credential ([0-9a-f]{64})/.exec(minted.stderr)?.[1] ?? '';
      const { code, stdout } = await worldd(sandbox, ['session', 'revoke', credential.slice(0, 12)]);
      assert.deepEqual([code, stdout], [0, `revoked ${credential}\n`]);
      if (daemon !== undefined) {
        const env = { WORLD_SESSION: minted.stdout.trim() };
        const refused = await worldd(sandbox, ['--addr', daemon.url, 'tools', 'list'], { env });
        assert.match(refused.stderr, /unknown session credential/);
      }
      const again = await worldd(sandbox, ['session', 'revoke', credential]);
      assert.deepEqual(
        [again.code, again.stderr.split('\n')[0]],
        [1, 'ailang-worldd: no such session; nothing was revoked'],
      );
    });

    await t.test('closing an episode ends its sessions and keeps its worktree', async () => {
      const { code, stdout } = await worldd(sandbox, ['episode', 'close', 'fix-2', ...root]);
      assert.equal(code, 0);
      assert.match(stdout, /^episode fix-2 is closed\n {2}its worktree stays; remove it with: git worktree remove/);
      assert.equal((await sessions()).filter((session) => session.episode === 'fix-2').length, 0);
      assert.ok(existsSync(join(sandbox.workspaceRoot, 'fix-2', 'hello.ail')));
      const closed = await worldd(sandbox, ['episode', 'close', 'fix-2', ...root]);
      assert.match(closed.stderr, /episode fix-2 is closed/);
      const minted = await worldd(sandbox, ['session', 'new', 'fix-2', ...root]);
      assert.deepEqual([minted.code, minted.stderr.split('\n')[0]], [1, 'ailang-worldd: episode fix-2 is closed']);
    });

    await t.test('every act is an entry by the operator, and sound', async () => {
      const acts = (await worldd(sandbox, ['why', 'head', '--json'])).stdout;
      assert.equal((JSON.parse(acts) as { ok: boolean }).ok, true);
      assert.equal(
        sandbox.git('log', '-1', '--format=%an <%ae>', 'refs/world/log'),
        'Olga Operator <olga@example.org>\n',
      );
    });
  });
}
