import { type ObjectReader, openObjectReader } from '../git/reader.js';
import { readRef } from '../git/ref.js';
import type { GitOid, Repository } from '../git/types.js';
import { logRef } from './log-ref.js';
import { LogView, logAbsent, readingCalls, requireHead, worldIdOf } from './log-view.js';
import { listCommits, readEntryAt } from './read-entry.js';
import type { EntryIndex, EntryReader, LogEntry, LogReader } from './types.js';

/**
 * Reads the log as it stands now: no daemon, no lock, nothing written. Uses the index when it is fresh and the entries
 * themselves where it is not.
 * @param ref where the log stands: the repository's own, or one that was fetched
 * @throws WorldError `log-absent`, `ref-corrupt`, `log-entry-malformed`, `record-malformed`
 */
export async function openLogReader(repository: Repository, ref: string = logRef): Promise<LogReader> {
  const objects = openObjectReader(repository);
  try {
    const view = await LogView.load(repository, objects, await readRef(repository, ref), false);
    const { head, worldId } = requireHead(view);
    return {
      worldId,
      head,
      state: view.state,
      ...readingCalls(view, (index) => view.entry(index)),
      close: async () => {
        view.close();
        await objects.close();
      },
    };
  } catch (error) {
    await objects.close();
    throw error;
  }
}

/**
 * Reads single entries. Where there is no index, nothing but the entries asked for is read; only looking for a ref or
 * an invocation id then takes the whole log.
 * @throws WorldError `log-absent`, `ref-corrupt`, `log-entry-malformed`, `record-malformed`
 */
export async function openEntryReader(repository: Repository, ref: string = logRef): Promise<EntryReader> {
  const objects = openObjectReader(repository);
  try {
    const tip = await readRef(repository, ref);
    if (tip === null) throw logAbsent();
    const indexed = await LogView.fromCheckpoint(repository, objects, tip, false);
    if (indexed === null) return await openUnindexed(repository, objects, tip);
    return {
      ...requireHead(indexed),
      ...readingCalls(indexed, (index) => indexed.entry(index)),
      close: async () => {
        indexed.close();
        await objects.close();
      },
    };
  } catch (error) {
    await objects.close();
    throw error;
  }
}

async function openUnindexed(repository: Repository, objects: ObjectReader, tip: GitOid): Promise<EntryReader> {
  const commits = await listCommits(repository, null, tip);
  const entry = async (index: number): Promise<LogEntry | null> => {
    const commit = commits[index];
    return commit === undefined ? null : readEntryAt(objects, commit, index);
  };
  const [genesis, head] = await Promise.all([entry(0), entry(commits.length - 1)]);
  if (genesis === null || head === null) throw logAbsent();
  let whole: Promise<ReturnType<typeof readingCalls>> | undefined;
  const all = () => {
    whole ??= LogView.load(repository, objects, tip, false).then((view) => readingCalls(view, entry));
    return whole;
  };
  return {
    worldId: worldIdOf(genesis.entryHash),
    head,
    entry: (index: EntryIndex) => entry(index),
    find: async (ref) => (await all()).find(ref),
    invocation: async (id) => (await all()).invocation(id),
    redactions: async () => (await all()).redactions(),
    close: () => objects.close(),
  };
}
