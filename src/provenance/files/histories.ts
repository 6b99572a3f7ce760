import type { GitOid, Repository } from '../../git/types.js';
import type { CheckedObjects } from '../verify/checked-objects.js';
import { entryFacts } from '../verify/entry-facts.js';
import type { EpisodeHistory } from '../verify/history.js';
import { listLog, readLog } from '../verify/read-log.js';
import { LevelBook } from '../verify/report.js';
import { TreesLevel } from '../verify/trees-level.js';

/** What became of the files of every episode, up to `tip`. */
export interface FileHistories {
  readonly episodes: ReadonlyMap<string, EpisodeHistory>;
  /** Unix seconds of each entry, by index; 0 where the commit cannot be read. */
  readonly times: readonly number[];
}

/**
 * Follows the files through the log. An entry whose change of files its effect does not explain counts as drift, as
 * `verify` reports it.
 * @throws WorldError `git-failed` when the history cannot be listed
 */
export async function readHistories(
  repository: Repository,
  objects: CheckedObjects,
  tip: GitOid,
): Promise<FileHistories> {
  const trees = new TreesLevel(objects, repository.objectFormat, new LevelBook('trees', 0));
  const times: number[] = [];
  for await (const raw of readLog(objects, await listLog(repository, tip))) {
    await trees.take(entryFacts(raw));
    times.push(commitTime(raw.body));
  }
  return { episodes: trees.histories, times };
}

function commitTime(body: Buffer | null): number {
  return Number(/^committer .* (\d+) [+-]\d{4}$/m.exec(body?.toString('latin1') ?? '')?.[1] ?? 0);
}
