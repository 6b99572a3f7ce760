import type { GitOid, Repository } from '../../git/types.js';
import { readAhead } from '../read-ahead.js';
import { type CheckedObjects, ObjectFault } from '../verify/checked-objects.js';
import { entryFacts } from '../verify/entry-facts.js';
import type { EpisodeHistory } from '../verify/history.js';
import { listLog, type RawEntry, readLog, readRaw } from '../verify/read-log.js';
import { LevelBook } from '../verify/report.js';
import { TreesLevel } from '../verify/trees-level.js';
import { glance, standsAt } from './glance.js';

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
  else {
    const entries = await changing(objects, commits, path);
    const raws = readAhead(entries, ({ commit, index }) => readRaw(objects, commit, index));
    for (const { episode, before } of entries) {
      const raw = await raws.next();
      const history = trees.histories.get(episode ?? '');
      if (history !== undefined && before !== null) history.tree = before;
      if (!raw.done) await take(raw.value);
    }
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
async function changing(
  objects: CheckedObjects,
  commits: readonly GitOid[],
  path: string,
): Promise<readonly Changing[]> {
  const look = async (commit: GitOid, index: number) => {
    try {
      const { episode, worktree } = await glance(objects, commit, index);
      if (episode === null || worktree === null) return null;
      return { commit, index, episode, worktree, stands: await standsAt(objects, worktree, path) };
    } catch (error) {
      if (!(error instanceof ObjectFault)) throw error;
      // What cannot be read here is left to the reading that explains it.
      return { commit, index };
    }
  };
  const found: Changing[] = [];
  const seen = new Map<string, { readonly tree: GitOid; readonly stands: string | null }>();
  for await (const entry of readAhead(commits, look)) {
    if (entry === null) continue;
    const { commit, index, episode, worktree, stands } = entry;
    const before = seen.get(episode ?? '');
    if (episode === undefined || before?.stands !== stands || before === undefined)
      found.push({ commit, index, episode: episode ?? null, before: before?.tree ?? null });
    if (episode !== undefined) seen.set(episode, { tree: worktree, stands });
  }
  return found;
}

function commitTime(body: Buffer | null): number {
  return Number(/^committer .* (\d+) [+-]\d{4}$/m.exec(body?.toString('latin1') ?? '')?.[1] ?? 0);
}
