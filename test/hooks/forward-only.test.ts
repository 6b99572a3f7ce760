import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandLine } from '../cli/command-line.js';
import { makeSharedWorld } from '../sharing/shared-world.js';

const LOG = 'refs/world/log';

/** What git says when it refuses. */
function refused(git: (...args: string[]) => string, ...args: string[]): string {
  try {
    git(...args);
  } catch (error) {
    return String((error as { stderr?: unknown }).stderr);
  }
  return assert.fail(`git ${args.join(' ')} was let through`);
}

test('refs/world/* only move forward, from any git command, and our own writer goes on', async (t) => {
  const world = await makeSharedWorld(t);
  assert.equal((await commandLine(['hooks', 'install'], { cwd: world.repository })).code, 0);
  const early = world.git('rev-parse', LOG).trim();
  await world.work(1);
  const tip = world.git('rev-parse', LOG).trim();
  assert.notEqual(tip, early);

  assert.match(refused(world.git, 'update-ref', LOG, early), /is a log and only moves forward: .* does not follow/);
  assert.match(refused(world.git, 'update-ref', '-d', LOG), /it cannot be deleted/);
  assert.match(refused(world.git, 'update-ref', '-d', LOG, tip), /it cannot be deleted/);
  assert.match(refused(world.git, 'update-ref', LOG, 'main'), /does not follow/);
  assert.match(refused(world.git, 'fetch', '-q', '.', `+main:${LOG}`), /does not follow/);
  assert.match(refused(world.git, 'push', '-q', '.', `+${early}:${LOG}`), /does not follow/);
  const linked = join(world.base, 'linked');
  world.git('worktree', 'add', '-q', linked);
  assert.match(refused(world.git, '-C', linked, 'update-ref', LOG, early), /does not follow/);
  assert.equal(world.git('rev-parse', LOG).trim(), tip);

  const next = world.git('commit-tree', `${tip}^{tree}`, '-p', tip, '-m', 'Next').trim();
  world.git('update-ref', 'refs/world/logs/0123456789abcdef', tip);
  world.git('update-ref', 'refs/world/logs/0123456789abcdef', next);
  world.git('-c', 'core.hooksPath=/dev/null', 'update-ref', '-d', 'refs/world/logs/0123456789abcdef');

  for (const housekeeping of [
    ['pack-refs', '--all', '--prune'],
    ['gc', '-q'],
    ['pack-refs', '--all'],
  ])
    world.git(...housekeeping);
  assert.equal(world.git('rev-parse', LOG).trim(), tip);
  assert.match(refused(world.git, 'update-ref', '-d', LOG, tip), /it cannot be deleted/);
  assert.match(refused(world.git, 'update-ref', LOG, early), /does not follow/);
  await world.work(1);
  assert.notEqual(world.git('rev-parse', LOG).trim(), tip);
});

test('refs outside refs/world start no process', async (t) => {
  const world = await makeSharedWorld(t);
  await commandLine(['hooks', 'install'], { cwd: world.repository });
  const traces = join(world.base, 'traces');
  mkdirSync(traces);
  const started = (...args: string[]): readonly string[] => {
    const env = { ...process.env, HOME: join(world.base, 'home'), GIT_TRACE2_EVENT: traces };
    execFileSync('git', args, { cwd: world.repository, env });
    const events = readdirSync(traces).flatMap((name) => {
      const lines = readFileSync(join(traces, name), 'utf8').split('\n').filter(Boolean);
      return lines.map((line) => JSON.parse(line) as { event: string; sid: string; argv?: string[] });
    });
    for (const name of readdirSync(traces)) writeFileSync(join(traces, name), '');
    // A process that a hook starts is a child of the git that ran the hook.
    return events.filter(({ event, sid }) => event === 'start' && sid.includes('/')).map(({ argv }) => String(argv));
  };
  started('commit', '-q', '--allow-empty', '-m', 'Warm');
  writeFileSync(join(world.repository, 'b.txt'), 'b\n');
  started('add', 'b.txt');
  const commit = started('-c', 'gc.auto=0', '-c', 'maintenance.auto=false', 'commit', '-q', '-m', 'Plain');
  assert.deepEqual(commit, []);
  assert.deepEqual(started('branch', 'side'), []);
  assert.ok(started('update-ref', 'refs/world/logs/0123456789abcdef', LOG).length > 0);
});

test('a chained hook sees the same arguments and input, and may refuse as before', async (t) => {
  const world = await makeSharedWorld(t);
  const hooks = join(world.repository, '.git', 'hooks');
  const seen = join(world.base, 'seen');
  writeFileSync(
    join(hooks, 'reference-transaction'),
    `#!/bin/sh\n{ echo "$@"; cat; } >>'${seen}'\n[ ! -e '${world.base}/veto' ]\n`,
    { mode: 0o755 },
  );
  const run = (branch: string): string => {
    writeFileSync(seen, '');
    world.git('branch', branch);
    return readFileSync(seen, 'utf8').replaceAll(branch, 'NAME');
  };
  const alone = run('one');
  await commandLine(['hooks', 'install'], { cwd: world.repository });
  assert.equal(run('two'), alone);
  assert.match(alone, /^prepared\n0+ [0-9a-f]+ refs\/heads\/NAME\ncommitted\n/);
  const early = world.git('rev-parse', `${LOG}~1`).trim();
  assert.match(refused(world.git, 'update-ref', LOG, early), /does not follow/);
  writeFileSync(join(world.base, 'veto'), '');
  assert.notEqual(spawnSync('git', ['branch', 'three'], { cwd: world.repository }).status, 0);
});
