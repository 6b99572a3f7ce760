import { join, resolve } from 'node:path';
import { WorldError } from '../errors.js';
import { git } from '../git/child.js';
import type { Repository } from '../git/types.js';

/**
 * Where git looks for this repository's hooks: `core.hooksPath` when the repository sets it, else `hooks` in the common
 * directory, which all its worktrees share.
 * @throws WorldError `hooks-shared` when the setting is the user's or the machine's, for all repositories
 */
export async function hooksDirectory(repository: Repository): Promise<string> {
  const cwd = repository.worktree ?? repository.gitDir;
  const args = ['config', '--null', '--show-scope', '--type=path', '--get-all', 'core.hooksPath'];
  const fields = (await git(args, { cwd, okExitCodes: [0, 1] })).stdout.toString().split('\0');
  let found: { scope: string; path: string } | undefined;
  // Ours on the command line, which keeps git from running hooks under us, is not what counts.
  for (let at = 0; at + 1 < fields.length; at += 2)
    if (fields[at] !== 'command') found = { scope: fields[at] ?? '', path: fields[at + 1] ?? '' };
  if (found === undefined) return join(repository.commonDir, 'hooks');
  if (found.scope !== 'local' && found.scope !== 'worktree')
    throw new WorldError('hooks-shared', `core.hooksPath is ${found.path} for all repositories (${found.scope})`, {
      hint: 'A hook put there would run everywhere. Give this repository its own: git config --local core.hooksPath <dir>',
      data: found,
    });
  return resolve(cwd, found.path);
}
