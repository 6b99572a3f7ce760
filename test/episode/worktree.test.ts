import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { lockFile } from '../../src/episode/file-lock.js';
import { asEpisodeId, createWorktree, reopenWorktree } from '../../src/episode/worktree.js';
import { openRepository } from '../../src/git/repository.js';
import { temporaryDirectory } from '../cleanup.js';
import { makeRepository, runGit } from './repositories.js';

async function setup(t: TestContext, options: { commit?: false } = {}) {
  const directory = temporaryDirectory(t);
  const repositoryPath = join(directory, 'repo');
  mkdirSync(repositoryPath);
  makeRepository(repositoryPath);
  writeFileSync(join(repositoryPath, 'a'), '1');
  if (options.commit !== false) {
    runGit(repositoryPath, ['add', '-A']);
    runGit(repositoryPath, ['commit', '-qm', 'one']);
  }
  const request = {
    repository: await openRepository(repositoryPath),
    episode: asEpisodeId('ep1'),
    workspaceRoot: join(directory, 'episodes'),
    stateDir: join(directory, 'state'),
  };
  return { directory, request };
}

test('a worktree is added detached at HEAD, and found again when dirty', async (t) => {
  const { request } = await setup(t);
  const { root, baseCommit } = await createWorktree(request);
  assert.equal(runGit(root, ['rev-parse', 'HEAD']), baseCommit);
  assert.equal(readFileSync(join(root, 'a'), 'utf8'), '1');
  writeFileSync(join(root, 'a'), 'dirty');
  assert.equal(await reopenWorktree(request), root);
});

test('a repository without a commit says to make one', async (t) => {
  const { request } = await setup(t, { commit: false });
  await assert.rejects(createWorktree(request), { code: 'unborn-head', hint: /git commit/ });
});

test('a worktree that is gone is named, never made anew', async (t) => {
  const { request } = await setup(t);
  const { root } = await createWorktree(request);
  rmSync(root, { recursive: true });
  await assert.rejects(reopenWorktree(request), { code: 'worktree-gone', hint: /prune/ });
  assert.ok(!existsSync(root));
});

test('a link, another repository or a plain directory in the episode’s place is refused', async (t) => {
  const { directory, request } = await setup(t);
  const place = join(request.workspaceRoot, 'ep1');
  mkdirSync(place, { recursive: true });
  await assert.rejects(reopenWorktree(request), { code: 'worktree-foreign' });
  makeRepository(place);
  await assert.rejects(reopenWorktree(request), { code: 'worktree-foreign' });
  rmSync(place, { recursive: true });
  const { root } = await createWorktree({ ...request, episode: asEpisodeId('ep2') });
  symlinkSync(root, place);
  await assert.rejects(reopenWorktree(request), { code: 'worktree-foreign' });
  assert.ok(existsSync(directory));
});

test('a workspace inside the repository, or around the state, is refused', async (t) => {
  const { directory, request } = await setup(t);
  const inside = join(directory, 'repo', 'episodes');
  await assert.rejects(createWorktree({ ...request, workspaceRoot: inside }), { code: 'workspace-misplaced' });
  await assert.rejects(createWorktree({ ...request, workspaceRoot: directory }), { code: 'workspace-misplaced' });
});

test('episode names follow the grammar', () => {
  for (const bad of ['', '-a', 'A', 'a/b', '..', 'a'.repeat(65), 'a\n']) {
    assert.throws(() => asEpisodeId(bad), { code: 'bad-episode' });
  }
  assert.equal(asEpisodeId(`0${'-'.repeat(63)}`).length, 64);
});

test('a held lock names its holder after a bounded wait, and is free again when released', async (t) => {
  const path = join(temporaryDirectory(t), 'locks', 'ep1');
  const release = await lockFile(path);
  await assert.rejects(lockFile(path, { waitMs: 0 }), {
    code: 'worktree-locked',
    message: new RegExp(`process ${process.pid} on`),
  });
  await release();
  await (await lockFile(path, { waitMs: 0 }))();
});

test('a lock whose holder cannot be written down is not held', async (t) => {
  const path = join(temporaryDirectory(t), 'ep1');
  mkdirSync(`${path}.owner`);
  await assert.rejects(lockFile(path, { waitMs: 0 }), { code: 'worktree-lock-failed' });
  rmdirSync(`${path}.owner`);
  await (await lockFile(path, { waitMs: 0 }))();
});

test('a lock left behind by a killed process is taken over at once', async (t) => {
  const path = join(temporaryDirectory(t), 'ep1');
  const { pid } = spawnSync(process.execPath, ['--version']);
  mkdirSync(`${path}.lock`);
  writeFileSync(`${path}.owner`, `${pid} ${hostname()}\n`);
  await (await lockFile(path, { waitMs: 0 }))();
});

test('a lock of a living process, or of another machine, is left alone', async (t) => {
  const path = join(temporaryDirectory(t), 'ep1');
  mkdirSync(`${path}.lock`);
  for (const owner of [`${process.ppid} ${hostname()}\n`, '4194303 elsewhere\n', '']) {
    writeFileSync(`${path}.owner`, owner);
    await assert.rejects(lockFile(path, { waitMs: 0 }), { code: 'worktree-locked' });
  }
});

test('a lock without a sign of life for long is taken over, whoever signed it', async (t) => {
  const path = join(temporaryDirectory(t), 'ep1');
  mkdirSync(`${path}.lock`);
  const longAgo = new Date(Date.now() - 3_600_000);
  utimesSync(`${path}.lock`, longAgo, longAgo);
  await (await lockFile(path, { waitMs: 0 }))();
});
