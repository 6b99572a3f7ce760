import { type GitOptions, type GitResult, git } from '../../git/child.js';
import type { Repository } from '../../git/types.js';

/**
 * Git without what could show another history than the objects hold: replacements, grafts, a commit graph on disk. And
 * without the network: an object that is not here is not here.
 * @throws WorldError as `git`
 */
export function plainGit(
  repository: Repository,
  args: readonly string[],
  options: Pick<GitOptions, 'okExitCodes' | 'timeoutMs'> = {},
): Promise<GitResult> {
  return git(['-c', 'core.commitGraph=false', ...args], {
    ...options,
    cwd: repository.commonDir,
    env: { GIT_NO_REPLACE_OBJECTS: '1', GIT_NO_LAZY_FETCH: '1', GIT_GRAFT_FILE: '/dev/null' },
  });
}
