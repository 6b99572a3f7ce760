import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandLine } from '../cli/command-line.js';
import { gitIn } from '../provenance/verify/world.js';
import { makeSharedWorld } from '../sharing/shared-world.js';

test('a commit in an episode’s worktree carries the trailer, one that is amended the newer one', async (t) => {
  const world = await makeSharedWorld(t);
  await commandLine(['hooks', 'install'], { cwd: world.repository });
  const git = gitIn(world.worktree, join(world.base, 'home'));
  const trailers = (): string => git('log', '-1', '--format=%(trailers:key=World-Provenance)').trim();
  git('add', '-A');
  git('commit', '-q', '-m', 'Work\n\nSigned-off-by: Olga Operator <olga@example.org>');
  assert.equal(trailers(), await world.trailer());
  assert.match(
    git('log', '-1', '--format=%B'),
    /^Work\n\nSigned-off-by: Olga Operator <olga@example\.org>\nWorld-Prov/,
  );

  await world.work(1);
  git('add', '-A');
  git('commit', '-q', '--amend', '--no-edit');
  assert.equal(trailers(), await world.trailer());

  const editor = join(world.base, 'editor');
  writeFileSync(editor, '#!/bin/sh\nprintf "Typed" | cat - "$1" >"$1.new" && mv "$1.new" "$1"\n', { mode: 0o755 });
  git('-c', `core.editor=${editor}`, 'commit', '-q', '-v', '--allow-empty');
  assert.equal(git('log', '-1', '--format=%B').trim(), `Typed\n\n${await world.trailer()}`);

  world.git('commit', '-q', '--allow-empty', '-m', 'In the main worktree');
  assert.doesNotMatch(world.git('log', '-1', '--format=%B'), /World-Provenance/);
  const linked = join(world.base, 'linked');
  world.git('worktree', 'add', '-q', '--detach', linked);
  world.git('-C', linked, 'commit', '-q', '--allow-empty', '-m', 'In a worktree that is no episode’s');
  assert.doesNotMatch(world.git('-C', linked, 'log', '-1', '--format=%B'), /World-Provenance/);
});

test('an episode without calls, or a program that is gone, does not keep anyone from committing', async (t) => {
  const world = await makeSharedWorld(t);
  await commandLine(['hooks', 'install'], { cwd: world.repository });
  await world.open('ep2');
  await world.world.log.flush();
  const commit = (): string => {
    const env = { PATH: process.env.PATH, HOME: join(world.base, 'home') };
    const done = spawnSync('git', ['commit', '--allow-empty', '-m', 'Work'], {
      ...{ cwd: world.worktree, env, encoding: 'utf8' },
    });
    assert.equal(done.status, 0, done.stderr);
    return done.stderr;
  };
  assert.match(commit(), /no trailer was added: ailang-worldd: no calls of episode ep2/);
  const hook = join(world.repository, '.git', 'hooks', 'prepare-commit-msg');
  writeFileSync(hook, readFileSync(hook, 'utf8').replace(/^world_program=.*$/m, "world_program='/nowhere'"));
  chmodSync(hook, 0o755);
  assert.match(commit(), /no trailer was added: the program ailang-worldd is gone/);
});
