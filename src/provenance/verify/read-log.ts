import { WorldError } from '../../errors.js';
import type { GitOid, Repository, TreeEntry } from '../../git/types.js';
import { readAhead } from '../read-ahead.js';
import { type CheckedObjects, ObjectFault } from './checked-objects.js';
import { parseCommit } from './commit-head.js';
import { plainGit } from './plain-git.js';

/** One commit of the log as it stands in git, nothing about it believed yet. */
export interface RawEntry {
  /** Place in the chain, from 0. */
  readonly position: number;
  readonly commit: GitOid;
  readonly parents: readonly GitOid[];
  readonly signed: boolean;
  /** The commit's own bytes; null when they cannot be read. */
  readonly body: Buffer | null;
  /** Every file but the worktree's, by its path. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly worktree: GitOid | null;
  /** What could not be read, or is not of the form a log entry has in git. */
  readonly faults: readonly string[];
}

const oidLine = /^([0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * The commits from the beginning to `tip`, oldest first.
 * @throws WorldError `git-failed` when the history cannot be listed
 */
export async function listLog(repository: Repository, tip: GitOid): Promise<readonly GitOid[]> {
  const listed = await plainGit(repository, ['rev-list', '--first-parent', '--reverse', tip], { timeoutMs: 600_000 });
  return listed.stdout
    .toString('latin1')
    .split('\n')
    .filter((line) => oidLine.test(line)) as GitOid[];
}

/** Reads the entries in order, some ahead of each other. */
export function readLog(objects: CheckedObjects, commits: readonly GitOid[]): AsyncGenerator<RawEntry> {
  return readAhead(commits, (commit, position) => readRaw(objects, commit, position));
}

/** Reads one entry, `position` being its place in the chain; what cannot be read is named in its faults. */
export async function readRaw(objects: CheckedObjects, commit: GitOid, position: number): Promise<RawEntry> {
  const faults: string[] = [];
  const files = new Map<string, Buffer>();
  let worktree: GitOid | null = null;
  let parents: readonly GitOid[] = [];
  let signed = false;
  let body: Buffer | null = null;
  const trouble = async (step: () => Promise<void>): Promise<void> => {
    try {
      await step();
    } catch (error) {
      if (!(error instanceof WorldError)) throw error;
      faults.push(error.message);
    }
  };
  const folder = async (tree: GitOid, prefix: string): Promise<void> => {
    await Promise.all(
      (await objects.tree(tree)).map((entry) => {
        const path = `${prefix}${entry.name}`;
        return trouble(async () => {
          if (path === 'worktree' && entry.mode === '40000') worktree = entry.oid;
          else if (entry.mode === '40000') await folder(entry.oid, `${path}/`);
          else if (isPlain(entry)) files.set(path, await objects.read(entry.oid, 'blob'));
          else throw new ObjectFault(entry.oid, `${path} has the mode ${entry.mode}; files of an entry have 100644`);
        });
      }),
    );
  };
  await trouble(async () => {
    body = await objects.read(commit, 'commit');
    const head = parseCommit(body);
    parents = head.parents;
    signed = head.signed;
    if (head.tree === null) throw new ObjectFault(commit, `the commit ${commit} names no tree`);
    await folder(head.tree, '');
  });
  return { position, commit, parents, signed, body, files, worktree, faults };
}

const isPlain = (entry: TreeEntry): boolean => entry.mode === '100644';
