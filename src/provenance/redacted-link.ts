import { WorldError } from '../errors.js';
import { decodeMarker, markerPath } from '../log/redaction.js';
import type { LogEntry, RedactionAct } from '../log/types.js';
import type { Link } from './chain.js';
import { fileRef } from './links.js';
import { parseJson } from './parse-json.js';
import { effectRecordSchema, type ReadInvocationRecord } from './record-schemas.js';

/**
 * Puts links for redacted payloads in the place of those that cannot be checked: such a link holds when the marker
 * names the ref the chain names, and a `redact` act of this log says the same.
 */
export async function withRedactions(
  links: readonly Link[],
  entry: LogEntry,
  record: ReadInvocationRecord,
  acts: () => Promise<readonly RedactionAct[]>,
): Promise<readonly Link[]> {
  const marked = [...entry.files.keys()].some((path) => path.endsWith('.redacted'));
  if (!marked) return links;
  const known = await acts();
  let ordinal = 0;
  return links.map((link) => {
    if (link.name === 'effect') ordinal += 1;
    const named = payloadsOf(link, entry, record, ordinal);
    const gone = named.filter(([path]) => entry.files.has(markerPath(path)));
    return gone.length === 0 ? link : redactedLink(link, entry, gone, known);
  });
}

/** The payloads a link is about, with the ref the chain names for each. */
function payloadsOf(
  link: Link,
  entry: LogEntry,
  record: ReadInvocationRecord,
  ordinal: number,
): readonly (readonly [path: string, ref: string])[] {
  switch (link.name) {
    case 'input':
      return [['input.json', record.input]];
    case 'plan':
      return [['plan.json', record.plan]];
    case 'output':
      return [['output.json', record.output]];
    case 'effect': {
      const folder = `effects/e${ordinal}`;
      const effect = effectRecordSchema.safeParse(parseJson(entry.files.get(`${folder}/record.json`))).data;
      if (effect === undefined || fileRef(entry, `${folder}/record.json`) !== link.ref) return [];
      return [
        [`${folder}/request`, effect.requestRef],
        [`${folder}/result.json`, effect.resultRef],
      ];
    }
    default:
      return [];
  }
}

function redactedLink(
  link: Link,
  entry: LogEntry,
  gone: readonly (readonly [path: string, ref: string])[],
  acts: readonly RedactionAct[],
): Link {
  const problems: string[] = [];
  const said: string[] = [];
  for (const [path, ref] of gone) {
    const marker = readMarker(entry, path);
    const act = acts.find((each) => each.entry === entry.index && each.path === path && each.ref === ref);
    if (marker === null || marker.ref !== ref || marker.entry !== entry.index || marker.path !== path)
      problems.push(`the marker of ${path} names something else`);
    else if (act === undefined) problems.push(`${path} was taken out and no entry says so`);
    else said.push(`${path} (${marker.bytes} B) redacted by entry ${act.by}: ${act.reason}`);
  }
  if (problems.length > 0) return { ...link, ok: false, detail: [...problems, ...said].join('; ') };
  return { ...link, ok: true, redacted: true, detail: said.join('; ') };
}

function readMarker(entry: LogEntry, path: string) {
  try {
    return decodeMarker(entry.files.get(markerPath(path)) ?? Buffer.alloc(0));
  } catch (error) {
    if (error instanceof WorldError) return null;
    throw error;
  }
}
