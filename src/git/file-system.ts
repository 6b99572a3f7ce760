import * as fs from 'node:fs/promises';
import { WorldError } from '../errors.js';

/** An open file, as far as the writers here use one. */
export interface OpenFile {
  writeFile(data: Buffer | string): Promise<void>;
  sync(): Promise<void>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

/** The file operations that packs and refs are written with; a test passes one that fails where it likes. */
export interface FileSystem {
  open(path: string, flags: string, mode?: number): Promise<OpenFile>;
  /** `flags` as of open(2). */
  readFile(path: string, flags?: number): Promise<Buffer>;
  appendFile(path: string, text: string): Promise<void>;
  readdir(path: string): Promise<string[]>;
  mkdir(path: string): Promise<void>;
  rmdir(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
}

/** `strict`: on stable storage when the promise resolves. `process`: survives the end of the process, not of the power. */
export type Durability = 'strict' | 'process';

export const nodeFileSystem: FileSystem = {
  open: (path, flags, mode) => fs.open(path, flags, mode),
  readFile: (path, flags) => fs.readFile(path, flags === undefined ? {} : { flag: flags }),
  appendFile: (path, text) => fs.appendFile(path, text),
  readdir: (path) => fs.readdir(path),
  mkdir: (path) => fs.mkdir(path),
  rmdir: (path) => fs.rmdir(path),
  rename: (from, to) => fs.rename(from, to),
  unlink: (path) => fs.unlink(path),
};

/** Makes the names in a directory durable. */
export async function syncDirectory(files: FileSystem, path: string): Promise<void> {
  const directory = await files.open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Creates a file that must not exist yet and, when asked, waits until its bytes are durable. */
export async function writeNewFile(
  files: FileSystem,
  path: string,
  data: Buffer | string,
  mode: number,
  durability: Durability,
): Promise<void> {
  const file = await files.open(path, 'wx', mode);
  try {
    await file.writeFile(data);
    if (durability === 'strict') await file.datasync();
  } finally {
    await file.close();
  }
}

/** Removes a file if it is there; never fails, for clean-up after another failure. */
export async function discard(files: FileSystem, path: string): Promise<void> {
  await files.unlink(path).catch(() => undefined);
}

/** The `errno` name of a failed file operation. */
export function errorCode(error: unknown): string | undefined {
  if (error instanceof WorldError) return undefined;
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
