import { WorldError } from '../../errors.js';
import type { GitOid, Repository } from '../../git/types.js';
import type { CheckedObjects } from './checked-objects.js';
import { parseCommit } from './commit-head.js';
import { plainGit } from './plain-git.js';
import { type Change, diffTrees, type Leaf } from './tree-paths.js';

/** A path that a pull request adds, changes or removes. */
export interface ChangedPath extends Change {
  /** Where git thinks an added file was moved from; that path is listed as removed, too. A hint, never a proof. */
  readonly movedFrom: { readonly path: string; readonly leaf: Leaf } | null;
}

export interface PullRequestRange {
  readonly base: GitOid;
  readonly head: GitOid;
  /** What the two have in common and the changes are counted from; the base itself when they have nothing. */
  readonly start: GitOid;
}

/**
 * `base..head` (or `base...head`, which means the same here).
 * @throws WorldError `not-found` when a side names no commit
 */
export async function resolveRange(repository: Repository, text: string): Promise<PullRequestRange> {
  const sides = /^(.+?)\.{2,3}(.+)$/.exec(text);
  if (sides === null) throw new WorldError('usage', `"${text}" is not base..head`);
  const commit = async (name: string): Promise<GitOid> => {
    const found = await plainGit(
      repository,
      ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`],
      { okExitCodes: [0, 1, 128] },
    );
    if (found.exitCode === 0) return found.stdout.toString().trim() as GitOid;
    throw new WorldError('not-found', `${name} names no commit here`, { hint: 'fetch it, or name it by its id' });
  };
  const [base, head] = [await commit(sides[1] ?? ''), await commit(sides[2] ?? '')];
  const common = await plainGit(repository, ['merge-base', base, head], { okExitCodes: [0, 1] });
  const start = common.exitCode === 0 ? (common.stdout.toString().trim() as GitOid) : base;
  return { base, head, start };
}

/** The commits that lead from what both sides have in common to each of them. */
export interface BranchHistory {
  /** Message of every commit that is the pull request's own, newest first. */
  readonly messages: readonly { readonly commit: string; readonly message: string }[];
  /** Why git's idea of this history cannot be believed; empty when every commit says of its parents what git says. */
  readonly faults: readonly string[];
}

/** Reads every commit on the way by its bytes, so that nothing can move the place where the changes are counted from. */
export async function readHistory(
  repository: Repository,
  objects: CheckedObjects,
  { base, head }: PullRequestRange,
): Promise<BranchHistory> {
  const options = ['--parents', '--left-right', '--topo-order'];
  const listed = await plainGit(repository, ['rev-list', ...options, `${base}...${head}`]);
  const messages: { commit: string; message: string }[] = [];
  const faults: string[] = [];
  for (const line of listed.stdout.toString('latin1').split('\n').filter(Boolean)) {
    const [commit = '', ...parents] = line.slice(1).split(' ');
    try {
      const body = await objects.read(commit as GitOid, 'commit');
      const told = parseCommit(body);
      if (told.parents.join() !== parents.join())
        faults.push(
          parents.length === 0
            ? `the history ends at ${commit}, which has parents: this clone is shallow (git fetch --unshallow)`
            : `git takes ${parents.join(' ')} for the parents of ${commit}, which names ${told.parents.join(' ')}`,
        );
      if (line.startsWith('>')) messages.push({ commit, message: told.message });
    } catch (error) {
      if (!(error instanceof WorldError)) throw error;
      faults.push(error.message);
    }
  }
  return { messages, faults };
}

/**
 * What differs between the two commits, in order of path.
 * @throws ObjectFault
 */
export async function changedPaths(
  repository: Repository,
  objects: CheckedObjects,
  { start, head }: PullRequestRange,
): Promise<readonly ChangedPath[]> {
  const tree = async (commit: GitOid) => parseCommit(await objects.read(commit, 'commit')).tree;
  const changes = await diffTrees(objects, await tree(start), await tree(head));
  const moves = await renames(repository, start, head);
  const before = new Map(changes.map((change) => [change.path, change.before]));
  return changes.map((change) => {
    const from = change.before === null ? moves.get(change.path) : undefined;
    const leaf = from === undefined ? null : (before.get(from) ?? null);
    return { ...change, movedFrom: from === undefined || leaf === null ? null : { path: from, leaf } };
  });
}

/** New path → old path, as git guesses. */
async function renames(repository: Repository, start: GitOid, head: GitOid): Promise<ReadonlyMap<string, string>> {
  const options = ['-r', '-z', '-M', '--diff-filter=R', '--name-status', '--no-relative'];
  const listed = await plainGit(repository, ['diff-tree', ...options, start, head], { okExitCodes: [0, 128] });
  const fields = listed.stdout.toString().split('\0');
  const found = new Map<string, string>();
  for (let at = 0; at + 2 < fields.length; at += 3) found.set(fields[at + 2] ?? '', fields[at + 1] ?? '');
  return found;
}
