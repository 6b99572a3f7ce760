import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { commandLine } from '../cli/command-line.js';
import { Forge, replaceIn } from '../provenance/verify/forge.js';
import { gitIn } from '../provenance/verify/world.js';
import { makeSharedWorld, type SharedWorld } from '../sharing/shared-world.js';

type Outcome = { readonly status: number | null; readonly stderr: string };

interface Scene extends SharedWorld {
  /** Commits in the episode's worktree, then pushes what `refspecs` say from there. */
  push(...refspecs: string[]): Outcome;
  episodeGit(...args: string[]): string;
}

/** A world with hooks on both sides, and the agent's work committed in the episode's worktree. */
async function scene(t: TestContext): Promise<Scene> {
  const world = await makeSharedWorld(t);
  await commandLine(['hooks', 'install'], { cwd: world.repository });
  assert.equal((await commandLine(['hooks', 'install'], { cwd: world.remote })).code, 0);
  const episodeGit = gitIn(world.worktree, join(world.base, 'home'));
  episodeGit('add', '-A');
  episodeGit('commit', '-q', '-m', 'Work');
  const push = (...refspecs: string[]): Outcome => {
    const env = { PATH: process.env.PATH, HOME: join(world.base, 'home'), LC_ALL: 'C' };
    return spawnSync('git', ['push', 'origin', ...refspecs], { cwd: world.worktree, env, encoding: 'utf8' });
  };
  return Object.assign(Object.create(world) as SharedWorld, { push, episodeGit });
}

const onRemote = (world: SharedWorld): string => world.gitRemote('for-each-ref', '--format=%(refname)');

test('with world.pushLog the log goes before the branch, and the server proves the branch by it', async (t) => {
  const world = await scene(t);
  const without = world.push('HEAD:refs/heads/work');
  assert.notEqual(without.status, 0);
  assert.match(
    without.stderr,
    /refused: refs\/heads\/work: pr: commit [0-9a-f]{12}: the log of world [0-9a-f]{16} is not here/,
  );
  world.git('config', 'world.pushLog', 'true');
  const pushed = world.push('HEAD:refs/heads/work');
  assert.equal(pushed.status, 0, pushed.stderr);
  assert.match(pushed.stderr, /entries {3}6 \(episodes ep1\)/);
  assert.equal(onRemote(world), `refs/heads/main\nrefs/heads/work\n${world.sharedRef}\n`);

  world.gitRemote('config', 'transfer.hideRefs', 'refs/world');
  await world.work(1);
  world.episodeGit('add', '-A');
  world.episodeGit('commit', '-q', '-m', 'More');
  const closed = world.push('HEAD:refs/heads/work');
  assert.notEqual(closed.status, 0);
  assert.match(closed.stderr, /the log was not pushed, so the branch is not either/);
});

test('branch and log may come in one push', async (t) => {
  const world = await scene(t);
  const pushed = world.push('--atomic', 'HEAD:refs/heads/work', `refs/world/log:${world.sharedRef}`);
  assert.equal(pushed.status, 0, pushed.stderr);
  assert.equal(onRemote(world), `refs/heads/main\nrefs/heads/work\n${world.sharedRef}\n`);
});

test('a smuggled line, a false trailer and a missing one are refused as the server is set', async (t) => {
  const world = await scene(t);
  world.push(`refs/world/log:${world.sharedRef}`);
  const honest = world.episodeGit('rev-parse', 'HEAD').trim();
  writeFileSync(join(world.worktree, 'note-1.txt'), 'content number 1\nsmuggled\n');
  world.episodeGit('commit', '-q', '-a', '-m', 'Work');
  const smuggled = world.push('HEAD:refs/heads/smuggled');
  assert.notEqual(smuggled.status, 0);
  assert.match(smuggled.stderr, /refused: refs\/heads\/smuggled: pr: note-1\.txt: line 2 not made through World/);
  world.gitRemote('config', 'world.receive', 'trailer');
  assert.equal(world.push('HEAD:refs/heads/smuggled').status, 0);

  const message = world.episodeGit('log', '-1', '--format=%B', honest);
  const twisted = message.replace(/entries=(\d+)-\d+/, 'entries=$1-$1');
  assert.notEqual(twisted, message);
  world.episodeGit('reset', '-q', '--hard', 'main');
  world.episodeGit('-c', 'core.hooksPath=/dev/null', 'commit', '-q', '--allow-empty', '-m', twisted);
  const lied = world.push('HEAD:refs/heads/lied');
  assert.notEqual(lied.status, 0);
  assert.match(lied.stderr, /refused: refs\/heads\/lied: pr: commit [0-9a-f]{12}: its trailer is wrong about/);

  world.git('commit', '-q', '--allow-empty', '-m', 'By hand');
  const plain = (): Outcome => world.push('main:refs/heads/plain');
  world.gitRemote('config', 'world.requireTrailer', 'true');
  assert.match(plain().stderr, /refused: refs\/heads\/plain: no commit carries a World-Provenance trailer/);
  world.gitRemote('config', 'world.requireTrailer', 'false');
  assert.equal(plain().status, 0);
  world.gitRemote('config', 'world.receive', 'sometimes');
  world.episodeGit('reset', '-q', '--hard', honest);
  assert.match(world.push('HEAD:refs/heads/work').stderr, /world\.receive is "sometimes"; it must be lines or trailer/);
});

test('a log that does not hold, or does not follow, does not get onto the server', async (t) => {
  const world = await scene(t);
  const early = world.git('rev-parse', 'refs/world/log~1').trim();
  world.git('branch', 'forged', 'refs/world/log');
  await Forge.rewrite(
    world.repository,
    {
      consistent: 'bytes',
      change: (draft) => {
        if (draft.files.has('input.json')) replaceIn(draft, 'input.json', 'note', 'mote');
        return undefined;
      },
    },
    'refs/heads/forged',
  );
  const forged = world.push(`refs/heads/forged:${world.sharedRef}`);
  assert.notEqual(forged.status, 0);
  assert.match(forged.stderr, /the log of world [0-9a-f]{16} does not hold: entry \d+ input\.json/);
  assert.match(world.push('refs/world/log:refs/world/log').stderr, /logs are shared as refs\/world\/logs\/<world id>/);
  assert.match(world.push('refs/world/log:refs/world/logs/0123456789abcdef').stderr, /not of 0123456789abcdef/);
  assert.equal(world.push(`refs/world/log:${world.sharedRef}`).status, 0);
  assert.match(world.push(`+${early}:${world.sharedRef}`).stderr, /it does not follow the log that is here/);
  assert.match(world.push(`:${world.sharedRef}`).stderr, /a log cannot be deleted/);
});

test('a server whose program is gone refuses, and hooks that were there are asked first', async (t) => {
  const world = await scene(t);
  const hooks = join(world.remote, 'hooks');
  const hook = join(hooks, 'pre-receive');
  await commandLine(['hooks', 'remove'], { cwd: world.remote });
  writeFileSync(hook, `#!/bin/sh\ncat >'${world.base}/seen'\n[ ! -e '${world.base}/veto' ]\n`, { mode: 0o755 });
  await commandLine(['hooks', 'install'], { cwd: world.remote });
  world.git('commit', '-q', '--allow-empty', '-m', 'By hand');
  assert.equal(world.push('main:refs/heads/plain').status, 0);
  assert.match(readFileSync(join(world.base, 'seen'), 'utf8'), /^0+ [0-9a-f]+ refs\/heads\/plain\n$/);
  writeFileSync(join(world.base, 'veto'), '');
  assert.notEqual(world.push('main:refs/heads/other').status, 0);
  writeFileSync(hook, readFileSync(hook, 'utf8').replace(/^world_program=.*$/m, "world_program='/nowhere'"));
  chmodSync(hook, 0o755);
  writeFileSync(`${hook}.before-ailang-world`, '#!/bin/sh\nexit 0\n');
  assert.match(world.push('main:refs/heads/other').stderr, /the program ailang-worldd is gone/);
});
