import { WorldError } from '../../errors.js';
import type { CheckedObjects } from '../verify/checked-objects.js';
import type { EpisodeHistory, Origin } from '../verify/history.js';
import { isBinary } from '../verify/line-diff.js';
import { textOf } from '../verify/line-origins.js';
import { type Leaf, leafAt } from '../verify/tree-paths.js';
import { followLines } from './follow-lines.js';
import type { FileHistories } from './histories.js';

/** A line with its end, as latin1 text (one character per byte), and what wrote it. */
export interface BlamedLine {
  readonly text: string;
  readonly origin: Origin;
}

/**
 * The lines of a file as they stood after the entry `upTo` of its episode.
 * @throws WorldError `not-found` when there is no such file then, `blame-binary`
 */
export async function blame(
  objects: CheckedObjects,
  history: EpisodeHistory,
  path: string,
  upTo: number,
): Promise<readonly BlamedLine[]> {
  let leaf: Leaf | null = await leafAt(objects, history.base, path);
  let lines = await textOf(objects, leaf);
  let origins: readonly Origin[] = lines.map(() => ({ by: 'base' }));
  for (const version of history.versions.get(path) ?? []) {
    if (version.entry > upTo) break;
    ({ leaf } = version);
    const now = await textOf(objects, leaf);
    origins = followLines(lines, origins, now, version.origin);
    lines = now;
  }
  if (leaf === null) throw new WorldError('not-found', `episode ${history.episode} has no file ${path} then`);
  if (leaf.mode === '160000' || isBinary(await objects.read(leaf.oid, 'blob')))
    throw new WorldError(
      'blame-binary',
      `${path} has no lines: it is ${leaf.mode === '160000' ? 'a submodule' : 'binary'}`,
    );
  return lines.map((text, at) => ({ text, origin: origins[at] ?? { by: 'base' } }));
}

/**
 * The episode a path is asked about: the one named, else the one that changed the path last, else the newest.
 * @throws WorldError `episode-unknown`, `not-found` when no episode was opened
 */
export function episodeFor({ episodes }: FileHistories, path: string, named: string | undefined): EpisodeHistory {
  if (named !== undefined) {
    const history = episodes.get(named);
    if (history !== undefined) return history;
    throw new WorldError('episode-unknown', `episode ${named} does not exist`, {
      hint: 'ailang-worldd episode list shows them',
    });
  }
  const changedAt = (history: EpisodeHistory): number => history.versions.get(path)?.at(-1)?.entry ?? -1;
  const [newest] = [...episodes.values()].sort((a, b) => changedAt(b) - changedAt(a) || b.opened - a.opened);
  if (newest === undefined) throw new WorldError('not-found', 'the log has no episode, so no files');
  return newest;
}
