import type { GitOid } from '../../git/types.js';

/** Only what a proof needs of a commit. */
export interface CommitHead {
  /** Null when it names none, or several. */
  readonly tree: GitOid | null;
  readonly parents: readonly GitOid[];
  readonly signed: boolean;
  readonly message: string;
}

const oid = /^([0-9a-f]{40}|[0-9a-f]{64})$/;

/** Reads a commit's own bytes; whatever else they hold is left alone. */
export function parseCommit(body: Buffer): CommitHead {
  const end = body.indexOf('\n\n');
  const lines = body.toString('latin1', 0, end < 0 ? body.length : end).split('\n');
  const values = (name: string): GitOid[] =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1) as GitOid);
  const trees = values('tree');
  const [tree] = trees;
  return {
    tree: tree !== undefined && trees.length === 1 && oid.test(tree) ? tree : null,
    parents: values('parent'),
    signed: lines.some((line) => line.startsWith('gpgsig')),
    message: end < 0 ? '' : body.toString('utf8', end + 2),
  };
}
