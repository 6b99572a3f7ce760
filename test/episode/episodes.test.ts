import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { episodeRegistry, openEpisode } from '../../src/episode/episodes.js';
import { createWorktree } from '../../src/episode/worktree.js';
import { WorldError } from '../../src/errors.js';
import { openRepository } from '../../src/git/repository.js';
import type { EpisodePolicy } from '../../src/toolchain/types.js';
import { EPISODE, MemoryWorktree, ScriptedToolchain } from '../broker/doubles.js';
import { temporaryDirectory } from '../cleanup.js';
import { makeRepository, runGit } from './repositories.js';

async function setup(t: TestContext, confirm: (policy: EpisodePolicy) => void = () => undefined) {
  const directory = temporaryDirectory(t);
  const path = join(directory, 'repo');
  mkdirSync(path);
  makeRepository(path);
  runGit(path, ['commit', '-qm', 'one', '--allow-empty']);
  const confirmed: EpisodePolicy[] = [];
  const toolchain = new ScriptedToolchain();
  toolchain.openEpisode = async (policy?: EpisodePolicy) => {
    if (policy === undefined) return;
    confirm(policy);
    confirmed.push(policy);
  };
  const request = {
    repository: await openRepository(path),
    episode: EPISODE,
    workspaceRoot: join(directory, 'episodes'),
    stateDir: join(directory, 'state'),
    toolchain,
    allowance: { caps: ['Declassify'], net: [], netHttp: false },
    recordedTree: null,
    now: Date.now,
  };
  await createWorktree(request);
  return { request, confirmed, path };
}

test('the base policy lies outside the worktree and is confirmed before the episode opens', async (t) => {
  const { request, confirmed } = await setup(t);
  const { policy, root } = await openEpisode(request);
  assert.deepEqual(confirmed, [policy]);
  assert.equal(policy.file, join(request.stateDir, 'policies', 'ep1.toml'));
  assert.equal(policy.sandbox, root);
  assert.equal(statSync(policy.file).mode & 0o777, 0o600);
});

test('a policy the toolchain does not confirm keeps the episode closed', async (t) => {
  const { request } = await setup(t, () => {
    throw new WorldError('policy-mismatch', 'another digest');
  });
  await assert.rejects(openEpisode(request), { code: 'policy-mismatch' });
});

test('each capability set has one variant, confirmed once; {FS, IO} in any order is the base', async (t) => {
  const { request, confirmed } = await setup(t);
  const episode = await openEpisode(request);
  assert.equal(await episode.runPolicy(['IO', 'FS']), episode.policy);
  const [first, second] = await Promise.all([episode.runPolicy(['IO']), episode.runPolicy(['IO'])]);
  assert.equal(first, second);
  await episode.runPolicy(['Declassify', 'IO']);
  assert.deepEqual(
    confirmed.map(({ file }) => file.replace(/^.*\//, '')),
    ['ep1.toml', 'ep1.run-IO.toml', 'ep1.run-Declassify.IO.toml'],
  );
  assert.match(readFileSync(first?.file ?? '', 'utf8'), /^FS = 0$/m);
});

test('a capability the operator has not enabled has no policy', async (t) => {
  const { request } = await setup(t);
  const episode = await openEpisode(request);
  await assert.rejects(episode.runPolicy(['Env', 'IO']), {
    code: 'capability-not-enabled',
    message: 'capability "Env" is not enabled by the operator (serve --run-allow-caps)',
  });
});

test('opening, snapshots and locks leave the repository’s own status as it was', async (t) => {
  const { request, path } = await setup(t);
  const episode = await openEpisode(request);
  const release = await episode.lock();
  await episode.snapshot();
  await release();
  assert.equal(runGit(episode.root, ['status', '--porcelain']), '');
  assert.equal(runGit(path, ['status', '--porcelain']), '');
});

test('an episode is opened once; a failure is tried again', async () => {
  let opened = 0;
  const registry = episodeRegistry(async () => {
    opened += 1;
    if (opened === 1) throw new Error('not yet');
    return new MemoryWorktree();
  });
  await assert.rejects(registry.worktree(EPISODE));
  const [first, second] = await Promise.all([registry.worktree(EPISODE), registry.worktree(EPISODE)]);
  assert.equal(first, second);
  assert.equal(opened, 2);
});

test('a worktree removed under an open episode is named, never taken for an empty one', async (t) => {
  const { request } = await setup(t);
  const episode = await openEpisode(request);
  await episode.snapshot();
  rmSync(episode.root, { recursive: true });
  await assert.rejects(episode.snapshot(), { code: 'worktree-gone' });
});
