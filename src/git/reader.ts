import { WorldError } from '../errors.js';
import { CatFile } from './cat-file.js';
import type { ReadObject } from './cat-file-answer.js';
import { decodeCommit, decodeTree } from './objects.js';
import type { GitOid, Repository } from './types.js';

export type { ReadObject } from './cat-file-answer.js';

/** The files of a commit's tree, and what was left out. */
export interface CommitFiles {
  readonly files: ReadonlyMap<string, Buffer>;
  /** Path → id of every entry that was skipped; submodules are always skipped, for their commit is elsewhere. */
  readonly skipped: ReadonlyMap<string, GitOid>;
}

/** Reads objects through one long-lived git process, started by the first read. */
export interface ObjectReader {
  /**
   * The object a spec (`<oid>`, `<oid>:path`, `refs/…`) names, null when there is none. Reads may overlap.
   * @throws WorldError `bad-object-spec`, `object-too-large`, `object-unreadable`, `reader-closed`
   */
  read(spec: string): Promise<ReadObject | null>;
  /**
   * Every file of the commit's tree by path, without those entries for which `skip` says so.
   * @throws WorldError `object-missing` when the commit or something below it is not there, and as `read`
   */
  readFiles(commit: GitOid, skip: (path: string) => boolean): Promise<CommitFiles>;
  /** Ends the process. */
  close(): Promise<void>;
}

export interface ReaderOptions {
  /** Bytes of one object. Default 64 MiB. */
  readonly maxObjectBytes?: number;
}

export function openObjectReader(repository: Repository, options: ReaderOptions = {}): ObjectReader {
  const source = new CatFile(repository.commonDir, options.maxObjectBytes ?? 64 * 1024 * 1024);
  const read = (spec: string) => source.read(spec);
  return {
    read,
    readFiles: (commit, skip) => readFiles(read, repository, commit, skip),
    close: () => source.close(),
  };
}

/** Files read ahead of each other at once, so that a large tree does not fill memory with requests. */
const readAhead = 64;

async function readFiles(
  read: ObjectReader['read'],
  repository: Repository,
  commit: GitOid,
  skip: (path: string) => boolean,
): Promise<CommitFiles> {
  const files = new Map<string, Buffer>();
  const skipped = new Map<string, GitOid>();
  const existing = async (oid: GitOid, type: ReadObject['type']): Promise<Buffer> => {
    const found = await read(oid);
    if (found?.type === type) return found.body;
    throw new WorldError('object-missing', `the ${type} ${oid} is not in the repository`, {
      hint: 'Run: git fsck',
      data: { oid, type },
    });
  };
  const walk = async (tree: GitOid, prefix: string): Promise<void> => {
    const blobs: { path: string; oid: GitOid }[] = [];
    const trees: { path: string; oid: GitOid }[] = [];
    for (const entry of decodeTree(repository.objectFormat, await existing(tree, 'tree'))) {
      const path = prefix + entry.name;
      if (entry.mode === '160000' || skip(path)) skipped.set(path, entry.oid);
      else (entry.mode === '40000' ? trees : blobs).push({ path, oid: entry.oid });
    }
    for (let at = 0; at < blobs.length; at += readAhead) {
      const batch = blobs.slice(at, at + readAhead);
      const bodies = await Promise.all(batch.map((blob) => existing(blob.oid, 'blob')));
      bodies.forEach((body, i) => {
        files.set(batch[i]?.path ?? '', body);
      });
    }
    for (const child of trees) await walk(child.oid, `${child.path}/`);
  };
  await walk(decodeCommit(await existing(commit, 'commit')).tree, '');
  return { files, skipped };
}
