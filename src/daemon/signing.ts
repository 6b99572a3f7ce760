import { isAbsolute, relative, resolve } from 'node:path';
import { WorldError } from '../errors.js';
import { git } from '../git/child.js';
import { readSigningKey } from '../git/ssh/key-file.js';
import { type CommitSigner, commitSigner } from '../git/ssh/sign-commit.js';
import type { Repository } from '../git/types.js';

/**
 * What signs the entries of the log: the key given, else the one `git config world.signKey` names; undefined for none.
 * @param workspaceRoot where agents work: a key must not lie there
 * @throws WorldError as `readSigningKey`, and `sign-key-exposed` for a key within an agent's reach
 */
export async function openSigner(
  repository: Repository,
  given: string | undefined,
  workspaceRoot: string,
): Promise<CommitSigner | undefined> {
  const file = given ?? (await configured(repository));
  if (file === undefined) return undefined;
  const way = relative(workspaceRoot, file);
  if (way === '' || !(way.startsWith('..') || isAbsolute(way)))
    throw new WorldError('sign-key-exposed', `the signing key ${file} lies where agents work`, {
      hint: 'Keep it outside every worktree, for instance in ~/.ssh.',
    });
  return commitSigner(await readSigningKey(file));
}

async function configured(repository: Repository): Promise<string | undefined> {
  const cwd = repository.worktree ?? repository.gitDir;
  const found = await git(['config', '--type=path', '--get', 'world.signKey'], { cwd, okExitCodes: [0, 1] });
  const path = found.stdout.toString().replace(/\n$/, '');
  if (path === '') return undefined;
  return resolve(cwd, path);
}
