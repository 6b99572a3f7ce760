import { WorldError } from '../../errors.js';
import { git } from '../../git/child.js';
import type { GitOid, Repository, TreeMode } from '../../git/types.js';
import type { Leaf } from './tree-paths.js';

/** A path that a pull request adds, changes or removes. */
export interface ChangedPath {
  readonly path: string;
  readonly before: Leaf | null;
  readonly after: Leaf | null;
  /** Where git thinks an added file was moved from; that path is listed as removed, too. */
  readonly movedFrom: { readonly path: string; readonly leaf: Leaf } | null;
}

export interface PullRequestRange {
  readonly base: GitOid;
  readonly head: GitOid;
  /** What the two have in common and the changes are counted from; the base itself when they have nothing. */
  readonly start: GitOid;
}

const env = { GIT_NO_REPLACE_OBJECTS: '1', GIT_NO_LAZY_FETCH: '1' };

/**
 * `base..head` (or `base...head`, which means the same here).
 * @throws WorldError `not-found` when a side names no commit
 */
export async function resolveRange(repository: Repository, text: string): Promise<PullRequestRange> {
  const sides = /^(.+?)\.{2,3}(.+)$/.exec(text);
  if (sides === null) throw new WorldError('usage', `"${text}" is not base..head`);
  const commit = async (name: string): Promise<GitOid> => {
    const found = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`], {
      cwd: repository.commonDir,
      okExitCodes: [0, 1, 128],
      env,
    });
    if (found.exitCode === 0) return found.stdout.toString().trim() as GitOid;
    throw new WorldError('not-found', `${name} names no commit here`, { hint: 'fetch it, or name it by its id' });
  };
  const [base, head] = [await commit(sides[1] ?? ''), await commit(sides[2] ?? '')];
  const common = await git(['merge-base', base, head], { cwd: repository.commonDir, okExitCodes: [0, 1], env });
  const start = common.exitCode === 0 ? (common.stdout.toString().trim() as GitOid) : base;
  return { base, head, start };
}

/** Message of every commit of the pull request, newest first. */
export async function messagesOf(
  repository: Repository,
  { start, head }: PullRequestRange,
): Promise<readonly { readonly commit: string; readonly message: string }[]> {
  const listed = await git(['log', '-z', '--format=%H%n%B', `${start}..${head}`], { cwd: repository.commonDir, env });
  return listed.stdout
    .toString()
    .split('\0')
    .filter((record) => record !== '')
    .map((record) => ({ commit: record.slice(0, record.indexOf('\n')), message: record.slice(record.indexOf('\n')) }));
}

/** What differs between the two commits, in order of path. */
export async function changedPaths(
  repository: Repository,
  { start, head }: PullRequestRange,
): Promise<readonly ChangedPath[]> {
  const options = ['-r', '-z', '-M', '--raw', '--no-abbrev', '--ignore-submodules=none'];
  const listed = await git(['diff-tree', ...options, start, head], { cwd: repository.commonDir, env });
  const fields = listed.stdout.toString().split('\0');
  const found: ChangedPath[] = [];
  for (let at = 0; at < fields.length; ) {
    const row = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/.exec(fields[at] ?? '');
    if (row === null) break;
    const [, oldMode = '', newMode = '', oldOid = '', newOid = '', how] = row;
    const before = leaf(oldMode, oldOid);
    const after = leaf(newMode, newOid);
    const path = fields[at + 1] ?? '';
    if (how === 'R' || how === 'C') {
      const target = fields[at + 2] ?? '';
      const movedFrom = before === null ? null : { path, leaf: before };
      if (how === 'R') found.push({ path, before, after: null, movedFrom: null });
      found.push({ path: target, before: null, after, movedFrom });
      at += 3;
    } else {
      found.push({ path, before, after, movedFrom: null });
      at += 2;
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function leaf(mode: string, oid: string): Leaf | null {
  return mode === '000000' ? null : { mode: mode as TreeMode, oid: oid as GitOid };
}
