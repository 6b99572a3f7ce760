import { decodeOperatorRecord } from './operator-record.js';
import { decodeEffectRecord, decodeInvocationRecord } from './records.js';
import type { EffectRecord, InvocationRecord, LogEntry, OperatorAct } from './types.js';

/** What an entry says, apart from its place in the chain. */
export type EntryFacts =
  | { readonly kind: 'invocation'; readonly record: InvocationRecord; readonly effects: readonly EffectRecord[] }
  | { readonly kind: 'operator'; readonly act: OperatorAct };

/** @throws WorldError `record-malformed`, `record-inconsistent` */
export function entryFacts(entry: LogEntry): EntryFacts {
  const act = entry.files.get('operator.json');
  if (act !== undefined) return { kind: 'operator', act: decodeOperatorRecord(act) };
  const effects: EffectRecord[] = [];
  for (const [path, bytes] of entry.files) {
    if (/^effects\/[^/]+\/record\.json$/.test(path)) effects.push(decodeEffectRecord(bytes));
  }
  return {
    kind: 'invocation',
    record: decodeInvocationRecord(entry.files.get('record.json') ?? Buffer.alloc(0)),
    effects,
  };
}
