import type { EntryIndex, EntryReader, LogEntry } from '../log/types.js';
import type { Link, WhyChain } from './chain.js';
import { effectLink } from './effect-link.js';
import { entryLink, inputLink, operatorLink, outputLink, planLink, recordLink, worldLink } from './links.js';
import { parseJson } from './parse-json.js';
import { invocationRecordSchema } from './record-schemas.js';
import { withRedactions } from './redacted-link.js';
import type { FoundEntry } from './target.js';

/**
 * Walks one entry from its world to its output and recomputes every hash on the way. A broken link is a finding, not
 * an error.
 */
export async function walk(reader: EntryReader, found: FoundEntry): Promise<WhyChain> {
  const entry = await reader.entry(found.index);
  const previous = found.index === 0 ? null : await reader.entry((found.index - 1) as EntryIndex);
  if (entry === null) {
    const links: Link[] = [{ name: 'entry', ok: false, detail: `entry ${found.index} cannot be read` }];
    return { entry: found.index, matchedBy: found.matchedBy, coordinator: false, links, ok: false };
  }
  const coordinator = entry.wire.header.writtenBy.startsWith('coordinator:');
  const start = [worldLink(entry), entryLink(entry, previous)];
  const links = [...start, ...(coordinator ? await callLinks(reader, entry, found.result) : [operatorLink(entry)])];
  const notes = [
    coordinator ? undefined : `${entry.wire.header.writtenBy} entry: an act of the operator, not a call`,
    found.note,
  ];
  const note = notes.filter((text) => text !== undefined).join('; ');
  return {
    entry: found.index,
    matchedBy: found.matchedBy,
    coordinator,
    ...(note === '' ? {} : { note }),
    links,
    ok: links.every((link) => link.ok),
  };
}

async function callLinks(reader: EntryReader, entry: LogEntry, result: Buffer | undefined): Promise<readonly Link[]> {
  const parsed = parseJson(entry.files.get('record.json'));
  const decoded = invocationRecordSchema.safeParse(parsed);
  if (!decoded.success)
    return [{ name: 'record', ok: false, detail: 'record.json is missing or not an invocation record' }];
  const record = decoded.data;
  const links = [
    recordLink(entry, record),
    inputLink(entry, record),
    planLink(entry, record),
    ...record.effects.map((ref, position) => effectLink(entry, ref, position + 1)),
    outputLink(entry, record, result),
  ];
  return withRedactions(links, entry, record, () => reader.redactions());
}
