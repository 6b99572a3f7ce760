/** A git object id, lower-case hex: 40 digits in a SHA-1 repository, 64 in a SHA-256 one. */
export type GitOid = string & { readonly __brand: 'GitOid' };
export type ObjectFormat = 'sha1' | 'sha256';
export type ObjectType = 'blob' | 'tree' | 'commit';

/** An object's id, type and body (without git's `<type> <size>\0` header). */
export interface GitObject {
  readonly oid: GitOid;
  readonly type: ObjectType;
  readonly body: Buffer;
}

export type TreeMode = '100644' | '100755' | '120000' | '160000' | '40000';
export interface TreeEntry {
  readonly mode: TreeMode;
  readonly name: string;
  readonly oid: GitOid;
}

export interface Identity {
  readonly name: string;
  readonly email: string;
}

/** A repository as found from some directory. All paths are absolute real paths. */
export interface Repository {
  /** The directory of this worktree: `.git`, or `.git/worktrees/<name>` of a linked one. */
  readonly gitDir: string;
  /** Shared by all linked worktrees: refs, objects, `world/`. */
  readonly commonDir: string;
  /** Root of the worktree, null for a bare repository. */
  readonly worktree: string | null;
  readonly objectFormat: ObjectFormat;
  readonly refStorage: 'files' | 'reftable';
}
