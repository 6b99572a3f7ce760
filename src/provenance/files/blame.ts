import { WorldError } from '../../errors.js';
import { readAhead } from '../read-ahead.js';
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
  const versions = (history.versions.get(path) ?? []).filter(({ entry }) => entry <= upTo);
  const texts = readAhead(versions, async (version) => ({ version, now: await textOf(objects, version.leaf) }));
  for await (const { version, now } of texts) {
    ({ leaf } = version);
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
 * The episode a path is asked about: the one named, else of those open by the entry `upTo` the one that had changed the
 * path last then, else the newest.
 * @throws WorldError `episode-unknown`, `not-found` when no episode was opened
 */
export function episodeFor(
  { episodes }: FileHistories,
  path: string,
  named: string | undefined,
  upTo: number,
): EpisodeHistory {
  if (named !== undefined) {
    const history = episodes.get(named);
    if (history !== undefined) return history;
    throw new WorldError('episode-unknown', `episode ${named} does not exist`, {
      hint: 'ailang-worldd episode list shows them',
    });
  }
  const changedAt = ({ versions }: EpisodeHistory): number =>
    versions.get(path)?.findLast(({ entry }) => entry <= upTo)?.entry ?? -1;
  const [newest] = [...episodes.values()]
    .filter(({ opened }) => opened <= upTo)
    .sort((a, b) => changedAt(b) - changedAt(a) || b.opened - a.opened);
  if (newest === undefined) throw new WorldError('not-found', 'the log has no episode then, so no files');
  return newest;
}
