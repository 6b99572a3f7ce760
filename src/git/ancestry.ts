import { git } from './child.js';
import type { GitOid, Repository } from './types.js';

/** How a commit stands to another: `behind` means its whole history is part of the other's. */
export type Relation = 'same' | 'behind' | 'ahead' | 'diverged' | 'unknown';

const env = { GIT_NO_REPLACE_OBJECTS: '1', GIT_NO_LAZY_FETCH: '1' };

/** How `commit` stands to `other`; `unknown` when one of them is not in the repository. */
export async function relate(repository: Repository, commit: GitOid, other: GitOid): Promise<Relation> {
  if (commit === other) return 'same';
  const [here, there] = await Promise.all([isCommit(repository, commit), isCommit(repository, other)]);
  if (!here || !there) return 'unknown';
  if (await isAncestor(repository, commit, other)) return 'behind';
  return (await isAncestor(repository, other, commit)) ? 'ahead' : 'diverged';
}

async function isCommit(repository: Repository, oid: GitOid): Promise<boolean> {
  const args = ['cat-file', '-e', `${oid}^{commit}`];
  return (await git(args, { cwd: repository.commonDir, env, okExitCodes: [0, 1, 128] })).exitCode === 0;
}

async function isAncestor(repository: Repository, older: GitOid, newer: GitOid): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', older, newer];
  return (await git(args, { cwd: repository.commonDir, env, okExitCodes: [0, 1] })).exitCode === 0;
}
