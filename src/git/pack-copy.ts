import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { encodeIndex, type PackedEntry, packHeader } from './pack-format.js';
import { decodeIndex } from './pack-index.js';
import type { GitOid, ObjectFormat } from './types.js';

export interface CopiedPack {
  /** `pack-<checksum>`. */
  readonly name: string;
  readonly objectCount: number;
  readonly bytes: number;
}

interface Source {
  readonly name: string;
  readonly file: FileHandle;
  /** Ranges of bytes to copy; the objects in between came with an earlier source. */
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
  /** Where the checksum stands: behind the last entry. */
  readonly end: number;
}

/** A source that is not what its name says. It is left alone; nothing of it is copied into a fresh checksum. */
export class DamagedPack extends Error {
  constructor(readonly pack: string) {
    super(`${pack} is damaged or not a pack of this program`);
  }
}

const chunkBytes = 1 << 20;

/**
 * Copies the entries of our own packs, compressed as they are, into one new pack and index (both synced). An object in
 * several sources is copied once. Our packs hold no deltas, and a pack's name is the checksum of its bytes, which is
 * verified on the way: so no entry refers to another one's place.
 * @param directory `objects/pack`
 * @throws DamagedPack; `ENOENT` when a source has gone
 */
export async function copyPacks(
  format: ObjectFormat,
  directory: string,
  names: readonly string[],
  target: { readonly pack: string; readonly idx: string },
): Promise<CopiedPack> {
  const sources: Source[] = [];
  try {
    const { entries, end } = await plan(format, directory, names, sources);
    const pack = await open(target.pack, 'wx', 0o444);
    try {
      const checksum = await copyAll(format, sources, entries.length, pack);
      await pack.datasync();
      const idx = await open(target.idx, 'wx', 0o444);
      try {
        await idx.writeFile(encodeIndex(format, entries, checksum));
        await idx.datasync();
      } finally {
        await idx.close();
      }
      const name = `pack-${checksum.toString('hex')}`;
      return { name, objectCount: entries.length, bytes: end + checksum.length };
    } finally {
      await pack.close();
    }
  } finally {
    for (const source of sources) await source.file.close();
  }
}

/** Opens every source and gives every object its place in the new pack. An open file stays readable when unlinked. */
async function plan(
  format: ObjectFormat,
  directory: string,
  names: readonly string[],
  sources: Source[],
): Promise<{ entries: PackedEntry[]; end: number }> {
  const seen = new Set<GitOid>();
  const entries: PackedEntry[] = [];
  let to = 12;
  for (const name of names) {
    const file = await open(`${directory}/${name}.pack`, 'r');
    const ranges: { start: number; end: number }[] = [];
    const end = (await file.stat()).size - (format === 'sha1' ? 20 : 32);
    sources.push({ name, file, ranges, end });
    const index = decodeIndex(format, await readFile(`${directory}/${name}.idx`));
    if (index === null || `pack-${index.packChecksum}` !== name) throw new DamagedPack(name);
    index.entries.forEach((entry, i) => {
      if (seen.has(entry.oid)) return;
      seen.add(entry.oid);
      const stop = index.entries[i + 1]?.offset ?? end;
      entries.push({ oid: entry.oid, offset: to, crc: entry.crc });
      to += stop - entry.offset;
      const last = ranges.at(-1);
      if (last?.end === entry.offset) last.end = stop;
      else ranges.push({ start: entry.offset, end: stop });
    });
  }
  return { entries, end: to };
}

async function copyAll(
  format: ObjectFormat,
  sources: readonly Source[],
  objectCount: number,
  target: FileHandle,
): Promise<Buffer> {
  const hash = createHash(format);
  const write = async (bytes: Buffer) => {
    hash.update(bytes);
    await target.writeFile(bytes);
  };
  await write(packHeader(objectCount));
  for (const source of sources) await copySource(source, createHash(format), write);
  const checksum = hash.digest();
  await target.writeFile(checksum);
  return checksum;
}

async function copySource(source: Source, hash: Hash, write: (bytes: Buffer) => Promise<void>): Promise<void> {
  for (let at = 0; at < source.end; ) {
    const chunk = await readAt(source, at, Math.min(chunkBytes, source.end - at));
    hash.update(chunk);
    for (const range of source.ranges) {
      const start = Math.max(range.start, at);
      const end = Math.min(range.end, at + chunk.length);
      if (start < end) await write(chunk.subarray(start - at, end - at));
    }
    at += chunk.length;
  }
  if (`pack-${hash.digest('hex')}` !== source.name) throw new DamagedPack(source.name);
}

async function readAt(source: Source, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await source.file.read(buffer, 0, length, position);
  if (bytesRead === 0) throw new DamagedPack(source.name);
  return buffer.subarray(0, bytesRead);
}
