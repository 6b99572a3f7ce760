import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Durability } from '../git/file-system.js';
import { encodeFrame, frameBytes, type JournalRecord, saltBytes } from './journal-frame.js';
import { type JournalContent, scanJournal } from './journal-scan.js';

export interface JournalHandle {
  write(buffer: Buffer, offset: number, length: number, position: number | null): Promise<{ bytesWritten: number }>;
  datasync(): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The file operations of the journal; a test passes ones that fail where it likes. */
export interface JournalFiles {
  open(path: string, flags: string, mode?: number): Promise<JournalHandle>;
  readFile(path: string): Promise<Buffer>;
  rename(from: string, to: string): Promise<void>;
}

export const nodeJournalFiles: JournalFiles = {
  open: (path, flags, mode) => fs.open(path, flags, mode),
  readFile: (path) => fs.readFile(path),
  rename: (from, to) => fs.rename(from, to),
};

export interface JournalOptions {
  readonly files: JournalFiles;
  readonly durability: Durability;
  /** Size of a new journal file, bytes. */
  readonly bytes: number;
}

export const defaultJournalBytes = 16 * 1024 * 1024;

/**
 * The write-ahead journal: one preallocated file of two halves. A generation fills one half from its start; the next
 * one takes the other half, so the old one stays whole until the new one has begun. Calls must not overlap.
 */
export class Journal {
  #generation: number;
  #salt: Buffer;
  #sequence: number;
  #end: number;

  private constructor(
    private readonly handle: JournalHandle,
    private readonly durability: Durability,
    /** Bytes of one half. */
    readonly halfBytes: number,
    content: JournalContent,
  ) {
    this.#generation = content.generation;
    this.#salt = content.salt;
    this.#sequence = content.nextSequence;
    this.#end = content.end;
  }

  /** Opens the journal, making one when there is none, and answers what it holds. */
  static async open(path: string, options: JournalOptions): Promise<{ journal: Journal; content: JournalContent }> {
    let bytes = await readIfThere(options.files, path);
    if (bytes === null || bytes.length < 8192 || bytes.length % 2 !== 0) {
      await create(path, options);
      bytes = Buffer.alloc(options.bytes);
    }
    const content = scanJournal(bytes);
    const handle = await options.files.open(path, 'r+');
    return { journal: new Journal(handle, options.durability, bytes.length / 2, content), content };
  }

  /** True when the records fit behind what the current generation holds. */
  fits(records: readonly JournalRecord[]): boolean {
    return this.#generation > 0 && this.#end + frameBytes(records) <= this.halfBytes;
  }

  /** True when the records fit into an empty half beside what a turn-over has to carry along. */
  fitsEmpty(records: readonly JournalRecord[]): boolean {
    return frameBytes(records) <= this.halfBytes / 2;
  }

  /** Writes the records as one frame; they are durable when this resolves. */
  async append(records: readonly JournalRecord[]): Promise<void> {
    const frame = encodeFrame({ generation: this.#generation, salt: this.#salt, sequence: this.#sequence, records });
    await writeFully(this.handle, frame, (this.#generation % 2) * this.halfBytes + this.#end);
    if (this.durability === 'strict') await this.handle.datasync();
    this.#sequence++;
    this.#end += frame.length;
  }

  /** Begins the next generation with these records. What the last one held is forgotten. */
  async turnOver(records: readonly JournalRecord[]): Promise<void> {
    this.#generation++;
    this.#salt = randomBytes(saltBytes);
    this.#sequence = 0;
    this.#end = 0;
    await this.append(records);
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

async function readIfThere(files: JournalFiles, path: string): Promise<Buffer | null> {
  try {
    return await files.readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Blocks are written, not only reserved: a later write into them changes no metadata and its sync is cheap. */
async function create(path: string, options: JournalOptions): Promise<void> {
  const handle = await options.files.open(`${path}.new`, 'w', 0o600);
  try {
    const zeros = Buffer.alloc(Math.min(options.bytes, 1024 * 1024));
    for (let at = 0; at < options.bytes; at += zeros.length) {
      await writeFully(handle, zeros.subarray(0, Math.min(zeros.length, options.bytes - at)), at);
    }
    if (options.durability === 'strict') await handle.sync();
  } finally {
    await handle.close();
  }
  await options.files.rename(`${path}.new`, path);
  if (options.durability !== 'strict') return;
  const directory = await options.files.open(dirname(path), 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

async function writeFully(handle: JournalHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    if (bytesWritten === 0) throw new Error('the journal took no bytes');
    done += bytesWritten;
  }
}
