import { git } from '../git/child.js';
import { openObjectReader } from '../git/reader.js';
import type { GitOid, Repository } from '../git/types.js';
import { readEntryAt } from '../log/read-entry.js';
import { type EntrySummary, summarize } from './entry-summary.js';
import { type Glance, glance } from './files/glance.js';
import { touching } from './files/touching.js';
import { readAhead } from './read-ahead.js';
import { type CheckedObjects, openCheckedObjects } from './verify/checked-objects.js';

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
  /** Calls that name the file or folder, and entries that changed it. */
  readonly path?: string | undefined;
}

export interface ListedEntry extends EntrySummary {
  /** Unix seconds. */
  readonly time: number;
}

interface Dated {
  readonly commit: GitOid;
  readonly index: number;
  /** Unix seconds. */
  readonly time: number;
}

/**
 * The entries up to `tip` that pass the filter, newest first unless `reverse`. An entry is read when its turn comes, as
 * a whole only when its record passes, and not at all outside the times (unless a path has to be followed there).
 * @throws WorldError `git-failed` when the history cannot be listed, `log-entry-malformed`, ObjectFault
 */
export async function* listEntries(
  repository: Repository,
  tip: GitOid,
  filter: EntryFilter,
  reverse: boolean,
): AsyncGenerator<ListedEntry> {
  const dated = await datedCommits(repository, tip);
  const times = new Map(dated.map(({ index, time }) => [index, time]));
  const reader = openObjectReader(repository);
  const objects = openCheckedObjects(repository);
  try {
    for await (const { commit, index } of candidates(objects, dated, filter, reverse)) {
      const summary = summarize(await readEntryAt(reader, commit, index));
      if (passes(summary, filter)) yield { ...summary, time: times.get(index) ?? 0 };
    }
  } finally {
    await Promise.all([reader.close(), objects.close()]);
  }
}

async function datedCommits(repository: Repository, tip: GitOid): Promise<readonly Dated[]> {
  const listed = await git(['rev-list', '--first-parent', '--timestamp', '--reverse', tip], {
    cwd: repository.commonDir,
    timeoutMs: 600_000,
    env: { GIT_NO_REPLACE_OBJECTS: '1', GIT_NO_LAZY_FETCH: '1' },
  });
  const lines = listed.stdout.toString('latin1').trimEnd().split('\n');
  return lines.map((line, index) => {
    const [time = '', commit = ''] = line.split(' ');
    return { commit: commit as GitOid, index, time: Number(time) };
  });
}

/** The entries whose time, episode, tool and path pass, in the order asked for. */
async function* candidates(
  objects: CheckedObjects,
  dated: readonly Dated[],
  filter: EntryFilter,
  reverse: boolean,
): AsyncGenerator<Dated | Glance> {
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, path } = filter;
  const newestFirst = dated.toReversed();
  const inTime = new Set(dated.filter(({ time }) => time >= since && time <= until));
  if (path === undefined) {
    const wanted = (reverse ? dated : newestFirst).filter((entry) => inTime.has(entry));
    if (filter.episode === undefined && filter.tool === undefined) yield* wanted;
    else for await (const entry of glances(objects, wanted)) if (isAbout(entry, filter)) yield entry;
    return;
  }
  const indices = new Set([...inTime].map(({ index }) => index));
  const oldest = Math.min(...indices);
  const found: Glance[] = [];
  for await (const entry of touching(objects, newestFirst, path, oldest)) {
    if (!indices.has(entry.index) || !isAbout(entry, filter)) continue;
    if (reverse) found.push(entry);
    else yield entry;
  }
  yield* found.reverse();
}

const glances = (objects: CheckedObjects, entries: readonly Dated[]): AsyncGenerator<Glance> =>
  readAhead(entries, ({ commit, index }) => glance(objects, commit, index));

function isAbout(topic: Glance, { episode, tool }: EntryFilter): boolean {
  return (episode === undefined || topic.episode === episode) && (tool === undefined || topic.what === tool);
}

function passes(summary: EntrySummary, { effect, status }: EntryFilter): boolean {
  if (effect !== undefined && !summary.effects.some((one) => one.effect === effect)) return false;
  return status === undefined || summary.status === status || summary.status.startsWith(`${status}:`);
}
