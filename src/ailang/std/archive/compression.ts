import { deflateRawSync, deflateSync, gunzipSync, gzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { ArchiveError, checkSize, MAX_BYTES } from './limits.js';

export type Format = 'raw' | 'zlib' | 'gzip';

const packers = { raw: deflateRawSync, zlib: deflateSync, gzip: gzipSync } as const;
const unpackers = { raw: inflateRawSync, zlib: inflateSync, gzip: gunzipSync } as const;

/** Levels 0 (none) to 9 (smallest); -1 is the usual one. @throws ArchiveError */
export function pack(format: Format, content: Buffer, level: number): Buffer {
  if (!Number.isInteger(level) || level < -1 || level > 9) {
    throw new ArchiveError(`compression level ${level} is not between -1 and 9`);
  }
  checkSize(content.length, 'the content');
  return packers[format](content, { level });
}

/** At most `limit` bytes come out, however small the input. @throws ArchiveError */
export function unpack(format: Format, content: Buffer, limit = MAX_BYTES): Buffer {
  try {
    return unpackers[format](content, { maxOutputLength: Math.max(1, limit) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new ArchiveError(`the content unpacks to more than ${limit} bytes`);
    }
    throw new ArchiveError(`the compressed data is damaged: ${error instanceof Error ? error.message : String(error)}`);
  }
}
