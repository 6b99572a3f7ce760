import { openObjectReader } from '../git/reader.js';
import { readRef } from '../git/ref.js';
import type { Repository } from '../git/types.js';
import { logRef } from './log-ref.js';
import { LogView, readingCalls, requireHead } from './log-view.js';
import type { LogReader } from './types.js';

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
