import { createHash, type Hash } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';

const flushBytes = 64 * 1024;
/** Whole rows of 20, 24 and 32 bytes. */
const pageBytes = 60 * 1024;

/**
 * Bytes that only grow: a file and a tail in memory, or memory alone. The file is derived data: never synced, and when
 * it cannot be written the tail simply stays in memory.
 */
export class GrowingBytes {
  readonly #file: number | null;
  readonly #hash: Hash = createHash('sha256');
  #fileBytes = 0;
  #tail = Buffer.alloc(0);
  #tailBytes = 0;
  #writable: boolean;
  /** The page read last: rows of one key follow one another closely. */
  #page = Buffer.alloc(0);
  #pageAt = 0;

  private constructor(file: number | null, writable: boolean) {
    this.#file = file;
    this.#writable = writable;
  }

  static inMemory(): GrowingBytes {
    return new GrowingBytes(null, false);
  }

  /** An empty file, replacing what is there. */
  static create(path: string): GrowingBytes {
    return new GrowingBytes(openSync(path, 'w+', 0o600), true);
  }

  /**
   * A file whose first `bytes` bytes must have this SHA-256; null when they have not. `visit` gets them in pieces.
   */
  static open(
    path: string,
    options: { bytes: number; digest: string; writable: boolean; visit: (piece: Buffer) => void },
  ): GrowingBytes | null {
    const file = openSync(path, options.writable ? 'r+' : 'r');
    const growing = new GrowingBytes(file, options.writable);
    const piece = Buffer.alloc(8 * pageBytes);
    while (growing.#fileBytes < options.bytes) {
      const wanted = Math.min(piece.length, options.bytes - growing.#fileBytes);
      const read = readSync(file, piece, 0, wanted, growing.#fileBytes);
      if (read < wanted) break;
      growing.#hash.update(piece.subarray(0, read));
      options.visit(piece.subarray(0, read));
      growing.#fileBytes += read;
    }
    if (growing.#fileBytes !== options.bytes || growing.digest() !== options.digest) {
      growing.close();
      return null;
    }
    if (options.writable) ftruncateSync(file, options.bytes);
    return growing;
  }

  get length(): number {
    return this.#fileBytes + this.#tailBytes;
  }

  /** SHA-256 of everything, hex. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }

  append(bytes: Buffer): void {
    if (this.#tailBytes + bytes.length > this.#tail.length) {
      const larger = Buffer.alloc(Math.max(4096, 2 * this.#tail.length, this.#tailBytes + bytes.length));
      this.#tail.copy(larger, 0, 0, this.#tailBytes);
      this.#tail = larger;
    }
    bytes.copy(this.#tail, this.#tailBytes);
    this.#tailBytes += bytes.length;
    this.#hash.update(bytes);
    if (this.#tailBytes >= flushBytes) this.flush();
  }

  /** Moves the tail into the file; false when there is no file that can take it. */
  flush(): boolean {
    if (this.#file === null || !this.#writable) return false;
    try {
      for (let done = 0; done < this.#tailBytes; ) {
        done += writeSync(this.#file, this.#tail, done, this.#tailBytes - done, this.#fileBytes + done);
      }
    } catch {
      this.#writable = false;
      return false;
    }
    this.#fileBytes += this.#tailBytes;
    this.#tailBytes = 0;
    return true;
  }

  read(at: number, length: number): Buffer {
    if (at >= this.#fileBytes) return this.#tail.subarray(at - this.#fileBytes, at - this.#fileBytes + length);
    if (at < this.#pageAt || at + length > this.#pageAt + this.#page.length) this.#turnTo(at);
    return this.#page.subarray(at - this.#pageAt, at - this.#pageAt + length);
  }

  #turnTo(at: number): void {
    this.#pageAt = at - (at % pageBytes);
    // A page of its own each time: what was handed out of the last one stays as it is.
    this.#page = Buffer.alloc(Math.min(pageBytes, this.#fileBytes - this.#pageAt));
    if (this.#file !== null) readSync(this.#file, this.#page, 0, this.#page.length, this.#pageAt);
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
  }
}
