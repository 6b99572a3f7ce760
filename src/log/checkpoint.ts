import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from '../git/types.js';
import { Lookup, type LookupFiles, type LookupSeal } from './lookup.js';
import type { SavedState } from './state.js';
import type { CommittedEntry } from './types.js';

/** What is known up to one entry, kept in `world/index/` so that a start need not read the whole log. */
export interface Checkpoint {
  readonly version: 1;
  readonly worldId: string;
  readonly head: CommittedEntry;
  readonly lookup: LookupSeal;
  readonly state: SavedState;
}

function paths(repository: Repository): LookupFiles & { readonly folder: string; readonly checkpoint: string } {
  const folder = join(repository.commonDir, 'world', 'index');
  return {
    folder,
    checkpoint: join(folder, 'checkpoint.json'),
    commits: join(folder, 'commits'),
    keys: join(folder, 'keys'),
  };
}

/** The newest checkpoint with its index; null when there is none or anything about it is not as it was written. */
export function loadCheckpoint(
  repository: Repository,
  writable: boolean,
): { readonly checkpoint: Checkpoint; readonly lookup: Lookup } | null {
  const files = paths(repository);
  try {
    const text = readFileSync(files.checkpoint, 'utf8');
    const split = text.indexOf('\n');
    const body = text.slice(split + 1);
    if (text.slice(0, split) !== digest(body)) return null;
    const checkpoint = JSON.parse(body) as Checkpoint;
    if (checkpoint.version !== 1) return null;
    const lookup = Lookup.open(repository.objectFormat, files, checkpoint.lookup, writable);
    return lookup === null ? null : { checkpoint, lookup };
  } catch {
    return null;
  }
}

/** An empty index in place of whatever is there; in memory when no file can be made. */
export function freshLookup(repository: Repository): Lookup {
  const files = paths(repository);
  try {
    rmSync(files.folder, { recursive: true, force: true });
    mkdirSync(files.folder, { recursive: true });
    return Lookup.create(repository.objectFormat, files);
  } catch {
    return Lookup.inMemory(repository.objectFormat);
  }
}

/** Not synced: the digests tell whether everything arrived. A failure is no failure of the log. */
export function saveCheckpoint(
  repository: Repository,
  lookup: Lookup,
  checkpoint: Omit<Checkpoint, 'version' | 'lookup'>,
): void {
  const files = paths(repository);
  try {
    const seal = lookup.seal();
    if (seal === null) return;
    const { index, entryHash, worldRef, commit } = checkpoint.head;
    const body = JSON.stringify({
      version: 1,
      worldId: checkpoint.worldId,
      head: { index, entryHash, worldRef, commit },
      lookup: seal,
      state: checkpoint.state,
    } satisfies Checkpoint);
    writeFileSync(`${files.checkpoint}.new`, `${digest(body)}\n${body}`, { mode: 0o600 });
    renameSync(`${files.checkpoint}.new`, files.checkpoint);
  } catch {
    // The next start reads the log instead.
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
