import type { GitOid, Repository } from '../../git/types.js';
import { readAhead } from '../read-ahead.js';
import { type CheckedObjects, ObjectFault } from '../verify/checked-objects.js';
import { entryFacts } from '../verify/entry-facts.js';
import type { EpisodeHistory } from '../verify/history.js';
import { listLog, type RawEntry, readLog, readRaw } from '../verify/read-log.js';
import { LevelBook } from '../verify/report.js';
import { TreesLevel } from '../verify/trees-level.js';
import { type Glance, glance, standsAt } from './glance.js';

/** What became of the files of every episode, up to `tip`. */
export interface FileHistories {
  readonly episodes: ReadonlyMap<string, EpisodeHistory>;
  /** Unix seconds of the entries that were read, by index; 0 where the commit cannot be read. */
  readonly times: ReadonlyMap<number, number>;
}

/**
 * Follows the files through the log. An entry whose change of files its effect does not explain counts as drift, as
 * `verify` reports it.
 * @param path follow only this file or folder: of entries that leave it alone little more than one record is read
 * @throws WorldError `git-failed` when the history cannot be listed
 */
export async function readHistories(
  repository: Repository,
  objects: CheckedObjects,
  tip: GitOid,
  path?: string,
): Promise<FileHistories> {
  const trees = new TreesLevel(objects, repository.objectFormat, new LevelBook('trees', 0));
  const times = new Map<number, number>();
  const take = async (raw: RawEntry): Promise<void> => {
    await trees.take(entryFacts(raw));
    times.set(raw.position, commitTime(raw.body));
  };
  const commits = await listLog(repository, tip);
  if (path === undefined) for await (const raw of readLog(objects, commits)) await take(raw);
  else
    for await (const { commit, index, episode, before } of changing(objects, commits, path)) {
      const history = trees.histories.get(episode ?? '');
      if (history !== undefined && before !== null) history.tree = before;
      await take(await readRaw(objects, commit, index));
    }
  return { episodes: trees.histories, times };
}

interface Changing {
  readonly commit: GitOid;
  readonly index: number;
  readonly episode: string | null;
  /** Files of the episode before the entry. */
  readonly before: GitOid | null;
}

/** The entries that open an episode or have something else at the path than the one before them in it. */
async function* changing(objects: CheckedObjects, commits: readonly GitOid[], path: string): AsyncGenerator<Changing> {
  const seen = new Map<string, { readonly tree: GitOid; readonly stands: string | null }>();
  const look = async (commit: GitOid, index: number): Promise<{ commit: GitOid; entry: Glance | null }> => {
    try {
      return { commit, entry: await glance(objects, commit, index) };
    } catch (error) {
      if (error instanceof ObjectFault) return { commit, entry: null };
      throw error;
    }
  };
  let index = -1;
  for await (const { commit, entry } of readAhead(commits, look)) {
    index += 1;
    // What cannot be read here is left to the reading that explains it.
    if (entry === null) yield { commit, index, episode: null, before: null };
    if (entry === null || entry.worktree === null || entry.episode === null) continue;
    const { episode, worktree } = entry;
    const before = seen.get(episode);
    const stands =
      before?.tree === worktree ? before.stands : await standsAt(objects, worktree, path).catch(() => null);
    seen.set(episode, { tree: worktree, stands });
    if (before === undefined || before.stands !== stands)
      yield { commit, index, episode, before: before?.tree ?? null };
  }
}

function commitTime(body: Buffer | null): number {
  return Number(/^committer .* (\d+) [+-]\d{4}$/m.exec(body?.toString('latin1') ?? '')?.[1] ?? 0);
}
