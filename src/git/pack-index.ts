import { createHash } from 'node:crypto';
import type { PackedEntry } from './pack-format.js';
import type { GitOid, ObjectFormat } from './types.js';

export interface PackIndex {
  /** In the order of their place in the pack. */
  readonly entries: readonly PackedEntry[];
  /** Checksum of the pack it belongs to, hex. */
  readonly packChecksum: string;
}

/** Reads a version 2 index with 31-bit offsets; null when it is something else or damaged. */
export function decodeIndex(format: ObjectFormat, idx: Buffer): PackIndex | null {
  const idBytes = format === 'sha1' ? 20 : 32;
  const ids = 8 + 1024;
  if (idx.length < ids + 2 * idBytes || idx.toString('latin1', 0, 8) !== '\xfftOc\0\0\0\x02') return null;
  const count = idx.readUInt32BE(ids - 4);
  const crcs = ids + count * idBytes;
  const offsets = crcs + count * 4;
  const end = offsets + count * 4;
  if (idx.length !== end + 2 * idBytes) return null;
  const checksum = createHash(format)
    .update(idx.subarray(0, end + idBytes))
    .digest();
  if (!checksum.equals(idx.subarray(end + idBytes))) return null;
  const entries: PackedEntry[] = [];
  for (let i = 0; i < count; i += 1) {
    const offset = idx.readUInt32BE(offsets + i * 4);
    if (offset > 0x7fffffff) return null;
    const oid = idx.toString('hex', ids + i * idBytes, ids + (i + 1) * idBytes) as GitOid;
    entries.push({ oid, offset, crc: idx.readUInt32BE(crcs + i * 4) });
  }
  entries.sort((a, b) => a.offset - b.offset);
  return { entries, packChecksum: idx.toString('hex', end, end + idBytes) };
}
