import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openRepository } from '../../src/git/repository.js';
import { chooseRemote } from '../../src/sharing/remotes.js';
import { commandLine } from '../cli/command-line.js';
import { Forge, replaceIn } from '../provenance/verify/forge.js';
import { failing, verifyIn } from '../provenance/verify/world.js';
import { serveHttp } from './http-remote.js';
import { makeSharedWorld } from './shared-world.js';

const headOf = (world: { git(...args: string[]): string }, ref = 'refs/world/log'): string =>
  world.git('rev-parse', ref).trim();

test('the first push shows what is inside and publishes nothing without a yes', async (t) => {
  const world = await makeSharedWorld(t);
  const { code, stdout, stderr } = await commandLine(['push'], { cwd: world.repository });
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /entries {3}6 \(episodes ep1\)/);
  assert.match(stderr, /arguments .*: what callers sent, whole or partial contents of files in 2 calls/);
  assert.match(stderr, /outputs .*: what callers received, contents of files read in 1 call\n/);
  assert.match(stderr, /files {5}.* untracked ones included/);
  assert.match(stderr, /size {6}at most .* packed/);
  assert.match(stderr, /nothing was published\n.*--yes/);
  const no = await commandLine(['push'], { cwd: world.repository, answer: 'n' });
  assert.equal(no.code, 1);
  const dry = await commandLine(['push', '--dry-run', '--yes'], { cwd: world.repository });
  assert.equal(dry.code, 0);
  assert.equal(world.gitRemote('for-each-ref', 'refs/world'), '');
  const yes = await commandLine(['push'], { cwd: world.repository, answer: 'y' });
  assert.equal(yes.code, 0);
  assert.equal(headOf({ git: world.gitRemote }, world.sharedRef), headOf(world));
});

for (const format of ['sha1', 'sha256'] as const) {
  test(`push and fetch carry a whole log that verifies in a clone, again and again (${format})`, async (t) => {
    const world = await makeSharedWorld(t, { format });
    const pushed = await commandLine(['push', 'origin', '--yes'], { cwd: world.repository });
    assert.equal(pushed.code, 0, pushed.stderr);
    const clone = world.clone('clone');
    const fetched = await commandLine(['fetch'], { cwd: clone.directory });
    assert.equal(fetched.code, 0, fetched.stderr);
    assert.match(fetched.stdout, /^world [0-9a-f]{16} {2}6 entries, new here, chain proven\n$/);
    assert.deepEqual(failing(await verifyIn(clone.directory)), []);
    assert.equal(clone.git('fsck', '--strict', '--full', '--no-dangling'), '');

    assert.match((await commandLine(['push'], { cwd: world.repository })).stdout, /is up to date/);
    assert.match((await commandLine(['fetch'], { cwd: clone.directory })).stdout, /is here already/);
    assert.match((await commandLine(['fetch'], { cwd: world.repository })).stdout, /the log this repository writes/);

    await world.work(3);
    const more = await commandLine(['push'], { cwd: world.repository });
    assert.match(more.stdout, /^pushed 3 entries/);
    assert.match((await commandLine(['fetch'], { cwd: clone.directory })).stdout, /9 entries, 3 of them new/);
    assert.equal(headOf(clone, world.sharedRef), headOf(world));
  });
}

test('two worlds share one remote without meeting', async (t) => {
  const [one, two] = [await makeSharedWorld(t), await makeSharedWorld(t)];
  for (const world of [one, two])
    assert.equal((await commandLine(['push', one.remote, '--yes'], { cwd: world.repository })).code, 0);
  assert.equal((await commandLine(['fetch'], { cwd: one.repository })).code, 0);
  assert.equal(headOf(one, two.sharedRef), headOf(two));
  const listed = await commandLine(['remote', '--json'], { cwd: one.repository });
  const { logs } = JSON.parse(listed.stdout) as { logs: { world: string; own: boolean; relation: string }[] };
  assert.deepEqual(new Map(logs.map((log) => [log.world, [log.own, log.relation]])).size, 2);
  assert.ok(logs.every((log) => log.relation === 'same'));
  assert.deepEqual(
    logs.filter((log) => log.own).map((log) => log.world),
    [one.world.log.worldId],
  );
});

test('a remote that holds more, or another history, is never overwritten', async (t) => {
  const world = await makeSharedWorld(t);
  const early = headOf(world);
  await world.work(1);
  assert.equal((await commandLine(['push', '--yes'], { cwd: world.repository })).code, 0);
  const published = headOf(world);
  world.git('update-ref', 'refs/world/log', early);
  const behind = await commandLine(['push', '--yes'], { cwd: world.repository });
  assert.equal(behind.code, 1);
  assert.match(behind.stderr, /holds entries of world [0-9a-f]{16} that are not here; nothing was sent/);

  const other = world.git('commit-tree', `${early}^{tree}`, '-p', early, '-m', 'Not the daemon').trim();
  world.gitRemote('update-ref', '-d', world.sharedRef);
  world.git('push', '-q', 'origin', `${other}:${world.sharedRef}`);
  world.git('update-ref', 'refs/world/log', published);
  const diverged = await commandLine(['push', '--yes'], { cwd: world.repository });
  assert.equal(diverged.code, 1);
  assert.match(diverged.stderr, /holds another history of world/);
  assert.equal(headOf({ git: world.gitRemote }, world.sharedRef), other);
});

test('a log that comes shorter or rewritten changes nothing here', async (t) => {
  const world = await makeSharedWorld(t);
  const early = headOf(world);
  await world.work(1);
  assert.equal((await commandLine(['push', '--yes'], { cwd: world.repository })).code, 0);
  const clone = world.clone('clone');
  assert.equal((await commandLine(['fetch'], { cwd: clone.directory })).code, 0);
  const held = headOf(clone, world.sharedRef);

  world.gitRemote('update-ref', world.sharedRef, early);
  const shorter = await commandLine(['fetch'], { cwd: clone.directory });
  assert.equal(shorter.code, 1);
  assert.match(shorter.stderr, /that came is shorter than the one here/);

  world.gitRemote('update-ref', world.sharedRef, held);
  await Forge.rewrite(
    world.remote,
    {
      consistent: 'hashes',
      change: (draft) => {
        if (draft.files.has('input.json')) replaceIn(draft, 'input.json', 'note', 'mote');
        return undefined;
      },
    },
    world.sharedRef,
  );
  const rewritten = await commandLine(['fetch'], { cwd: clone.directory });
  assert.equal(rewritten.code, 1);
  assert.match(rewritten.stderr, /that came is another history than the one here/);
  assert.equal(headOf(clone, world.sharedRef), held);
});

test('a log whose chain does not hold, or that stands under another name, is not taken in', async (t) => {
  const world = await makeSharedWorld(t);
  assert.equal((await commandLine(['push', '--yes'], { cwd: world.repository })).code, 0);
  const tip = headOf(world);
  world.gitRemote('update-ref', 'refs/world/logs/0123456789abcdef', tip);
  await Forge.rewrite(
    world.remote,
    {
      consistent: 'bytes',
      change: (draft) => {
        if (draft.files.has('input.json')) replaceIn(draft, 'input.json', 'note', 'mote');
        return undefined;
      },
    },
    world.sharedRef,
  );
  const clone = world.clone('clone');
  const { code, stderr } = await commandLine(['fetch'], { cwd: clone.directory });
  assert.equal(code, 3);
  assert.match(stderr, /this is the log of world [0-9a-f]{16}, not of 0123456789abcdef/);
  assert.match(stderr, /does not hold: entry \d+ input\.json: its SHA-256 is not the one named as record\.input/);
  assert.equal(clone.git('for-each-ref', 'refs/world'), '');
});

test('a push that is cut off is taken up where it ended, and the remote decides by compare-and-swap', async (t) => {
  const world = await makeSharedWorld(t);
  const early = headOf(world);
  await world.work(2);
  world.git('push', '-q', 'origin', `${early}:${world.sharedRef}`);
  const rest = await commandLine(['push'], { cwd: world.repository });
  assert.match(rest.stdout, /^pushed 2 entries/);
  await world.work(1);
  world.gitRemote('config', 'receive.denyNonFastForwards', 'true');
  world.gitRemote('config', 'transfer.hideRefs', 'refs/world');
  const refused = await commandLine(['push', '--yes'], { cwd: world.repository });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /did not take the log: \[remote rejected\]/);
});

test('over http git uses the operator’s own credential helper, and no word of it is shown', async (t) => {
  const world = await makeSharedWorld(t);
  const login = { user: 'olga', password: 's3cret-w0rd' };
  const url = `${await serveHttp(t, world.base, login)}/remote.git`;
  const without = await commandLine(['push', url, '--yes'], { cwd: world.repository });
  assert.equal(without.code, 1);
  assert.match(without.stderr, /could not read Username.*\n.*use an ssh agent or a credential helper/);
  world.git('config', 'credential.helper', `!f() { echo username=${login.user}; echo password=${login.password}; }; f`);
  const pushed = await commandLine(['push', url, '--yes'], { cwd: world.repository });
  assert.equal(pushed.code, 0, pushed.stderr);
  assert.doesNotMatch(pushed.stdout + pushed.stderr, /s3cret/);
  const clone = world.clone('clone');
  clone.git('config', 'credential.helper', world.git('config', 'credential.helper').trim());
  const fetched = await commandLine(['fetch', url], { cwd: clone.directory });
  assert.equal(fetched.code, 0, fetched.stderr);
  assert.equal(headOf(clone, world.sharedRef), headOf(world));
});

test('a secret in a URL is refused and never shown', async (t) => {
  const world = await makeSharedWorld(t);
  const given = await commandLine(['push', 'https://me:s3cret@example.invalid/x.git'], { cwd: world.repository });
  assert.equal(given.code, 1);
  assert.doesNotMatch(given.stdout + given.stderr, /s3cret/);
  world.git('config', 'remote.web.url', 'https://me:s3cret@example.invalid/x.git');
  const { shown } = await chooseRemote(await openRepository(world.repository), 'web');
  assert.equal(shown, 'web (https://***@example.invalid/x.git)');
});

test('what cannot be reached or is not there is said plainly', async (t) => {
  const world = await makeSharedWorld(t);
  const empty = join(world.base, 'empty');
  mkdirSync(empty);
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['push', empty, '--yes'], /does not appear to be a git repository/],
    [['push', 'nowhere'], /there is no remote "nowhere"\n.*remotes here: origin/],
    [['push', '--', '--upload-pack=touch x'], /there is no remote "--upload-pack=touch x"/],
    [['push', `ext::sh -c touch% ${join(world.base, 'made')}`, '--yes'], /transport 'ext' not allowed/],
    [['fetch'], /holds no log\n/],
    [['fetch', '--world', 'x'], /--world must be 16 hex digits/],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await commandLine(args, { cwd: world.repository });
    assert.equal(code, 1, stderr);
    assert.match(stderr, message);
  }
  assert.equal(existsSync(join(world.base, 'made')), false);
  const clone = world.clone('clone');
  assert.match(
    (await commandLine(['push'], { cwd: clone.directory })).stderr,
    /writes no log: there is nothing to push/,
  );
});
