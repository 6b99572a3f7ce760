import { WorldError } from '../../errors.js';
import { git } from '../../git/child.js';
import { asGitOid } from '../../git/oid.js';
import type { GitOid, Repository } from '../../git/types.js';

/** Of the commits that only carry trees into a merge; they are never named by a ref. */
const nobody = { name: 'world', email: 'world@localhost', date: '@0 +0000' };

/**
 * The files of `base` with what the episode changed: the difference between the files it began with and its snapshot.
 * @throws WorldError `pr-empty` when that changes nothing, `pr-conflict` when base changed the same lines
 */
export async function mergedTree(
  repository: Repository,
  base: GitOid,
  opened: GitOid,
  snapshot: GitOid,
): Promise<GitOid> {
  const cwd = repository.commonDir;
  const baseTree = await one(repository, ['rev-parse', '--verify', `${base}^{tree}`]);
  const tree = baseTree === opened ? snapshot : await merge();
  if (tree === baseTree)
    throw new WorldError('pr-empty', 'the episode changed nothing that the base does not have already');
  return tree;

  async function merge(): Promise<GitOid> {
    const before = await carrier(opened, []);
    const [theirs, ours] = [await carrier(baseTree, [before]), await carrier(snapshot, [before])];
    const { stdout, exitCode } = await git(
      ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', theirs, ours],
      { cwd, okExitCodes: [0, 1] },
    );
    const [oid = '', ...paths] = stdout.toString().split('\0');
    if (exitCode === 0) return asGitOid(oid, repository.objectFormat);
    throw new WorldError('pr-conflict', `the base changed the same lines: ${paths.filter(Boolean).join(', ')}`, {
      hint: 'Open a new episode on the present base, let the agent do it there, and make the pull request from that one.',
      data: { paths: paths.filter(Boolean) },
    });
  }

  function carrier(tree: GitOid, parents: readonly GitOid[]): Promise<GitOid> {
    const { name, email, date } = nobody;
    const env = {
      ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date },
      ...{ GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email, GIT_COMMITTER_DATE: date },
    };
    const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-m', 'tree'];
    return one(repository, args, { env });
  }
}

/** The one commit of the pull request. Author and committer are who git says the operator is. */
export async function commitOn(repository: Repository, base: GitOid, tree: GitOid, message: string): Promise<GitOid> {
  return one(repository, ['commit-tree', tree, '-p', base, '-F', '-'], { input: message });
}

async function one(
  repository: Repository,
  args: readonly string[],
  more: { readonly env?: Readonly<Record<string, string>>; readonly input?: string } = {},
): Promise<GitOid> {
  const { stdout } = await git(args, { cwd: repository.commonDir, ...more });
  return asGitOid(stdout.toString().trim(), repository.objectFormat);
}
