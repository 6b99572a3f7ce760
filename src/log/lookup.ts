import { oidLength } from '../git/oid.js';
import type { GitOid, ObjectFormat } from '../git/types.js';
import { GrowingBytes } from './growing-bytes.js';
import { keyBytes } from './lookup-keys.js';
import type { EntryIndex } from './types.js';

/** Key, entry index, and 1 + the row before it in the same bucket (0: none). */
const rowBytes = keyBytes + 8;
const buckets = 1 << 16;

/** What a checkpoint must say about the index files for them to be trusted. */
export interface LookupSeal {
  readonly commitsBytes: number;
  readonly commitsDigest: string;
  readonly keysBytes: number;
  readonly keysDigest: string;
}

export interface LookupFiles {
  readonly commits: string;
  readonly keys: string;
}

/**
 * The derived index: entry index → commit, key → entries. Rows live in files; in memory is one number per bucket, so
 * the memory it takes does not follow the log. Answers for keys are candidates: 16 bytes of a hash.
 */
export class Lookup {
  readonly #oidBytes: number;
  readonly #heads = new Uint32Array(buckets);

  private constructor(
    format: ObjectFormat,
    private readonly commits: GrowingBytes,
    private readonly keys: GrowingBytes,
  ) {
    this.#oidBytes = oidLength(format) / 2;
  }

  static inMemory(format: ObjectFormat): Lookup {
    return new Lookup(format, GrowingBytes.inMemory(), GrowingBytes.inMemory());
  }

  static create(format: ObjectFormat, files: LookupFiles): Lookup {
    return new Lookup(format, GrowingBytes.create(files.commits), GrowingBytes.create(files.keys));
  }

  /** Null when the files are not what the seal says. */
  static open(format: ObjectFormat, files: LookupFiles, seal: LookupSeal, writable: boolean): Lookup | null {
    const commits = GrowingBytes.open(files.commits, {
      bytes: seal.commitsBytes,
      digest: seal.commitsDigest,
      writable,
      visit: () => undefined,
    });
    if (commits === null) return null;
    const heads = new Uint32Array(buckets);
    let row = 0;
    const keys = GrowingBytes.open(files.keys, {
      bytes: seal.keysBytes,
      digest: seal.keysDigest,
      writable,
      visit: (piece) => {
        for (let at = 0; at + rowBytes <= piece.length; at += rowBytes) heads[piece.readUInt16BE(at)] = ++row;
      },
    });
    if (keys === null) {
      commits.close();
      return null;
    }
    const lookup = new Lookup(format, commits, keys);
    lookup.#heads.set(heads);
    return lookup;
  }

  /** How many entries it knows. */
  get size(): number {
    return this.commits.length / this.#oidBytes;
  }

  add(commit: GitOid, keys: readonly Buffer[]): void {
    const index = this.size;
    this.commits.append(Buffer.from(commit, 'hex'));
    for (const key of keys) {
      const row = Buffer.alloc(rowBytes);
      const bucket = key.readUInt16BE(0);
      key.copy(row, 0, 0, keyBytes);
      row.writeUInt32BE(index, keyBytes);
      row.writeUInt32BE(this.#heads[bucket] ?? 0, keyBytes + 4);
      this.keys.append(row);
      this.#heads[bucket] = this.keys.length / rowBytes;
    }
  }

  commit(index: number): GitOid | null {
    if (!Number.isInteger(index) || index < 0 || index >= this.size) return null;
    return this.commits.read(index * this.#oidBytes, this.#oidBytes).toString('hex') as GitOid;
  }

  /** Entries that carry the key, oldest first. */
  entriesWith(key: Buffer): readonly EntryIndex[] {
    const found: EntryIndex[] = [];
    for (let row = this.#heads[key.readUInt16BE(0)] ?? 0; row > 0; ) {
      const bytes = this.keys.read((row - 1) * rowBytes, rowBytes);
      if (bytes.subarray(0, keyBytes).equals(key)) found.push(bytes.readUInt32BE(keyBytes) as EntryIndex);
      row = bytes.readUInt32BE(keyBytes + 4);
    }
    return found.reverse();
  }

  /** Brings the files up to date and says what they hold; null when they cannot be written. */
  seal(): LookupSeal | null {
    if (!this.commits.flush() || !this.keys.flush()) return null;
    return {
      commitsBytes: this.commits.length,
      commitsDigest: this.commits.digest(),
      keysBytes: this.keys.length,
      keysDigest: this.keys.digest(),
    };
  }

  close(): void {
    this.commits.close();
    this.keys.close();
  }
}
