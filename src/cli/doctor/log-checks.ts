import { WorldError } from '../../errors.js';
import type { Repository } from '../../git/types.js';
import { openLogReader } from '../../log/reader.js';
import { walk } from '../../provenance/why.js';
import { broken, type Finding, note, ok } from './check.js';

/** Opens the log for reading and walks its newest entry. */
export async function checkLog(repository: Repository): Promise<readonly Finding[]> {
  try {
    const reader = await openLogReader(repository);
    try {
      const { index, commit } = reader.head;
      const chain = await walk(reader, { index, matchedBy: 'head' });
      const open = reader.state.episodes().filter((episode) => episode.open).length;
      return [
        ok(
          'log',
          `world ${reader.worldId}, ${index + 1} entries, head ${commit.slice(0, 12)}, ${open} open episode(s)`,
        ),
        chain.ok
          ? ok('head entry', `entry ${index}: all ${chain.links.length} link(s) verified`)
          : broken('head entry', `entry ${index} has a broken link`, `look at it: ailang-worldd why ${index}`),
      ];
    } finally {
      await reader.close();
    }
  } catch (error) {
    if (!(error instanceof WorldError)) throw error;
    if (error.code === 'log-absent') return [note('log', 'no world here yet', 'start one: ailang-worldd up')];
    return [broken('log', error.message, error.hint ?? 'see the message')];
  }
}
