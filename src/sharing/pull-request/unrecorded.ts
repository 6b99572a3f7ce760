import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { filtersOff, git } from '../../git/child.js';
import type { GitOid, Repository } from '../../git/types.js';

/**
 * The paths at which the episode's worktree differs from a snapshot: what came after it, and is no part of it. None
 * where the worktree is not here.
 */
export async function unrecordedPaths(
  repository: Repository,
  episode: string,
  snapshot: GitOid,
): Promise<readonly string[]> {
  const cwd = await worktreeOf(repository, episode);
  if (cwd === null) return [];
  const scratch = await mkdtemp(join(tmpdir(), 'world-pr-'));
  try {
    // An index of our own: the episode's is not touched. Snapshots hold the bytes as they are.
    const env = { GIT_INDEX_FILE: join(scratch, 'index') };
    const raw = [...(await filtersOff(cwd)), '-c', 'core.autocrlf=false'];
    const ask = async (...args: string[]): Promise<readonly string[]> =>
      (await git([...raw, ...args], { cwd, env, okExitCodes: [0, 1] })).stdout.toString().split('\0').filter(Boolean);
    await ask('read-tree', snapshot);
    await ask('update-index', '-q', '--refresh');
    const changed = await ask('diff-files', '--name-only', '-z');
    return [...changed, ...(await ask('ls-files', '--others', '--exclude-standard', '-z'))].sort();
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The linked worktree with the episode's name, as git knows it. */
async function worktreeOf(repository: Repository, episode: string): Promise<string | null> {
  const listed = await git(['worktree', 'list', '--porcelain', '-z'], { cwd: repository.commonDir });
  const found = listed.stdout
    .toString()
    .split('\0\0')
    .map((record) => record.split('\0'))
    .filter((lines) => lines.includes('detached') && !lines.some((line) => line.startsWith('prunable')))
    .map(([first = '']) => first.replace(/^worktree /, ''));
  return found.find((path) => basename(path) === episode) ?? null;
}
