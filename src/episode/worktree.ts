import { lstat, mkdir, realpath, writeFile } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { WorldError } from '../errors.js';
import { filtersOff, git } from '../git/child.js';
import { headCommit, openRepository } from '../git/repository.js';
import type { GitOid, Repository } from '../git/types.js';
import type { EpisodeId } from '../log/types.js';

export interface WorktreeRequest {
  /** The repository the log lives in. */
  readonly repository: Repository;
  readonly episode: EpisodeId;
  readonly workspaceRoot: string;
  /** Holds policies and locks; must not be within the agent's reach. */
  readonly stateDir: string;
}

/** @throws WorldError `bad-episode` */
export function asEpisodeId(text: string): EpisodeId {
  if (/^[a-z0-9][a-z0-9-]{0,63}$/.test(text)) return text as EpisodeId;
  throw new WorldError('bad-episode', `not an episode name: ${JSON.stringify(text.slice(0, 80))}`, {
    hint: 'Use 1 to 64 of a-z, 0-9 and -, not starting with -.',
  });
}

/**
 * Adds the episode's worktree, detached at the repository's HEAD. Submodules are not initialised.
 * @returns its real path and the commit it starts from
 * @throws WorldError `unborn-head`, `worktree-exists`, `worktree-gone`, `workspace-misplaced`, `git-failed`
 */
export async function createWorktree(request: WorktreeRequest): Promise<{ root: string; baseCommit: GitOid }> {
  const { repository, episode } = request;
  const root = join(await workspace(request), episode);
  const cwd = repository.worktree ?? repository.gitDir;
  const baseCommit = await headCommit(repository);
  if (await exists(root)) {
    throw new WorldError('worktree-exists', `${root} exists already`, {
      hint: 'Choose another episode name, or remove it with: git worktree remove',
      data: { root },
    });
  }
  await addWorktree(cwd, root, baseCommit);
  return { root: await checkWorktree(request, root), baseCommit };
}

/**
 * Finds the episode's worktree again, dirty or not.
 * @throws WorldError `worktree-gone`, `worktree-foreign`, `workspace-misplaced`
 */
export async function reopenWorktree(request: WorktreeRequest): Promise<string> {
  const root = join(await workspace(request), request.episode);
  if (!(await exists(root))) throw gone(root);
  return checkWorktree(request, root);
}

async function addWorktree(cwd: string, root: string, commit: GitOid): Promise<void> {
  try {
    await git([...(await filtersOff(cwd)), 'worktree', 'add', '--quiet', '--detach', root, commit], { cwd });
  } catch (error) {
    const stderr = error instanceof WorldError ? String(error.data.stderr ?? '') : '';
    throw stderr.includes('already registered') ? gone(root, error) : error;
  }
}

/** The real path of the workspace root, made when absent. */
async function workspace(request: WorktreeRequest): Promise<string> {
  const { repository, stateDir } = request;
  await mkdir(request.workspaceRoot, { recursive: true });
  const root = await realpath(request.workspaceRoot);
  const state = await realpath(stateDir).catch(() => stateDir);
  const misplaced = (why: string) =>
    new WorldError('workspace-misplaced', `the workspace root ${root} ${why}`, {
      hint: 'Choose a directory outside the repository, for example its sibling.',
      data: { root },
    });
  for (const inner of [repository.worktree, repository.gitDir, repository.commonDir]) {
    if (inner !== null && contains(inner, root)) throw misplaced(`lies inside the repository ${inner}`);
  }
  if (contains(root, state)) throw misplaced(`contains the daemon's state ${state}`);
  return root;
}

/** A real directory, no link, and a worktree of this very repository. Its git directory says whose it is, for hooks. */
async function checkWorktree({ repository, episode }: WorktreeRequest, root: string): Promise<string> {
  const foreign = (why: string, cause?: unknown) =>
    new WorldError('worktree-foreign', `${root} ${why}`, {
      hint: 'Move it away, or choose another workspace root.',
      data: { root },
      cause,
    });
  if (!(await lstat(root)).isDirectory() || (await realpath(root)) !== root) throw foreign('is no plain directory');
  const found = await openRepository(root).catch((error: unknown) => {
    throw foreign('is no worktree of this repository', error);
  });
  if (found.commonDir !== repository.commonDir || found.worktree !== root) {
    throw foreign('is no worktree of this repository');
  }
  await writeFile(join(found.gitDir, 'world-episode'), `${episode}\n`);
  return root;
}

function gone(root: string, cause?: unknown): WorldError {
  return new WorldError('worktree-gone', `the worktree ${root} is gone`, {
    hint: 'Close the episode, run git worktree prune, and open a new episode.',
    data: { root },
    cause,
  });
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function contains(outer: string, inner: string): boolean {
  const way = relative(outer, inner);
  return way === '' || !(way === '..' || way.startsWith('../') || isAbsolute(way));
}
