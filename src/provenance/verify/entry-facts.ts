import { WorldError } from '../../errors.js';
import { decodeOperatorRecord } from '../../log/operator-record.js';
import { decodeEffectRecord, decodeEntry, decodeInvocationRecord, decodeWorld } from '../../log/records.js';
import { decodeMarker, redactedPath } from '../../log/redaction.js';
import { decodeRequest, type EffectRequest } from '../../log/request-framing.js';
import type { EffectRecord, EntryWire, InvocationRecord, OperatorAct, Redaction, World } from '../../log/types.js';
import { parseJson } from '../parse-json.js';
import { planSchema } from '../record-schemas.js';
import type { RawEntry } from './read-log.js';

/** One effect of a call, with the id its plan gave it. */
export interface EffectFacts {
  readonly id: string;
  readonly record: EffectRecord;
  /** Without its payload when that was taken out. */
  readonly request: EffectRequest;
  /** Request or result were taken out, so what the effect did to files cannot be told. */
  readonly opaque: boolean;
}

export type Body =
  | { readonly kind: 'call'; readonly record: InvocationRecord; readonly effects: readonly EffectFacts[] }
  | { readonly kind: 'act'; readonly act: OperatorAct };

/** What an entry says, parsed strictly; parts that do not parse are null and named in `malformed`. */
export interface EntryFacts {
  readonly raw: RawEntry;
  readonly wire: EntryWire | null;
  readonly world: World | null;
  readonly body: Body | null;
  /** Markers of payloads that were taken out, by the payload's path. */
  readonly redacted: ReadonlyMap<string, Redaction>;
  /** Path and reason of every file that is not what its name promises. */
  readonly malformed: readonly { readonly path: string; readonly why: string }[];
}

export function entryFacts(raw: RawEntry): EntryFacts {
  const malformed: { path: string; why: string }[] = [];
  const redacted = new Map<string, Redaction>();
  const decoded = <Value>(path: string, decode: (bytes: Buffer) => Value): Value | null => {
    const bytes = raw.files.get(path);
    try {
      if (bytes === undefined) throw new WorldError('absent', 'the file is absent');
      return decode(bytes);
    } catch (error) {
      if (!(error instanceof WorldError)) throw error;
      malformed.push({ path, why: error.message });
      return null;
    }
  };
  for (const path of raw.files.keys()) {
    const payload = redactedPath(path);
    const marker = payload === null || raw.files.has(payload) ? null : decoded(path, decodeMarker);
    if (payload !== null && marker !== null) redacted.set(payload, marker);
  }
  const wire = decoded('entry.json', decodeEntry);
  const world = decoded('world.json', decodeWorld);
  const body = (): Body | null => {
    if (raw.files.has('operator.json')) {
      const act = decoded('operator.json', decodeOperatorRecord);
      return act === null ? null : { kind: 'act', act };
    }
    const record = decoded('record.json', decodeInvocationRecord);
    const effects: EffectFacts[] = [];
    for (const { id } of plannedEffects({ raw, redacted })) {
      const folder = `effects/${id}`;
      const effect = decoded(`${folder}/record.json`, decodeEffectRecord);
      const gone = redacted.get(`${folder}/request`)?.kept;
      const request =
        gone != null && 'now' in gone
          ? { ...gone, payload: Buffer.alloc(0) }
          : decoded(`${folder}/request`, decodeRequest);
      const opaque = redacted.has(`${folder}/request`) || redacted.has(`${folder}/result.json`);
      if (effect !== null && request !== null) effects.push({ id, record: effect, request, opaque });
    }
    return record === null ? null : { kind: 'call', record, effects };
  };
  return { raw, wire, world, body: body(), redacted, malformed };
}

/** The effects of the plan; of one that was taken out, as its marker has them. */
export function plannedEffects({
  raw,
  redacted,
}: Pick<EntryFacts, 'raw' | 'redacted'>): readonly { readonly id: string; readonly payload?: unknown }[] {
  const kept = redacted.get('plan.json')?.kept;
  if (kept != null && 'effects' in kept) return kept.effects;
  return planSchema.safeParse(parseJson(raw.files.get('plan.json'))).data?.effects ?? [];
}
