import type { GitOid } from '../../git/types.js';
import type { CheckedObjects } from './checked-objects.js';
import type { EpisodeHistory, Origin } from './history.js';
import { alignLines, isBinary, linesOf } from './line-diff.js';
import { type Leaf, leafAt } from './tree-paths.js';

const BASE: Origin = { by: 'base' };

/** The lines of a path at some entry, each with where it came from. */
export interface LabelledLines {
  readonly leaf: Leaf | null;
  readonly lines: readonly string[];
  /** Origin of each line. */
  readonly origins: readonly Origin[];
  /** The line of `base` that each line still is; -1 for those that came later. */
  readonly fromBase: readonly number[];
  /** Lines the path had when the episode was opened. */
  readonly base: readonly string[];
  /** What removed each of those lines; null while it is still there. */
  readonly removedBy: readonly (Origin | null)[];
  /** Origin of the whole as it stands. */
  readonly origin: Origin;
  /** Origin of its mode. */
  readonly modeOrigin: Origin;
}

/**
 * Follows a path through the episode: at the entry `upTo`, and at every earlier entry where it had the bytes `equalTo`.
 * @throws ObjectFault
 */
export async function labelledLines(
  objects: CheckedObjects,
  history: EpisodeHistory,
  path: string,
  upTo: number,
  equalTo: GitOid | null,
): Promise<readonly LabelledLines[]> {
  const first = await leafAt(objects, history.base, path);
  const base = await textOf(objects, first);
  const removedBy: (Origin | null)[] = base.map(() => null);
  let leaf = first;
  let lines = base;
  let labels: readonly { readonly origin: Origin; readonly base: number }[] = base.map((_, at) => ({
    origin: BASE,
    base: at,
  }));
  let origin = BASE;
  let modeOrigin = BASE;
  const found: LabelledLines[] = [];
  const keep = (): void => {
    const origins = labels.map((label) => label.origin);
    const fromBase = labels.map((label) => label.base);
    found.push({ leaf, lines, origins, fromBase, base, removedBy: [...removedBy], origin, modeOrigin });
  };
  for (const version of history.versions.get(path) ?? []) {
    if (version.entry > upTo) break;
    if (equalTo !== null && leaf?.oid === equalTo) keep();
    const now = await textOf(objects, version.leaf);
    const continued = alignLines(lines, now);
    const kept = new Set(continued);
    for (const [at, label] of labels.entries())
      if (!kept.has(at) && label.base >= 0) removedBy[label.base] = version.origin;
    const old = labels;
    labels = now.map((_, at) => old[continued[at] ?? -1] ?? { origin: version.origin, base: -1 });
    if (version.leaf?.mode !== leaf?.mode) modeOrigin = version.origin;
    ({ leaf, origin } = version);
    lines = now;
  }
  keep();
  return found.reverse();
}

/** Lines of a text; none for what is binary, a submodule or absent. */
export async function textOf(objects: CheckedObjects, leaf: Leaf | null): Promise<readonly string[]> {
  if (leaf === null || leaf.mode === '160000') return [];
  const bytes = await objects.read(leaf.oid, 'blob');
  return isBinary(bytes) ? [] : linesOf(bytes);
}
