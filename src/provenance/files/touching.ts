import type { GitOid } from '../../git/types.js';
import { parseJson } from '../parse-json.js';
import { readAhead } from '../read-ahead.js';
import type { CheckedObjects } from '../verify/checked-objects.js';
import { type Glance, glance, standsAt } from './glance.js';

interface Waiting {
  readonly entry: Glance;
  readonly stands: string | null;
  /** Null until the entry before it in its episode is seen. */
  touches: boolean | null;
}

/**
 * Of entries that come newest first, those that name a file or folder in their arguments or changed it: had something
 * else there than the entry before them in the same episode. Ends as soon as all from `oldest` on are known.
 * @throws ObjectFault
 */
export async function* touching(
  objects: CheckedObjects,
  newestFirst: readonly { readonly commit: GitOid; readonly index: number }[],
  path: string,
  oldest: number,
): AsyncGenerator<Glance> {
  const queue: Waiting[] = [];
  const newer = new Map<string, Waiting>();
  const look = async ({ commit, index }: { readonly commit: GitOid; readonly index: number }): Promise<Waiting> => {
    const entry = await glance(objects, commit, index);
    const stands = entry.worktree === null ? null : await standsAt(objects, entry.worktree, path);
    return { entry, stands, touches: (await names(objects, entry, path)) ? true : null };
  };
  for await (const item of readAhead(newestFirst, look)) {
    const { entry, stands } = item;
    const { episode, worktree } = entry;
    if (entry.index < oldest && queue.length === 0) return;
    if (worktree !== null && episode !== null) {
      const after = newer.get(episode);
      if (after !== undefined) after.touches ??= after.stands !== stands;
      newer.set(episode, item);
      if (entry.what === 'episode-open') item.touches ??= false;
    } else item.touches ??= false;
    // Older than all that is asked for: it only settles the newer ones.
    if (entry.index >= oldest) queue.push(item);
    while (queue[0] !== undefined && queue[0].touches !== null) {
      const settled = queue.shift();
      if (settled?.touches) yield settled.entry;
    }
  }
  for (const { entry, touches } of queue) if (touches) yield entry;
}

async function names(objects: CheckedObjects, { call, root }: Glance, path: string): Promise<boolean> {
  const input = call ? root.find(({ name }) => name === 'input.json') : undefined;
  if (input === undefined) return false;
  const named = (parseJson(await objects.read(input.oid, 'blob')) as { readonly path?: unknown } | undefined)?.path;
  return typeof named === 'string' && (named === path || named.startsWith(`${path.replace(/\/$/, '')}/`));
}
