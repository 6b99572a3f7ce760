import type { TestContext } from 'node:test';
import { git } from '../../src/git/child.js';
import { encodeCommit, encodeTree, makeObject } from '../../src/git/objects.js';
import { openRepository } from '../../src/git/repository.js';
import type { GitObject, GitOid, ObjectFormat, Repository, TreeEntry } from '../../src/git/types.js';
import { temporaryDirectory } from '../cleanup.js';

export const formats: readonly ObjectFormat[] = ['sha1', 'sha256'];
export const logRef = 'refs/world/log';

export async function initRepository(t: TestContext, format: ObjectFormat = 'sha1'): Promise<Repository> {
  const directory = temporaryDirectory(t);
  await git(['init', '-q', '-b', 'main', `--object-format=${format}`, '.'], { cwd: directory });
  return openRepository(directory);
}

/** Output of a git command in the repository, without the last line break. */
export async function gitText(repository: Repository, ...args: string[]): Promise<string> {
  const result = await git(args, { cwd: repository.worktree ?? repository.commonDir });
  return result.stdout.toString().replace(/\n$/, '');
}

/** Fails unless git finds every object whole and every ref pointing at one. */
export async function assertHealthy(repository: Repository): Promise<void> {
  await gitText(repository, 'fsck', '--strict', '--full', '--no-dangling');
}

const who = { name: 'Ada', email: 'ada@example.org' };

export interface EntryObjects {
  readonly commit: GitOid;
  readonly objects: readonly GitObject[];
}

/** Blob, tree and commit of a small made-up log entry. */
export function entryObjects(
  format: ObjectFormat,
  parent: GitOid | null,
  text: string,
  extra: readonly TreeEntry[] = [],
): EntryObjects {
  const blob = makeObject(format, 'blob', Buffer.from(text));
  const tree = makeObject(
    format,
    'tree',
    encodeTree(format, [{ mode: '100644', name: 'entry.json', oid: blob.oid }, ...extra]),
  );
  const commit = makeObject(
    format,
    'commit',
    encodeCommit({
      tree: tree.oid,
      parents: parent === null ? [] : [parent],
      author: who,
      authorTime: 1_700_000_000,
      committer: who,
      committerTime: 1_700_000_000,
      message: `${text.slice(0, 40)}\n`,
    }),
  );
  return { commit: commit.oid, objects: [blob, tree, commit] };
}
