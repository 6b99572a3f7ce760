import { git } from '../git/child.js';
import type { GitOid, Repository } from '../git/types.js';
import type { EntryIndex, LogReader } from '../log/types.js';
import { type EntrySummary, summarize } from './entry-summary.js';

/** What entries to list; an absent field admits all. */
export interface EntryFilter {
  readonly episode?: string | undefined;
  /** Tool of a call, or act of the operator. */
  readonly tool?: string | undefined;
  readonly effect?: string | undefined;
  /** `ok`, `refused`, `failed`, a denial such as `denied:budget`, or `denied` for any of them. */
  readonly status?: string | undefined;
  /** Unix seconds, both ends included. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Calls that name the path, and entries that changed it. */
  readonly path?: { readonly name: string; readonly changedBy: ReadonlySet<number> } | undefined;
}

export interface ListedEntry extends EntrySummary {
  /** Unix seconds. */
  readonly time: number;
}

/**
 * The entries up to `tip` that pass the filter, newest first unless `reverse`. Reads an entry only when its
 * turn comes, and none outside the times.
 * @throws WorldError `git-failed` when the history cannot be listed
 */
export async function* listEntries(
  repository: Repository,
  reader: LogReader,
  tip: GitOid,
  filter: EntryFilter,
  reverse: boolean,
): AsyncGenerator<ListedEntry> {
  const listed = await git(['rev-list', '--first-parent', '--timestamp', '--reverse', tip], {
    cwd: repository.commonDir,
    timeoutMs: 600_000,
    env: { GIT_NO_REPLACE_OBJECTS: '1', GIT_NO_LAZY_FETCH: '1' },
  });
  const times = listed.stdout
    .toString('latin1')
    .trimEnd()
    .split('\n')
    .map((line) => Number(line.split(' ')[0]));
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = filter;
  const indices = [...times.keys()].filter((index) => {
    const time = times[index] ?? 0;
    return time >= since && time <= until;
  });
  if (!reverse) indices.reverse();
  for (const index of indices) {
    const entry = await reader.entry(index as EntryIndex);
    if (entry === null) continue;
    const summary = summarize(entry);
    if (passes(summary, filter)) yield { ...summary, time: times[index] ?? 0 };
  }
}

function passes(summary: EntrySummary, { episode, tool, effect, status, path }: EntryFilter): boolean {
  if (episode !== undefined && summary.episode !== episode) return false;
  if (tool !== undefined && summary.what !== tool) return false;
  if (effect !== undefined && !summary.effects.some((one) => one.effect === effect)) return false;
  if (status !== undefined && summary.status !== status && !summary.status.startsWith(`${status}:`)) return false;
  return path === undefined || summary.path === path.name || path.changedBy.has(summary.index);
}
