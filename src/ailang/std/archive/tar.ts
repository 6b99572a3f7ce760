import { unpack } from './compression.js';
import { ArchiveError, checkEntryCount, checkEntryName, checkSize } from './limits.js';

export interface TarEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link' | 'other';
  readonly content: Buffer;
}

const BLOCK = 512;
const isGzip = (content: Buffer): boolean => content[0] === 0x1f && content[1] === 0x8b;

/** The entries of a tar archive, unpacked first when it is gzipped; long names of GNU and pax are understood. @throws ArchiveError */
export function readTar(file: Buffer, gzip: 'required' | 'optional'): TarEntry[] {
  if (gzip === 'required' && !isGzip(file)) throw new ArchiveError('this is no gzip file');
  checkSize(file.length, 'the archive');
  const content = isGzip(file) ? unpack('gzip', file) : file;
  const entries: TarEntry[] = [];
  let longName: string | null = null;
  let at = 0;
  while (at + BLOCK <= content.length) {
    const header = content.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) return entries;
    checkHeader(header);
    const size = sizeOf(header);
    const start = at + BLOCK;
    if (start + size > content.length) throw new ArchiveError('the tar archive is cut short');
    const body = content.subarray(start, start + size);
    at = start + Math.ceil(size / BLOCK) * BLOCK;
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === 'L') longName = text(body, 0, body.length);
    else if (type === 'x') longName = paxPath(body) ?? longName;
    else if (type !== 'g') {
      const name = longName ?? headerName(header);
      longName = null;
      checkEntryName(name);
      entries.push({ name, kind: kindOf(type, name), content: body });
      checkEntryCount(entries.length);
    }
  }
  if (entries.length === 0) throw new ArchiveError('this is no tar archive');
  return entries;
}

/** The content of a file in the archive; the last one of a name counts, as when unpacking. @throws ArchiveError */
export function tarFile(entries: readonly TarEntry[], name: string): Buffer {
  const entry = entries.findLast((one) => one.name === name);
  if (entry === undefined) throw new ArchiveError(`no entry ${JSON.stringify(name)} in the archive`);
  if (entry.kind !== 'file') throw new ArchiveError(`the entry ${JSON.stringify(name)} is no file`);
  return entry.content;
}

function text(bytes: Buffer, start: number, length: number): string {
  const field = bytes.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.subarray(0, end === -1 ? length : end).toString('utf8');
}

function headerName(header: Buffer): string {
  const prefix = text(header, 257, 5) === 'ustar' && header[262] === 0 ? text(header, 345, 155) : '';
  const name = text(header, 0, 100);
  return prefix === '' ? name : `${prefix}/${name}`;
}

function octal(header: Buffer, start: number, length: number): number {
  const digits = header
    .subarray(start, start + length)
    .toString('latin1')
    .replace(/[\0 ]+/g, '');
  if (!/^[0-7]*$/.test(digits)) throw new ArchiveError('the tar archive is damaged');
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}

function sizeOf(header: Buffer): number {
  // A set top bit announces a binary number, which only files over 8 GB need.
  if ((header[124] ?? 0) & 0x80) throw new ArchiveError('an entry of the tar archive is too large');
  const size = octal(header, 124, 12);
  checkSize(size, 'an entry of the tar archive');
  return size;
}

function checkHeader(header: Buffer): void {
  let sum = 0;
  for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 32 : byte;
  if (sum !== octal(header, 148, 8)) throw new ArchiveError('this is no tar archive, or it is damaged');
}

/** The `path` record of a pax header, records being `length key=value\n`. */
function paxPath(body: Buffer): string | null {
  let path: string | null = null;
  for (let at = 0; at < body.length; ) {
    const length = Number.parseInt(body.subarray(at, at + 20).toString('latin1'), 10);
    if (!(length > 0) || at + length > body.length) throw new ArchiveError('the tar archive is damaged');
    const found = /^\d+ path=([\s\S]*)\n$/.exec(body.subarray(at, at + length).toString('utf8'));
    path = found?.[1] ?? path;
    at += length;
  }
  return path;
}

function kindOf(type: string, name: string): TarEntry['kind'] {
  if (type === '5') return 'directory';
  if (type === '1' || type === '2') return 'link';
  if (type === '0' || type === '\0' || type === '7') return name.endsWith('/') ? 'directory' : 'file';
  return 'other';
}
