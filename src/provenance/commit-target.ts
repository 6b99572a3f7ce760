import { WorldError } from '../errors.js';
import { openObjectReader } from '../git/reader.js';
import type { GitOid, Repository } from '../git/types.js';
import type { EntryIndex, EntryReader } from '../log/types.js';
import { parseJson } from './parse-json.js';
import type { FoundEntry } from './target.js';
import { findTrailers } from './verify/trailer-text.js';

interface WireStart {
  readonly header?: { readonly entryIndex?: unknown };
}

/**
 * Finds the entry of a git commit: the entry it is, or the last one that its World-Provenance trailer names.
 * @throws WorldError `not-found`
 */
export async function findCommitTarget(repository: Repository, reader: EntryReader, oid: GitOid): Promise<FoundEntry> {
  const objects = openObjectReader(repository);
  try {
    const found = await objects.read(oid);
    if (found?.type !== 'commit') throw new WorldError('not-found', `commit ${oid} is not in the repository`);
    const text = found.body.toString();
    const own = parseJson((await objects.read(`${oid}:entry.json`))?.body) as WireStart | undefined;
    const index = own?.header?.entryIndex;
    const entry = typeof index === 'number' ? await reader.entry(index as EntryIndex) : null;
    if (entry?.commit === oid) return { index: entry.index, matchedBy: 'commit' };
    const trailers = findTrailers(text, oid).flatMap((each) => (each.ok ? [each.trailer] : []));
    const trailer = trailers.find(({ world }) => world === reader.worldId);
    if (trailer !== undefined && trailer.last <= reader.head.index)
      return { index: trailer.last as EntryIndex, matchedBy: 'trailer of the commit' };
    throw new WorldError('not-found', `commit ${oid} is no entry of this log and names none of its entries`);
  } finally {
    await objects.close();
  }
}
