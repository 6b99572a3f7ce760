import { lstat } from 'node:fs/promises';
import { WorldError } from '../../errors.js';
import { filtersOff, git } from '../../git/child.js';
import type { GitOid, Repository } from '../../git/types.js';

/**
 * Makes a new linked worktree at `directory`: the commit the episode began at, with the files of a snapshot over it, so
 * that git shows the difference. With paths, only these come from the snapshot.
 * @throws WorldError `restore-exists`, `restore-path`, and what git raises; then nothing is left behind
 */
export async function restore(
  repository: Repository,
  directory: string,
  snapshot: { readonly tree: GitOid; readonly baseCommit: string },
  paths: readonly string[],
): Promise<void> {
  if ((await lstat(directory).catch(() => null)) !== null)
    throw new WorldError('restore-exists', `${directory} exists; a restore never overwrites`, {
      hint: 'give another --into, or remove it',
    });
  const cwd = repository.commonDir;
  // Snapshots hold the bytes as they were: no filter and no line-ending conversion on the way back.
  const exactly = [...(await filtersOff(cwd)), '-c', 'core.autocrlf=false'];
  const { tree, baseCommit } = snapshot;
  await git([...exactly, 'worktree', 'add', '--quiet', '--detach', '--no-checkout', directory, baseCommit], { cwd });
  try {
    const whole = paths.length === 0 ? tree : `${baseCommit}^{tree}`;
    await git([...exactly, 'read-tree', '--reset', '-u', whole], { cwd: directory });
    if (paths.length > 0) await takePaths(exactly, directory, tree, paths);
  } catch (error) {
    await git(['worktree', 'remove', '--force', directory], { cwd });
    throw error;
  }
}

async function takePaths(
  exactly: readonly string[],
  cwd: string,
  tree: GitOid,
  paths: readonly string[],
): Promise<void> {
  const specs = paths.map((path) => `:(top,literal)${path}`);
  try {
    await git([...exactly, 'restore', `--source=${tree}`, '--staged', '--worktree', '--', ...specs], { cwd });
  } catch (error) {
    if (!(error instanceof WorldError) || !String(error.data.stderr).includes('did not match')) throw error;
    throw new WorldError('restore-path', `${paths.join(', ')}: not all of these are in that snapshot`, {
      cause: error,
    });
  }
}
