import { diskName } from '../ailang/policy/disk-name.js';
import { WorldError } from '../errors.js';
import { asGitOid, hashObject, oidLength } from './oid.js';
import type { GitObject, GitOid, Identity, ObjectFormat, ObjectType, TreeEntry, TreeMode } from './types.js';

/** An object with the id its bytes have. */
export function makeObject(format: ObjectFormat, type: ObjectType, body: Buffer): GitObject {
  return { oid: hashObject(format, type, body), type, body };
}

/** A commit's parts. Times are Unix seconds, written as UTC. */
export interface CommitFields {
  readonly tree: GitOid;
  readonly parents: readonly GitOid[];
  readonly author: Identity;
  readonly authorTime: number;
  readonly committer: Identity;
  readonly committerTime: number;
  readonly message: string;
}

/**
 * A tree's body, entries in git's order: bytewise, a directory as if its name ended in `/`.
 * @throws WorldError `bad-tree-entry` for a name git would refuse, a name given twice, an id of the other format
 */
export function encodeTree(format: ObjectFormat, entries: readonly TreeEntry[]): Buffer {
  const seen = new Set<string>();
  const rows = entries.map((entry) => {
    checkName(entry.name);
    if (seen.has(entry.name)) throw badEntry(entry.name, 'is given twice');
    seen.add(entry.name);
    const key = Buffer.from(entry.mode === '40000' ? `${entry.name}/` : entry.name);
    return { key, head: Buffer.from(`${entry.mode} ${entry.name}\0`), id: asGitOid(entry.oid, format) };
  });
  rows.sort((a, b) => Buffer.compare(a.key, b.key));
  return Buffer.concat(rows.flatMap((row) => [row.head, Buffer.from(row.id, 'hex')]));
}

function checkName(name: string): void {
  if (name === '' || name === '.' || name === '..') throw badEntry(name, 'is no file name');
  if (isDotGit(name)) throw badEntry(name, 'belongs to git');
  if (name.includes('/') || name.includes('\0')) throw badEntry(name, 'holds a slash or NUL');
  if (Buffer.from(name).toString() !== name) throw badEntry(name, 'holds a lone surrogate');
}

/** Whether a name opens `.git` on some disk; `git fsck` calls a tree that holds one broken. */
export function isDotGit(name: string): boolean {
  // Asked for every file of a worktree: most names are none at the first look.
  return /g.*i.*t/is.test(name) && name.split('\\').some((part) => diskName(part) === '.git');
}

function badEntry(name: string, why: string): WorldError {
  return new WorldError('bad-tree-entry', `the tree entry ${JSON.stringify(name.slice(0, 200))} ${why}`);
}

const modes: ReadonlySet<string> = new Set<TreeMode>(['100644', '100755', '120000', '160000', '40000']);

/**
 * The entries of a tree's body, in its order.
 * @throws WorldError `bad-tree` when the bytes are no tree or a name is not UTF-8
 */
export function decodeTree(format: ObjectFormat, body: Buffer): TreeEntry[] {
  const idBytes = oidLength(format) / 2;
  const entries: TreeEntry[] = [];
  let at = 0;
  while (at < body.length) {
    const blank = body.indexOf(0x20, at);
    const nul = body.indexOf(0, blank + 1);
    const end = nul + 1 + idBytes;
    if (blank < 0 || nul < 0 || end > body.length) throw new WorldError('bad-tree', 'a tree object is cut short');
    const name = body.toString('utf8', blank + 1, nul);
    if (Buffer.byteLength(name) !== nul - blank - 1 || name.includes('\ufffd')) checkUtf8(name, body, blank + 1, nul);
    entries.push({
      mode: treeMode(body.toString('latin1', at, blank)),
      name,
      oid: body.toString('hex', nul + 1, end) as GitOid,
    });
    at = end;
  }
  return entries;
}

function checkUtf8(name: string, body: Buffer, start: number, end: number): void {
  if (Buffer.from(name).equals(body.subarray(start, end))) return;
  throw new WorldError('bad-tree', `a file name is not UTF-8: ${JSON.stringify(name)}`);
}

function treeMode(text: string): TreeMode {
  // Trees of old git versions hold 100664 and 100600; git itself reads every plain file as one of two modes.
  if (/^100[0-7]{3}$/.test(text)) return Number.parseInt(text, 8) & 0o100 ? '100755' : '100644';
  if (modes.has(text)) return text as TreeMode;
  throw new WorldError('bad-tree', `a tree entry has the mode ${JSON.stringify(text.slice(0, 20))}`);
}

/**
 * A commit's body, times in UTC.
 * @throws WorldError `bad-commit` when a time is no whole number of seconds or the message holds NUL
 */
export function encodeCommit(commit: CommitFields): Buffer {
  if (commit.message.includes('\0')) throw new WorldError('bad-commit', 'a commit message cannot hold NUL');
  const lines = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${signature(commit.author, commit.authorTime)}`,
    `committer ${signature(commit.committer, commit.committerTime)}`,
  ];
  return Buffer.from(`${lines.join('\n')}\n\n${commit.message}`);
}

function signature(who: Identity, time: number): string {
  if (!Number.isSafeInteger(time) || time < 0) throw new WorldError('bad-commit', `not a commit time: ${time}`);
  // The blank before `<` must stay even when nothing is left of the name: git's fsck wants it.
  return `${clean(who.name)} <${clean(who.email)}> ${time} +0000`;
}

function clean(text: string): string {
  return text.replaceAll(/[<>\n\r\0]/g, '').trim();
}

/**
 * The parts of a commit's body. Headers beside the five (signatures, encodings) are passed over.
 * @throws WorldError `bad-commit`
 */
export function decodeCommit(body: Buffer): CommitFields {
  const split = body.indexOf('\n\n');
  const head = body.toString('utf8', 0, split < 0 ? body.length : split);
  const parents: GitOid[] = [];
  let tree: GitOid | undefined;
  let author: Signature | undefined;
  let committer: Signature | undefined;
  for (const line of head.split('\n')) {
    const blank = line.indexOf(' ');
    const value = line.slice(blank + 1);
    switch (line.slice(0, blank)) {
      case 'tree':
        tree = oidOf(value);
        break;
      case 'parent':
        parents.push(oidOf(value));
        break;
      case 'author':
        author = parseSignature(value);
        break;
      case 'committer':
        committer = parseSignature(value);
        break;
    }
  }
  if (tree === undefined || author === undefined || committer === undefined) {
    throw new WorldError('bad-commit', 'a commit object lacks its tree, author or committer');
  }
  return {
    tree,
    parents,
    author: author.who,
    authorTime: author.time,
    committer: committer.who,
    committerTime: committer.time,
    message: split < 0 ? '' : body.toString('utf8', split + 2),
  };
}

interface Signature {
  readonly who: Identity;
  readonly time: number;
}

function oidOf(text: string): GitOid {
  return asGitOid(text, text.length === 64 ? 'sha256' : 'sha1');
}

function parseSignature(text: string): Signature {
  const parts = /^(.*?) ?<([^>]*)> (-?\d+) [+-]\d+$/.exec(text);
  if (parts === null) throw new WorldError('bad-commit', 'a commit object has a malformed author or committer');
  return { who: { name: parts[1] ?? '', email: parts[2] ?? '' }, time: Number(parts[3]) };
}
