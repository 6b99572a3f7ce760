import { WorldError } from '../../errors.js';
import { git } from '../../git/child.js';
import type { GitOid, Repository } from '../../git/types.js';
import { type Remote, talk } from '../remotes.js';

/**
 * A merge of what has no history in common would take away all that the episode did not begin with.
 * @throws WorldError `pr-unrelated`
 */
export async function requireRelated(repository: Repository, base: GitOid, began: string): Promise<void> {
  const common = await git(['merge-base', base, began], { cwd: repository.commonDir, okExitCodes: [0, 1] });
  if (common.exitCode === 0) return;
  throw new WorldError('pr-unrelated', 'the base has no commit in common with the one the episode began at', {
    hint: `The episode began at ${began.slice(0, 12)}; give the branch that comes from it: --base <branch>`,
    data: { base, began },
  });
}

/** @throws WorldError `pr-branch-exists`, `remote-failed` */
export async function refuseRemoteBranch(repository: Repository, remote: Remote, branch: string): Promise<void> {
  const ref = `refs/heads/${branch}`;
  const found = await talk(repository, remote, ['ls-remote', '--quiet', remote.name, ref]);
  if (!found.split('\n').some((line) => line.endsWith(`\t${ref}`))) return;
  throw new WorldError('pr-branch-exists', `the branch ${branch} exists already on ${remote.shown}`, {
    hint: 'give another --branch',
  });
}
