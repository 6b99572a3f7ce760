import { sha256Ref } from '../log/hash.js';
import { encodeEffectRecord } from '../log/records.js';
import type { EffectRecord, JsonObject, Sha256Ref } from '../log/types.js';

export function effectRecordRef(record: EffectRecord): Sha256Ref {
  return sha256Ref(encodeEffectRecord(record));
}

/** The `world` member of every output: which plan, and what became of its effects. */
export function worldMember(
  plan: Sha256Ref,
  effects: readonly { readonly id: string; readonly status: 'ok' | 'denied' | 'failed'; readonly record: Sha256Ref }[],
): JsonObject {
  return { effects: effects.map((effect) => ({ ...effect })), plan };
}
