import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { WorldError } from '../errors.js';
import type { GitObject, GitOid, ObjectFormat, ObjectType } from './types.js';

/** A finished pack: `name` is `pack-<checksum>`, as git names its own. */
export interface EncodedPack {
  readonly name: string;
  readonly objectCount: number;
  readonly pack: Buffer;
  readonly idx: Buffer;
}

/** Where an object stands in a pack. */
export interface PackedEntry {
  readonly oid: GitOid;
  readonly offset: number;
  readonly crc: number;
}

const typeNumber: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3 };
/** Below this a deflate call costs more time than it saves bytes. */
const storedBelow = 1024;
/** An index entry has 31 bits for an offset; larger packs would need a second table. */
export const largestPack = 0x7fffffff;

/**
 * A pack (version 2, no deltas) and its index (version 2) for these objects; an id given twice is packed once. The
 * checksums are of the repository's hash, as git has it.
 * @throws WorldError `empty-pack`, `pack-too-large`
 */
export function encodePack(format: ObjectFormat, objects: readonly GitObject[]): EncodedPack {
  const unique = new Map(objects.map((object) => [object.oid, object]));
  if (unique.size === 0) throw new WorldError('empty-pack', 'a pack must hold at least one object');
  const parts: Buffer[] = [packHeader(unique.size)];
  const entries: PackedEntry[] = [];
  let offset = 12;
  for (const object of unique.values()) {
    const header = entryHeader(typeNumber[object.type], object.body.length);
    const data = object.body.length < storedBelow ? storedZlib(object.body) : deflateSync(object.body, { level: 1 });
    entries.push({ oid: object.oid, offset, crc: crc32(data, crc32(header)) });
    parts.push(header, data);
    offset += header.length + data.length;
    if (offset > largestPack) throw new WorldError('pack-too-large', 'the objects do not fit into one pack of 2 GiB');
  }
  const hash = createHash(format);
  for (const part of parts) hash.update(part);
  const checksum = hash.digest();
  parts.push(checksum);
  return {
    name: `pack-${checksum.toString('hex')}`,
    objectCount: unique.size,
    pack: Buffer.concat(parts),
    idx: encodeIndex(format, entries, checksum),
  };
}

/** `PACK`, version 2, number of objects. */
export function packHeader(objectCount: number): Buffer {
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  header.writeUInt32BE(objectCount, 8);
  return header;
}

/** Type in bits 4-6 of the first byte, size in the rest, seven bits a byte, lowest first. */
function entryHeader(type: number, size: number): Buffer {
  const bytes: number[] = [];
  let byte = (type << 4) | (size & 15);
  let rest = Math.floor(size / 16);
  while (rest > 0) {
    bytes.push(byte | 0x80);
    byte = rest & 0x7f;
    rest = Math.floor(rest / 128);
  }
  bytes.push(byte);
  return Buffer.from(bytes);
}

/** A zlib stream of one stored block: valid for every reader and almost free to make. */
function storedZlib(body: Buffer): Buffer {
  const out = Buffer.allocUnsafe(body.length + 11);
  out.writeUInt16BE(0x7801, 0);
  out[2] = 1;
  out.writeUInt16LE(body.length, 3);
  out.writeUInt16LE(body.length ^ 0xffff, 5);
  body.copy(out, 7);
  out.writeUInt32BE(adler32(body), body.length + 7);
  return out;
}

function adler32(body: Buffer): number {
  let a = 1;
  let b = 0;
  // Under 5552 bytes the sums cannot overflow 32 bits, so one remainder at the end is enough.
  for (const byte of body) {
    a += byte;
    b += a;
  }
  return ((b % 65521) * 65536 + (a % 65521)) >>> 0;
}

/** Index version 2: fan-out, ids, CRCs, offsets, checksum of the pack, checksum of itself. */
export function encodeIndex(format: ObjectFormat, entries: readonly PackedEntry[], packChecksum: Buffer): Buffer {
  const sorted = entries.toSorted((a, b) => (a.oid < b.oid ? -1 : 1));
  const idBytes = packChecksum.length;
  const count = sorted.length;
  const idx = Buffer.alloc(8 + 1024 + count * (idBytes + 8) + 2 * idBytes);
  idx.write('\xfftOc\0\0\0\x02', 0, 'latin1');
  const ids = 8 + 1024;
  const crcs = ids + count * idBytes;
  const offsets = crcs + count * 4;
  const fanout = new Uint32Array(256);
  sorted.forEach((entry, i) => {
    idx.write(entry.oid, ids + i * idBytes, 'hex');
    idx.writeUInt32BE(entry.crc, crcs + i * 4);
    idx.writeUInt32BE(entry.offset, offsets + i * 4);
    const first = idx[ids + i * idBytes] ?? 0;
    fanout[first] = (fanout[first] ?? 0) + 1;
  });
  let total = 0;
  fanout.forEach((inBucket, first) => {
    total += inBucket;
    idx.writeUInt32BE(total, 8 + first * 4);
  });
  const end = offsets + count * 4;
  packChecksum.copy(idx, end);
  createHash(format)
    .update(idx.subarray(0, end + idBytes))
    .digest()
    .copy(idx, end + idBytes);
  return idx;
}
