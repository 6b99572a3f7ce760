import { WorldError } from '../../errors.js';
import type { GitOid } from '../../git/types.js';
import type { EntryIndex, EntryReader } from '../../log/types.js';
import { summarize } from '../entry-summary.js';

/** The files of an episode after one entry. */
export interface SnapshotAt {
  readonly index: number;
  readonly episode: string;
  readonly tree: GitOid;
}

/** @throws WorldError `no-files` for an act without files, such as genesis or a mint */
export async function snapshotAt(reader: EntryReader, index: number): Promise<SnapshotAt> {
  const entry = await reader.entry(index as EntryIndex);
  const summary = entry === null ? null : summarize(entry);
  if (entry === null || summary === null || entry.worktree === null || summary.episode === null)
    throw new WorldError('no-files', `entry ${index} holds no files: it is ${summary?.what ?? 'unreadable'}`, {
      hint: 'name the entry of a call; ailang-worldd log list shows them',
    });
  return { index, episode: summary.episode, tree: entry.worktree };
}

/** The files of the same episode before the entry; null where the episode began. Reads back to the entry before only. */
export async function snapshotBefore(reader: EntryReader, { index, episode }: SnapshotAt): Promise<SnapshotAt | null> {
  for (let at = index - 1; at > 0; at -= 1) {
    const entry = await reader.entry(at as EntryIndex);
    if (entry !== null && entry.worktree !== null && summarize(entry).episode === episode)
      return { index: at, episode, tree: entry.worktree };
  }
  return null;
}
