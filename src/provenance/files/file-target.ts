import { WorldError } from '../../errors.js';
import type { GitOid, Repository } from '../../git/types.js';
import type { EntryIndex } from '../../log/types.js';
import type { FoundEntry } from '../target.js';
import { openCheckedObjects } from '../verify/checked-objects.js';
import type { Origin } from '../verify/history.js';
import { blame, episodeFor } from './blame.js';
import { readHistories } from './histories.js';

/**
 * Finds the entry that wrote a line of a file, or, without a line, the one that changed the file last.
 * @param target `path` or `path:line`, lines from 1
 * @throws WorldError `not-found`, also for a line that no entry wrote; `blame-binary`
 */
export async function findFileTarget(repository: Repository, tip: GitOid, target: string): Promise<FoundEntry> {
  const [, named = target, line] = /^(.+):(\d{1,9})$/.exec(target) ?? [];
  const path = named.replace(/^(?:\.\/)+/, '');
  const objects = openCheckedObjects(repository);
  try {
    const histories = await readHistories(repository, objects, tip, path);
    const history = episodeFor(histories, path, undefined, Number.POSITIVE_INFINITY);
    if (line === undefined) {
      const newest = history.versions.get(path)?.at(-1);
      if (newest === undefined) throw new WorldError('not-found', `no entry of the log changed ${path}`);
      return found(newest.origin, path);
    }
    const lines = await blame(objects, history, path, Number.POSITIVE_INFINITY);
    const blamed = lines[Number(line) - 1];
    if (blamed === undefined)
      throw new WorldError('not-found', `${path} has ${lines.length} lines in episode ${history.episode}`);
    if (blamed.origin.by === 'base')
      throw new WorldError('not-found', `line ${line} of ${path} was there when episode ${history.episode} began`, {
        hint: `git blame ${path} knows older commits`,
      });
    return found(blamed.origin, `${path}:${line}`);
  } finally {
    await objects.close();
  }
}

function found(origin: Origin, matchedBy: string): FoundEntry {
  const index = (origin.by === 'base' ? 0 : origin.entry) as EntryIndex;
  const notes = { drift: 'changed outside every call', program: 'changed by the program the call ran' };
  return origin.by === 'drift' || origin.by === 'program'
    ? { index, matchedBy, note: notes[origin.by] }
    : { index, matchedBy };
}
