import { encodeTree, makeObject } from '../git/objects.js';
import type { GitObject, GitOid, ObjectFormat, TreeEntry } from '../git/types.js';
import type { Snapshot } from './types.js';

/** Path of the episode's files in an entry's tree. */
export const worktreePath = 'worktree';

/** The git objects of an entry's tree. */
export interface EntryTree {
  readonly root: GitOid;
  /** Blobs and trees, each id once, the snapshot's included. */
  readonly objects: readonly GitObject[];
}

/** Turns an entry's files (by path, `/` between folders) and its snapshot into git objects. */
export function buildEntryTree(
  format: ObjectFormat,
  files: ReadonlyMap<string, Buffer>,
  worktree: Snapshot | undefined,
): EntryTree {
  const objects = new Map<GitOid, GitObject>();
  const add = (object: GitObject): GitOid => {
    objects.set(object.oid, object);
    return object.oid;
  };
  const folder = (prefix: string): TreeEntry[] => {
    const entries = new Map<string, TreeEntry>();
    for (const [path, body] of files) {
      if (!path.startsWith(prefix)) continue;
      const [name = '', ...below] = path.slice(prefix.length).split('/');
      if (below.length === 0) {
        entries.set(name, { mode: '100644', name, oid: add(makeObject(format, 'blob', body)) });
      } else if (!entries.has(name)) {
        entries.set(name, { mode: '40000', name, oid: tree(folder(`${prefix}${name}/`)) });
      }
    }
    return [...entries.values()];
  };
  const tree = (entries: readonly TreeEntry[]): GitOid => add(makeObject(format, 'tree', encodeTree(format, entries)));

  const top = folder('');
  if (worktree !== undefined) {
    for (const object of worktree.objects) add(object);
    // Git knows the empty tree without having it, other programs do not.
    const empty = makeObject(format, 'tree', Buffer.alloc(0));
    if (worktree.tree === empty.oid) add(empty);
    top.push({ mode: '40000', name: worktreePath, oid: worktree.tree });
  }
  return { root: tree(top), objects: [...objects.values()] };
}
