import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { WorldError } from '../errors.js';
import { decodeTree, encodeTree, makeObject } from '../git/objects.js';
import { type InstalledPack, writePack } from '../git/pack.js';
import { type ObjectReader, openObjectReader } from '../git/reader.js';
import { compareAndSwapRef, readRef } from '../git/ref.js';
import type { CommitSigner } from '../git/ssh/sign-commit.js';
import type { GitObject, GitOid, ObjectType, Repository } from '../git/types.js';
import { logRef } from './log-ref.js';
import { listCommits } from './read-entry.js';
import { encodeMarker, markerPath } from './redaction.js';
import type { Redaction } from './types.js';
import { takeWriterLock } from './writer-lock.js';

export interface Rewriting {
  readonly redactions: readonly Redaction[];
  /** Signs anew those commits that were signed. */
  readonly signer: CommitSigner | undefined;
  /** Unix seconds. */
  readonly now: number;
}

export interface Rewritten {
  readonly before: GitOid;
  readonly after: GitOid;
  /** Objects of the old history that the new one does not have: commits, trees, and the payloads themselves. */
  readonly dropped: ReadonlySet<GitOid>;
}

/** Objects of one pack, so that a long history is not held in memory twice. */
const packObjects = 4096;

/**
 * Writes the log anew from the first redacted entry on: markers in place of payloads, everything else byte for byte as
 * it was but the commit ids, which follow. No hash of an entry depends on them. The acts must be in the log already, and
 * no writer may be at work: every entry is behind the ref, so the journal, which holds the payloads, too, goes.
 * @throws WorldError `writer-busy`, `log-absent`, `redact-signed`, `ref-moved`, `pack-write-failed`
 */
export async function rewriteLog(repository: Repository, rewriting: Rewriting): Promise<Rewritten> {
  const release = await takeWriterLock(repository, rewriting.now);
  const objects = openObjectReader(repository);
  const packs: InstalledPack[] = [];
  try {
    const before = await readRef(repository, logRef);
    if (before === null) throw new WorldError('log-absent', 'this repository has no world log');
    const first = Math.min(...rewriting.redactions.map(({ entry }) => entry));
    const commits = (await listCommits(repository, null, before)).slice(first);
    const rewriter = new Rewriter(repository, objects, rewriting, first);
    for (const commit of commits) {
      await rewriter.take(commit);
      if (rewriter.written.length >= packObjects) packs.push(await writePack(repository, rewriter.written.splice(0)));
    }
    if (rewriter.written.length > 0) packs.push(await writePack(repository, rewriter.written.splice(0)));
    const after = rewriter.tip ?? before;
    // Before the ref: a journal that speaks of commits the ref has left would be taken for a foreign move.
    await rm(join(repository.commonDir, 'world', 'journal'), { force: true });
    await compareAndSwapRef(repository, logRef, before, after);
    await rm(join(repository.commonDir, 'world', 'index'), { recursive: true, force: true });
    return { before, after, dropped: rewriter.dropped };
  } finally {
    for (const pack of packs) await pack.release().catch(() => undefined);
    await objects.close();
    await release();
  }
}

/**
 * Refuses a rewriting that would leave signed entries without a signature.
 * @throws WorldError `redact-signed`
 */
export async function checkSignatures(repository: Repository, first: number, signer: CommitSigner | undefined) {
  const tip = signer === undefined ? await readRef(repository, logRef) : null;
  if (tip === null) return;
  const objects = openObjectReader(repository);
  try {
    for (const commit of (await listCommits(repository, null, tip)).slice(first)) {
      const found = await objects.read(commit);
      if (found !== null && headOf(found.body).match(signatureHeader) !== null)
        throw new WorldError('redact-signed', 'entries that have to be written anew are signed, and there is no key', {
          hint: 'Give the key that signs them again: --sign-key <file>, or git config world.signKey <file>',
        });
    }
  } finally {
    await objects.close();
  }
}

const signatureHeader = /^gpgsig(?:-sha256)? .*(?:\n .*)*\n/gm;

/** A commit's header lines, as text that turns back into the same bytes. */
function headOf(body: Buffer): string {
  return body.toString('latin1', 0, body.indexOf('\n\n') + 1);
}

/** The subject's detail is taken from the arguments: tool and status stay. */
function withoutDetail(message: Buffer): Buffer {
  return Buffer.from(message.toString('latin1').replace(/^\n(\S+ \S+).*/, '\n$1 (redacted)'), 'latin1');
}

class Rewriter {
  readonly dropped = new Set<GitOid>();
  written: GitObject[] = [];
  tip: GitOid | null = null;
  #entry: number;

  constructor(
    private readonly repository: Repository,
    private readonly objects: ObjectReader,
    private readonly rewriting: Rewriting,
    first: number,
  ) {
    this.#entry = first;
  }

  async take(commit: GitOid): Promise<void> {
    const body = await this.#read(commit, 'commit');
    const head = headOf(body);
    const signed = head.match(signatureHeader) !== null;
    const redactions = this.rewriting.redactions.filter(({ entry }) => entry === this.#entry);
    const oldTree = /^tree (\S+)\n/.exec(head)?.[1] as GitOid;
    const tree = redactions.length === 0 ? oldTree : await this.#tree(oldTree, '', redactions);
    const parent = this.tip;
    const changed = head
      .replace(/^tree .*\n/, `tree ${tree}\n`)
      .replace(/^parent .*\n/m, (line) => (parent === null ? line : `parent ${parent}\n`))
      .replaceAll(signatureHeader, '');
    const message = redactions.length === 0 ? body.subarray(head.length) : withoutDetail(body.subarray(head.length));
    const plain = Buffer.concat([Buffer.from(changed, 'latin1'), message]);
    const { objectFormat } = this.repository;
    if (signed && this.rewriting.signer === undefined)
      throw new WorldError('redact-signed', `entry ${this.#entry} is signed, and there is no key to sign it again`);
    const bytes = signed ? (this.rewriting.signer?.(objectFormat, plain) ?? plain) : plain;
    this.tip = this.#write('commit', bytes);
    if (this.tip !== commit) this.dropped.add(commit);
    this.#entry += 1;
  }

  /** The tree with each payload below it replaced by its marker. */
  async #tree(oid: GitOid, prefix: string, redactions: readonly Redaction[]): Promise<GitOid> {
    const { objectFormat } = this.repository;
    const entries = [];
    for (const entry of decodeTree(objectFormat, await this.#read(oid, 'tree'))) {
      const path = `${prefix}${entry.name}`;
      const redaction = redactions.find((each) => each.path === path);
      if (redaction !== undefined) {
        this.dropped.add(entry.oid);
        const marker = this.#write('blob', encodeMarker(redaction));
        entries.push({ mode: entry.mode, name: markerPath(entry.name), oid: marker });
      } else if (entry.mode === '40000' && redactions.some((each) => each.path.startsWith(`${path}/`)))
        entries.push({ ...entry, oid: await this.#tree(entry.oid, `${path}/`, redactions) });
      else entries.push(entry);
    }
    const tree = this.#write('tree', encodeTree(objectFormat, entries));
    if (tree !== oid) this.dropped.add(oid);
    return tree;
  }

  async #read(oid: GitOid, type: ObjectType): Promise<Buffer> {
    const found = await this.objects.read(oid);
    if (found?.type === type) return found.body;
    throw new WorldError('object-missing', `the ${type} ${oid} is not in the repository`, { hint: 'Run: git fsck' });
  }

  #write(type: ObjectType, body: Buffer): GitOid {
    const object = makeObject(this.repository.objectFormat, type, body);
    this.written.push(object);
    return object.oid;
  }
}
