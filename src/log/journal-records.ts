import { makeObject } from '../git/objects.js';
import type { GitObject, GitOid, ObjectFormat, ObjectType } from '../git/types.js';
import { encodeCanonical } from './canonical-json.js';
import type { JournalRecord } from './journal-frame.js';
import { intentSchema } from './operator-record.js';
import { parseRecord } from './records.js';
import type { EffectIntent, JsonObject } from './types.js';

const types: readonly ObjectType[] = ['blob', 'tree', 'commit'];

/** An entry as the journal keeps it: every git object of it, the commit last. */
export function entryRecord(objects: readonly GitObject[]): JournalRecord {
  const parts: Buffer[] = [];
  for (const { type, body } of objects) {
    const head = Buffer.alloc(5);
    head.writeUInt8(types.indexOf(type));
    head.writeUInt32BE(body.length, 1);
    parts.push(head, body);
  }
  return { kind: 'entry', body: Buffer.concat(parts) };
}

export function decodeEntryRecord(format: ObjectFormat, body: Buffer): readonly GitObject[] {
  const objects: GitObject[] = [];
  for (let at = 0; at < body.length; ) {
    const end = at + 5 + body.readUInt32BE(at + 1);
    objects.push(makeObject(format, types[body.readUInt8(at)] ?? 'blob', body.subarray(at + 5, end)));
    at = end;
  }
  return objects;
}

export function intentRecord(intent: EffectIntent): JournalRecord {
  return { kind: 'intent', body: encodeCanonical({ ...intent } as unknown as JsonObject) };
}

export function decodeIntentRecord(body: Buffer): EffectIntent {
  return parseRecord('journal intent', body, intentSchema);
}

/** The commit the ref pointed at; everything after it in the journal follows it in the chain. */
export function tipRecord(commit: GitOid | null): JournalRecord {
  return { kind: 'tip', body: Buffer.from(commit ?? '') };
}

export function decodeTipRecord(body: Buffer): GitOid | null {
  return body.length === 0 ? null : (body.toString('latin1') as GitOid);
}
