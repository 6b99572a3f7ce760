import { WorldError } from '../errors.js';
import type { EntryIndex, EntryReader, LogEntry } from '../log/types.js';
import { parseJson } from './parse-json.js';
import { invocationRecordSchema } from './record-schemas.js';

/** What one `World-Provenance` trailer says (log format section 7). */
export interface ProvenanceTrailer {
  readonly store: string;
  readonly world: string;
  readonly episode: string;
  readonly first: number;
  readonly last: number;
  /** entryHash of the last entry. */
  readonly head: string;
  /** Git id of the worktree snapshot of the last entry. */
  readonly tree: string;
}

export interface TrailerRange {
  /** First entry looked at; by default the newest `scan`. */
  readonly since?: number;
  /** At most this many entries are looked at. */
  readonly scan: number;
  /** Only this episode. */
  readonly episode?: string;
}

/**
 * One trailer per episode with calls in the range, in order of first appearance.
 * @throws WorldError `not-found` when there is none
 */
export async function collectTrailers(reader: EntryReader, range: TrailerRange): Promise<readonly ProvenanceTrailer[]> {
  const first = Math.max(range.since ?? 0, reader.head.index - range.scan + 1, 0);
  const spans = new Map<string, { first: number; last: LogEntry; tree: string }>();
  for (let index = first; index <= reader.head.index; index += 1) {
    const entry = await reader.entry(index as EntryIndex);
    const record = invocationRecordSchema.safeParse(parseJson(entry?.files.get('record.json')));
    if (entry === null || !record.success || entry.worktree === null) continue;
    const { episodeId } = record.data;
    if (range.episode !== undefined && range.episode !== episodeId) continue;
    spans.set(episodeId, { first: spans.get(episodeId)?.first ?? index, last: entry, tree: entry.worktree });
  }
  if (spans.size === 0)
    throw new WorldError(
      'not-found',
      `no calls${range.episode === undefined ? '' : ` of episode ${range.episode}`} in entries ${first} to ${reader.head.index}`,
      {
        hint: 'widen the range with --since <entry> or --scan <n>',
      },
    );
  return [...spans].map(([episode, span]) => ({
    store: 'refs/world/log',
    world: reader.worldId,
    episode,
    first: span.first,
    last: span.last.index,
    head: span.last.entryHash,
    tree: span.tree,
  }));
}

/** The trailer's one line, keys in the fixed order. */
export function formatTrailer(trailer: ProvenanceTrailer): string {
  const values = [
    ['store', trailer.store],
    ['world', trailer.world],
    ['episode', trailer.episode],
    ['entries', `${trailer.first}-${trailer.last}`],
    ['head', trailer.head],
    ['tree', trailer.tree],
  ];
  return `World-Provenance: ${values.map(([name, value]) => `${name}=${encodeValue(value ?? '')}`).join(' ')}`;
}

/** A blank would end the value, a percent sign begin an escape, a control character end the line. */
function encodeValue(value: string): string {
  return value.replace(/[%\s\p{Cc}]/gu, (character) =>
    [...Buffer.from(character, 'utf8')].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}
