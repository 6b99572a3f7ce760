import { createHash } from 'node:crypto';

/** One group of records as the journal holds it: whole, or not at all. */
export interface Frame {
  /** Counts up with every turn-over of the journal. */
  readonly generation: number;
  /** Random, so that bytes left from elsewhere never pass for a frame of this generation. */
  readonly salt: Buffer;
  /** 0 for the first frame of a generation, then without gaps. */
  readonly sequence: number;
  readonly records: readonly JournalRecord[];
}

/** `tip`, `intent`: JSON. `entry`: the entry's git objects. */
export type RecordKind = 'tip' | 'intent' | 'entry';
export interface JournalRecord {
  readonly kind: RecordKind;
  readonly body: Buffer;
}

export const frameMagic = Buffer.from('AWJ1');
export const saltBytes = 8;
/** magic 4, generation 6, salt 8, sequence 4, length 4, SHA-256 32. */
export const frameHeaderBytes = 58;
const checksumAt = 26;
const kinds: readonly RecordKind[] = ['tip', 'intent', 'entry'];

export function frameBytes(records: readonly JournalRecord[]): number {
  return records.reduce((sum, record) => sum + 5 + record.body.length, frameHeaderBytes);
}

export function encodeFrame(frame: Frame): Buffer {
  const bytes = Buffer.allocUnsafe(frameBytes(frame.records));
  frameMagic.copy(bytes, 0);
  bytes.writeUIntBE(frame.generation, 4, 6);
  frame.salt.copy(bytes, 10);
  bytes.writeUInt32BE(frame.sequence, 18);
  bytes.writeUInt32BE(bytes.length - frameHeaderBytes, 22);
  let at = frameHeaderBytes;
  for (const { kind, body } of frame.records) {
    bytes.writeUInt8(kinds.indexOf(kind), at);
    bytes.writeUInt32BE(body.length, at + 1);
    body.copy(bytes, at + 5);
    at += 5 + body.length;
  }
  checksum(bytes).copy(bytes, checksumAt);
  return bytes;
}

/** The frame that starts at `at`, with its size in bytes; null when there is no whole, undamaged one. */
export function decodeFrame(bytes: Buffer, at: number): { readonly frame: Frame; readonly size: number } | null {
  const rest = bytes.subarray(at);
  if (rest.length < frameHeaderBytes || !rest.subarray(0, 4).equals(frameMagic)) return null;
  const size = frameHeaderBytes + rest.readUInt32BE(22);
  if (size > rest.length) return null;
  const whole = rest.subarray(0, size);
  if (!checksum(whole).equals(whole.subarray(checksumAt, frameHeaderBytes))) return null;
  const records: JournalRecord[] = [];
  for (let from = frameHeaderBytes; from < size; ) {
    const kind = kinds[whole.readUInt8(from)];
    if (kind === undefined) return null;
    const end = from + 5 + whole.readUInt32BE(from + 1);
    records.push({ kind, body: whole.subarray(from + 5, end) });
    from = end;
  }
  const frame = {
    generation: whole.readUIntBE(4, 6),
    salt: whole.subarray(10, 18),
    sequence: whole.readUInt32BE(18),
    records,
  };
  return { frame, size };
}

function checksum(frame: Buffer): Buffer {
  return createHash('sha256').update(frame.subarray(0, checksumAt)).update(frame.subarray(frameHeaderBytes)).digest();
}
