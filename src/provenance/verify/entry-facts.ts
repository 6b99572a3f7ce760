import { WorldError } from '../../errors.js';
import { decodeOperatorRecord } from '../../log/operator-record.js';
import { decodeEffectRecord, decodeEntry, decodeInvocationRecord, decodeWorld } from '../../log/records.js';
import { decodeRequest, type EffectRequest } from '../../log/request-framing.js';
import type { EffectRecord, EntryWire, InvocationRecord, OperatorAct, World } from '../../log/types.js';
import { parseJson } from '../parse-json.js';
import { planSchema } from '../record-schemas.js';
import type { RawEntry } from './read-log.js';

/** One effect of a call, with the id its plan gave it. */
export interface EffectFacts {
  readonly id: string;
  readonly record: EffectRecord;
  readonly request: EffectRequest;
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
  /** Path and reason of every file that is not what its name promises. */
  readonly malformed: readonly { readonly path: string; readonly why: string }[];
}

export function entryFacts(raw: RawEntry): EntryFacts {
  const malformed: { path: string; why: string }[] = [];
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
  const wire = decoded('entry.json', decodeEntry);
  const world = decoded('world.json', decodeWorld);
  const body = (): Body | null => {
    if (raw.files.has('operator.json')) {
      const act = decoded('operator.json', decodeOperatorRecord);
      return act === null ? null : { kind: 'act', act };
    }
    const record = decoded('record.json', decodeInvocationRecord);
    const effects: EffectFacts[] = [];
    for (const { id } of planSchema.safeParse(parseJson(raw.files.get('plan.json'))).data?.effects ?? []) {
      const effect = decoded(`effects/${id}/record.json`, decodeEffectRecord);
      const request = decoded(`effects/${id}/request`, decodeRequest);
      if (effect !== null && request !== null) effects.push({ id, record: effect, request });
    }
    return record === null ? null : { kind: 'call', record, effects };
  };
  return { raw, wire, world, body: body(), malformed };
}
