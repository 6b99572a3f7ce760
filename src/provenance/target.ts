import { WorldError } from '../errors.js';
import type { EntryIndex, EntryReader, JsonValue, Sha256Ref } from '../log/types.js';
import { refOf } from './digest.js';

/** The entry a `why` is about, and how it was found. */
export interface FoundEntry {
  readonly index: EntryIndex;
  /** `index`, `head`, `output`, `plan`, `invocation id`, or the file that carries the ref. */
  readonly matchedBy: string;
  /** Result bytes given by the caller, to be compared with the committed output. */
  readonly result?: Buffer;
  readonly note?: string;
}

const REF = /^sha256:[0-9a-f]{64}$/;
const INVOCATION = /^(?:a2a|mcp|rest):/;

/**
 * Finds the entry for an index, `head`, any `sha256:` ref or an invocation id.
 * @throws WorldError `why-target` when the text is none of these, `not-found` when the log has no such thing
 */
export async function findTarget(reader: EntryReader, target: string): Promise<FoundEntry> {
  if (target === 'head') return { index: reader.head.index, matchedBy: 'head' };
  if (/^\d{1,15}$/.test(target)) {
    const index = Number(target) as EntryIndex;
    if (index > reader.head.index) throw notFound(`entry ${target}`, reader);
    return { index, matchedBy: 'index' };
  }
  if (REF.test(target)) return findRef(reader, target as Sha256Ref);
  if (INVOCATION.test(target)) {
    const index = await reader.invocation(target);
    if (index === null) throw notFound(`invocation ${target}`, reader);
    return { index, matchedBy: 'invocation id' };
  }
  throw new WorldError('why-target', `"${target}" names no entry`, {
    hint: 'give an index, head, a sha256: ref, an invocation id (a2a:…, mcp:…), a file (path or path:line), a full commit id, or - with a result on stdin',
  });
}

/**
 * Finds the entry that committed these result bytes (what `call --json-out` printed, its last newline included or
 * not); when none did, the newest entry with the plan the result names.
 * @throws WorldError `not-found`
 */
export async function findResult(reader: EntryReader, bytes: Buffer): Promise<FoundEntry> {
  const result = bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes;
  const exact = await newest(reader, refOf(result));
  if (exact !== undefined) return { ...exact, matchedBy: 'output', result };
  const plan = planOf(result);
  const planned = plan === undefined ? undefined : await newest(reader, plan);
  if (planned === undefined) throw notFound('that result', reader);
  return { ...planned, matchedBy: 'plan', result };
}

async function findRef(reader: EntryReader, ref: Sha256Ref): Promise<FoundEntry> {
  const found = await newest(reader, ref);
  if (found !== undefined) return found;
  const gone = (await reader.redactions()).find((each) => each.ref === ref);
  if (gone !== undefined) return { index: gone.entry as EntryIndex, matchedBy: `${gone.path}, which was redacted` };
  throw notFound(ref, reader);
}

async function newest(reader: EntryReader, ref: Sha256Ref): Promise<FoundEntry | undefined> {
  const { entries, locations } = await reader.find(ref);
  for await (const { index, path } of locations) {
    const others = entries - 1;
    const note = `${others} earlier entr${others === 1 ? 'y holds' : 'ies hold'} the same bytes`;
    return { index, matchedBy: path, ...(others === 0 ? {} : { note }) };
  }
  return undefined;
}

function planOf(result: Buffer): Sha256Ref | undefined {
  try {
    const parsed = JSON.parse(result.toString('utf8')) as { world?: { plan?: JsonValue } } | null;
    const plan = parsed?.world?.plan;
    return typeof plan === 'string' && REF.test(plan) ? (plan as Sha256Ref) : undefined;
  } catch {
    return undefined;
  }
}

function notFound(what: string, reader: EntryReader): WorldError {
  return new WorldError('not-found', `${what} not found in the log (entries 0 to ${reader.head.index})`);
}
