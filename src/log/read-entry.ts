import { WorldError } from '../errors.js';
import { git } from '../git/child.js';
import type { ObjectReader } from '../git/reader.js';
import type { GitOid, Repository } from '../git/types.js';
import { notAnEntryFile } from './build-entry.js';
import { worktreePath } from './entry-tree.js';
import { sha256Ref } from './hash.js';
import { decodeEntry, decodeWorld } from './records.js';
import type { LogEntry } from './types.js';

/**
 * Reads one entry back. Shapes are checked strictly; hashes and links are not (that is the proof's task).
 * @throws WorldError `log-entry-malformed`, and what the object reader throws
 */
export async function readEntry(objects: ObjectReader, commit: GitOid): Promise<LogEntry> {
  const { files, skipped } = await objects.readFiles(commit, notAnEntryFile);
  return decodeLogEntry(commit, files, skipped.get(worktreePath) ?? null);
}

/** @throws WorldError `log-entry-malformed` */
export function decodeLogEntry(commit: GitOid, files: ReadonlyMap<string, Buffer>, worktree: GitOid | null): LogEntry {
  const entryBytes = files.get('entry.json');
  const worldBytes = files.get('world.json');
  if (entryBytes === undefined || worldBytes === undefined) {
    throw malformed(commit, 'it has no entry.json or no world.json');
  }
  try {
    const wire = decodeEntry(entryBytes);
    return {
      index: wire.header.entryIndex,
      entryHash: wire.entryHash,
      worldRef: sha256Ref(worldBytes),
      commit,
      wire,
      world: decodeWorld(worldBytes),
      files,
      worktree,
    };
  } catch (error) {
    throw malformed(commit, error instanceof Error ? error.message : 'unreadable', error);
  }
}

function malformed(commit: GitOid, why: string, cause?: unknown): WorldError {
  return new WorldError('log-entry-malformed', `the commit ${commit} is no log entry: ${why}`, {
    hint: 'Something else wrote to refs/world/log. Compare with: git log refs/world/log',
    data: { commit },
    cause,
  });
}

/** Commits from (not including) `after` to `tip`, oldest first. */
export async function listCommits(
  repository: Repository,
  after: GitOid | null,
  tip: GitOid,
): Promise<readonly GitOid[]> {
  const range = after === null ? [tip] : [tip, `^${after}`];
  const listed = await git(['rev-list', '--first-parent', '--reverse', ...range], {
    cwd: repository.commonDir,
    timeoutMs: 600_000,
  });
  return listed.stdout.toString('latin1').split('\n').filter(Boolean) as GitOid[];
}

/**
 * Reads the entry that has this index by its place in the chain.
 * @throws WorldError `log-entry-malformed`, also when the entry says another index
 */
export async function readEntryAt(objects: ObjectReader, commit: GitOid, place: number): Promise<LogEntry> {
  const entry = await readEntry(objects, commit);
  if (entry.index !== place) throw malformed(commit, `its index is ${entry.index}, its place ${place}`);
  return entry;
}

const readAhead = 32;

/**
 * Reads entries in order, `first` being the index the first commit must have.
 * @throws WorldError `log-entry-malformed` when an index is not its place in the chain
 */
export async function* readEntries(
  objects: ObjectReader,
  commits: readonly GitOid[],
  first: number,
): AsyncGenerator<LogEntry> {
  for (let at = 0; at < commits.length; at += readAhead) {
    const batch = commits.slice(at, at + readAhead);
    yield* await Promise.all(batch.map((commit, offset) => readEntryAt(objects, commit, first + at + offset)));
  }
}
