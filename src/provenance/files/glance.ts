import type { GitOid, TreeEntry } from '../../git/types.js';
import { type EntryTopic, topicOf } from '../entry-summary.js';
import { type CheckedObjects, ObjectFault } from '../verify/checked-objects.js';

/** What an entry is about, by its one small record. */
export interface Glance extends EntryTopic {
  readonly index: number;
  readonly commit: GitOid;
  /** Root of the files it left, null when it has none. */
  readonly worktree: GitOid | null;
  /** The entry's own tree. */
  readonly root: readonly TreeEntry[];
}

/** @throws ObjectFault */
export async function glance(objects: CheckedObjects, commit: GitOid, index: number): Promise<Glance> {
  const head = (await objects.read(commit, 'commit')).toString('latin1');
  const tree = /^tree ([0-9a-f]+)\n/.exec(head)?.[1];
  if (tree === undefined) throw new ObjectFault(commit, `the commit ${commit} names no tree`);
  const root = await objects.tree(tree as GitOid);
  const find = (name: string): GitOid | undefined => root.find((entry) => entry.name === name)?.oid;
  const [record, act] = [find('record.json'), find('operator.json')];
  const read = async (oid: GitOid | undefined) => (oid === undefined ? undefined : objects.read(oid, 'blob'));
  return {
    index,
    commit,
    worktree: root.find(({ name, mode }) => name === 'worktree' && mode === '40000')?.oid ?? null,
    root,
    ...topicOf(await read(record), record === undefined ? await read(act) : undefined),
  };
}

/**
 * Mode and id of the file or folder at a path, null for none: equal texts are equal content.
 * @throws ObjectFault
 */
export async function standsAt(objects: CheckedObjects, root: GitOid, path: string): Promise<string | null> {
  let tree = root;
  const parts = path.split('/').filter((part) => part !== '');
  for (const [at, name] of parts.entries()) {
    const entry = (await objects.tree(tree)).find((candidate) => candidate.name === name);
    if (entry === undefined) return null;
    if (at === parts.length - 1) return `${entry.mode} ${entry.oid}`;
    if (entry.mode !== '40000') return null;
    tree = entry.oid;
  }
  return null;
}
