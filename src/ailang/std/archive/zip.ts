import { pack, unpack } from './compression.js';
import { crc32 } from './crc32.js';
import { ArchiveError, checkEntryCount, checkEntryName, checkSize } from './limits.js';

/** Where the central directory puts an entry. */
interface ZipEntry {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  readonly offset: number;
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const UTF8 = 0x0800;

/** A zip archive in memory. Its entries are checked as a whole: a bad name refuses the archive. @throws ArchiveError */
export class ZipArchive {
  readonly entries: readonly ZipEntry[];

  constructor(readonly content: Buffer) {
    checkSize(content.length, 'the archive');
    this.entries = this.#bounded(() => this.#directory());
  }

  /** The content of an entry, its size and checksum verified. */
  read(name: string): Buffer {
    const entry = this.entries.find((one) => one.name === name);
    if (entry === undefined) throw new ArchiveError(`no entry ${JSON.stringify(name)} in the archive`);
    return this.#bounded(() => this.#read(entry));
  }

  #bounded<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      if (error instanceof RangeError) throw new ArchiveError('the zip archive is cut short or damaged');
      throw error;
    }
  }

  #directory(): ZipEntry[] {
    const end = this.#end();
    const count = this.content.readUInt16LE(end + 10);
    let at = this.content.readUInt32LE(end + 16);
    if (count === 0xffff || at === 0xffffffff) throw new ArchiveError('zip64 archives are not supported');
    if (this.content.readUInt16LE(end + 4) !== 0) throw new ArchiveError('archives of several parts are not supported');
    checkEntryCount(count);
    const entries: ZipEntry[] = [];
    for (let index = 0; index < count; index += 1) {
      if (this.content.readUInt32LE(at) !== CENTRAL)
        throw new ArchiveError('the directory of the zip archive is damaged');
      const nameLength = this.content.readUInt16LE(at + 28);
      const name = this.content.subarray(at + 46, at + 46 + nameLength).toString('utf8');
      checkEntryName(name);
      entries.push({
        name,
        flags: this.content.readUInt16LE(at + 8),
        method: this.content.readUInt16LE(at + 10),
        crc: this.content.readUInt32LE(at + 16),
        packedSize: this.content.readUInt32LE(at + 20),
        size: this.content.readUInt32LE(at + 24),
        offset: this.content.readUInt32LE(at + 42),
      });
      at += 46 + nameLength + this.content.readUInt16LE(at + 30) + this.content.readUInt16LE(at + 32);
    }
    return entries;
  }

  /** The end record is the last one whose comment reaches the end of the file. */
  #end(): number {
    const last = this.content.length - 22;
    for (let at = last; at >= Math.max(0, last - 0xffff); at -= 1) {
      if (this.content.readUInt32LE(at) !== END) continue;
      if (at + 22 + this.content.readUInt16LE(at + 20) === this.content.length) return at;
    }
    throw new ArchiveError('this is no zip archive');
  }

  #read(entry: ZipEntry): Buffer {
    const { content } = this;
    if (entry.flags & 1) throw new ArchiveError(`the entry ${JSON.stringify(entry.name)} is encrypted`);
    if (content.readUInt32LE(entry.offset) !== LOCAL) throw new ArchiveError('the zip archive is damaged');
    checkSize(entry.size, `the entry ${JSON.stringify(entry.name)}`);
    const start = entry.offset + 30 + content.readUInt16LE(entry.offset + 26) + content.readUInt16LE(entry.offset + 28);
    if (start + entry.packedSize > content.length) throw new ArchiveError('the zip archive is cut short or damaged');
    const packed = content.subarray(start, start + entry.packedSize);
    if (entry.method !== 0 && entry.method !== 8)
      throw new ArchiveError(`compression method ${entry.method} is not supported`);
    // One byte more than announced is enough to tell a lie.
    const plain = entry.method === 0 ? packed : unpack('raw', packed, entry.size + 1);
    if (plain.length !== entry.size || crc32(plain) !== entry.crc) {
      throw new ArchiveError(`the entry ${JSON.stringify(entry.name)} is damaged`);
    }
    return plain;
  }
}

/** The bytes of an archive; equal content gives equal bytes. @throws ArchiveError */
export function writeZip(files: readonly { readonly name: string; readonly content: Buffer }[]): Buffer {
  checkEntryCount(files.length);
  checkSize(
    files.reduce((sum, { content }) => sum + content.length, 0),
    'the content',
  );
  const names = new Set<string>();
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of files) {
    checkEntryName(name);
    if (names.has(name)) throw new ArchiveError(`the entry name ${JSON.stringify(name)} occurs twice`);
    names.add(name);
    const encoded = Buffer.from(name, 'utf8');
    if (encoded.length > 0xffff) throw new ArchiveError('an entry name is longer than 65535 bytes');
    const deflated = pack('raw', content, 6);
    const packed = deflated.length < content.length ? deflated : content;
    const common = commonHeader(encoded, packed === content ? 0 : 8, content, packed.length);
    const local = Buffer.concat([word(LOCAL), common, encoded]);
    const central = Buffer.concat([
      word(CENTRAL),
      Buffer.from([20, 0]),
      common,
      Buffer.alloc(10),
      word(offset),
      encoded,
    ]);
    parts.push(local, packed);
    directory.push(central);
    offset += local.length + packed.length;
  }
  const size = directory.reduce((sum, entry) => sum + entry.length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

/** What local and central header share: version, flags, method, time, checksum, sizes and lengths. */
function commonHeader(name: Buffer, method: number, content: Buffer, packedSize: number): Buffer {
  const header = Buffer.alloc(26);
  header.writeUInt16LE(20, 0);
  header.writeUInt16LE(UTF8, 2);
  header.writeUInt16LE(method, 4);
  // 1980-01-01, the earliest date the format knows.
  header.writeUInt16LE(0x21, 8);
  header.writeUInt32LE(crc32(content), 10);
  header.writeUInt32LE(packedSize, 14);
  header.writeUInt32LE(content.length, 18);
  header.writeUInt16LE(name.length, 22);
  return header;
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
