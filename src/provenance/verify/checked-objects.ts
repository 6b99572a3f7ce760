import { WorldError } from '../../errors.js';
import { decodeTree, encodeTree } from '../../git/objects.js';
import { hashObject } from '../../git/oid.js';
import { openObjectReader, type ReadObject } from '../../git/reader.js';
import type { GitOid, ObjectType, Repository, TreeEntry } from '../../git/types.js';

/** An object is absent, is of another type, or its bytes do not have the id they are stored under. */
export class ObjectFault extends WorldError {
  constructor(
    readonly oid: GitOid,
    message: string,
  ) {
    super('object-fault', message);
  }
}

/** Reads git objects and believes none: the id of each is computed anew from the bytes that came back. */
export interface CheckedObjects {
  /** @throws ObjectFault */
  read(oid: GitOid, type: ObjectType): Promise<Buffer>;
  /**
   * Entries of a tree, in git's order.
   * @throws ObjectFault also when the entries are not in git's order or have unusual modes
   */
  tree(oid: GitOid): Promise<readonly TreeEntry[]>;
  /** Bytes of a blob; null when it is not there. */
  blob(oid: GitOid): Promise<Buffer | null>;
  close(): Promise<void>;
}

/** Decoded trees kept at hand, in entries: unchanged folders come back in every snapshot. */
const MAX_CACHED_ENTRIES = 100_000;

export function openCheckedObjects(repository: Repository): CheckedObjects {
  const reader = openObjectReader(repository);
  const { objectFormat: format } = repository;
  const trees = new Map<GitOid, readonly TreeEntry[]>();
  let cachedEntries = 0;

  const check = (oid: GitOid, type: ObjectType, found: ReadObject | null): Buffer => {
    if (found === null) throw new ObjectFault(oid, `the ${type} ${oid} is not in the repository`);
    if (found.type !== type) throw new ObjectFault(oid, `${oid} is a ${found.type}, not a ${type}`);
    const actual = hashObject(format, type, found.body);
    if (actual !== oid) throw new ObjectFault(oid, `the bytes stored as ${type} ${oid} have the id ${actual}`);
    return found.body;
  };
  const read = async (oid: GitOid, type: ObjectType): Promise<Buffer> => {
    try {
      return check(oid, type, await reader.read(oid));
    } catch (error) {
      if (error instanceof ObjectFault || !(error instanceof WorldError)) throw error;
      throw new ObjectFault(oid, `the ${type} ${oid} cannot be read: ${error.message}`);
    }
  };
  const remember = (oid: GitOid, entries: readonly TreeEntry[]): void => {
    trees.set(oid, entries);
    cachedEntries += entries.length + 1;
    for (const [old, oldEntries] of trees) {
      if (cachedEntries <= MAX_CACHED_ENTRIES) return;
      trees.delete(old);
      cachedEntries -= oldEntries.length + 1;
    }
  };

  return {
    read,
    async tree(oid) {
      const known = trees.get(oid);
      if (known !== undefined) {
        trees.delete(oid);
        trees.set(oid, known);
        return known;
      }
      const body = await read(oid, 'tree');
      let entries: readonly TreeEntry[];
      try {
        entries = decodeTree(format, body);
        if (!encodeTree(format, entries).equals(body)) throw new WorldError('bad-tree', 'it is not in git’s own form');
      } catch (error) {
        throw new ObjectFault(oid, `the tree ${oid} is malformed: ${error instanceof Error ? error.message : ''}`);
      }
      if (!trees.has(oid)) remember(oid, entries);
      return entries;
    },
    async blob(oid) {
      const found = await reader.read(oid);
      return found === null ? null : check(oid, 'blob', found);
    },
    close: () => reader.close(),
  };
}
