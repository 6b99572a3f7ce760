import type { GitOid, TreeEntry, TreeMode } from '../../git/types.js';
import type { CheckedObjects } from './checked-objects.js';

/** What stands at a path of a tree. */
export interface Leaf {
  readonly mode: TreeMode;
  readonly oid: GitOid;
}

/** A path that differs between two trees; null where it is absent. */
export interface Change {
  readonly path: string;
  readonly before: Leaf | null;
  readonly after: Leaf | null;
}

/**
 * Every file, link or submodule that differs, in order of path. Equal subtrees are not looked into.
 * @throws ObjectFault
 */
export async function diffTrees(
  objects: CheckedObjects,
  before: GitOid | null,
  after: GitOid | null,
  prefix = '',
): Promise<readonly Change[]> {
  if (before === after) return [];
  const [old, now] = await Promise.all([
    before === null ? [] : objects.tree(before),
    after === null ? [] : objects.tree(after),
  ]);
  const olds = new Map(old.map((entry) => [entry.name, entry]));
  const names = [...new Set([...olds.keys(), ...now.map((entry) => entry.name)])].sort();
  const nows = new Map(now.map((entry) => [entry.name, entry]));
  const changes: Change[] = [];
  for (const name of names) {
    const [a, b] = [olds.get(name), nows.get(name)];
    if (a?.oid === b?.oid && a?.mode === b?.mode) continue;
    const path = `${prefix}${name}`;
    const [leafA, leafB] = [leafOf(a), leafOf(b)];
    if (leafA !== null || leafB !== null) changes.push({ path, before: leafA, after: leafB });
    const [treeA, treeB] = [subtreeOf(a), subtreeOf(b)];
    if (treeA !== treeB) changes.push(...(await diffTrees(objects, treeA, treeB, `${path}/`)));
  }
  return changes;
}

const subtreeOf = (entry: TreeEntry | undefined): GitOid | null => (entry?.mode === '40000' ? entry.oid : null);
const leafOf = (entry: TreeEntry | undefined): Leaf | null =>
  entry === undefined || entry.mode === '40000' ? null : { mode: entry.mode, oid: entry.oid };

/** The file, link or submodule at a path; null for none, or a folder. @throws ObjectFault */
export async function leafAt(objects: CheckedObjects, root: GitOid, path: string): Promise<Leaf | null> {
  const parts = path.split('/');
  let tree = root;
  for (const [at, name] of parts.entries()) {
    const entry = (await objects.tree(tree)).find((candidate) => candidate.name === name);
    if (entry === undefined) return null;
    if (at === parts.length - 1) return leafOf(entry);
    if (entry.mode !== '40000') return null;
    tree = entry.oid;
  }
  return null;
}

const maxLinks = 40;

/**
 * Where a path leads when the links of the tree are followed, as the tools follow them: relative links inside the root
 * only. Null when it leads out of the root or in circles. The last part need not exist.
 * @throws ObjectFault
 */
export async function followLinks(objects: CheckedObjects, root: GitOid, path: string): Promise<string | null> {
  const pending = path.split('/').filter((part) => part !== '' && part !== '.');
  const done: string[] = [];
  for (let links = 0; ; ) {
    const name = pending.shift();
    if (name === undefined) return done.join('/');
    if (name === '..') {
      if (done.pop() === undefined) return null;
      continue;
    }
    const here = [...done, name].join('/');
    const leaf = await leafAt(objects, root, here);
    if (leaf?.mode !== '120000') {
      done.push(name);
      continue;
    }
    links += 1;
    const target = (await objects.read(leaf.oid, 'blob')).toString();
    if (links > maxLinks || target.startsWith('/')) return null;
    pending.unshift(...target.split('/').filter((part) => part !== '' && part !== '.'));
  }
}
