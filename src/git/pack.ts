import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { WorldError } from '../errors.js';
import {
  type Durability,
  discard,
  errorCode,
  type FileSystem,
  nodeFileSystem,
  syncDirectory,
  writeNewFile,
} from './file-system.js';
import { type EncodedPack, encodePack } from './pack-format.js';
import { recordOwnPack } from './pack-manifest.js';
import { packDirectory } from './repository.js';
import type { GitObject, Repository } from './types.js';

export { type EncodedPack, encodePack } from './pack-format.js';

/** A pack in the repository, protected by a `.keep` file until `release`. */
export interface InstalledPack {
  /** `pack-<checksum>`. */
  readonly name: string;
  readonly objectCount: number;
  readonly bytes: number;
  /** Removes the `.keep`. Call it once a ref reaches the objects: without it a concurrent `git repack -a -d` drops them. */
  release(): Promise<void>;
}

export interface WriteOptions {
  readonly fs?: FileSystem;
  /** Default `strict`. */
  readonly durability?: Durability;
}

/** What our `.keep` files say; git's own and a user's say something else. */
export const keepText = 'ailang-world: held until refs/world/log reaches it\n';
/** Not `tmp_*`: `git prune` removes those whenever it likes. Nor a name that ends in `.pack` or `.idx`. */
export const temporaryName = /^ailang-world-[0-9a-f]{16}\.(?:pack|idx|keep)\.tmp$/;

/**
 * Packs the objects and installs the pack so that git sees it whole or not at all.
 * @throws WorldError `empty-pack`, `pack-too-large`, `pack-write-failed`
 */
export async function writePack(
  repository: Repository,
  objects: readonly GitObject[],
  options: WriteOptions = {},
): Promise<InstalledPack> {
  const files = options.fs ?? nodeFileSystem;
  const encoded = encodePack(repository.objectFormat, objects);
  const temporary = temporaryPaths(repository);
  const durability = options.durability ?? 'strict';
  try {
    await allDone([
      writeNewFile(files, temporary.pack, encoded.pack, 0o444, durability),
      writeNewFile(files, temporary.idx, encoded.idx, 0o444, durability),
      recordOwnPack(files, repository, { name: encoded.name, level: 0, bytes: encoded.pack.length }),
    ]);
    return await installPack(repository, { ...encoded, bytes: encoded.pack.length }, temporary, files, durability);
  } catch (error) {
    await discardTemporary(files, temporary);
    throw writeFailed(encoded, error);
  }
}

/** Waits for every one, so that nothing is still writing when the clean-up starts; then throws the first failure. */
async function allDone(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason;
}

export interface TemporaryPack {
  readonly pack: string;
  readonly idx: string;
  readonly keep: string;
}

/** Removes what is left under the temporary names. */
export async function discardTemporary(files: FileSystem, temporary: TemporaryPack): Promise<void> {
  await Promise.all([temporary.pack, temporary.idx, temporary.keep].map((path) => discard(files, path)));
}

export function temporaryPaths(repository: Repository): TemporaryPack {
  const base = join(packDirectory(repository), `ailang-world-${randomBytes(8).toString('hex')}`);
  return { pack: `${base}.pack.tmp`, idx: `${base}.idx.tmp`, keep: `${base}.keep.tmp` };
}

/** Gives a written pack its name: `.keep`, then `.pack`, then `.idx` (from which on git sees it), then the directory. */
export async function installPack(
  repository: Repository,
  pack: Pick<InstalledPack, 'name' | 'objectCount' | 'bytes'>,
  temporary: TemporaryPack,
  files: FileSystem,
  durability: Durability,
): Promise<InstalledPack> {
  const directory = packDirectory(repository);
  const base = join(directory, pack.name);
  const keepIsOurs = await placeKeep(files, `${base}.keep`, temporary.keep);
  const release = async () => {
    if (keepIsOurs) await removeIfThere(files, `${base}.keep`);
  };
  try {
    await files.rename(temporary.pack, `${base}.pack`);
    await files.rename(temporary.idx, `${base}.idx`);
    if (durability === 'strict') await syncDirectory(files, directory);
  } catch (error) {
    // The pack stays if it got its name: it is whole, and the same pack may have been there before.
    await release().catch(() => undefined);
    throw error;
  }
  return { name: pack.name, objectCount: pack.objectCount, bytes: pack.bytes, release };
}

/**
 * Answers whether the file is ours to remove: a user may have put one beside the very same pack. It gets its name when
 * it is whole, so that after a crash its text still says whose it is.
 */
async function placeKeep(files: FileSystem, path: string, temporary: string): Promise<boolean> {
  const there = await files.readFile(path).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (there !== null) return there.toString() === keepText;
  await writeNewFile(files, temporary, keepText, 0o444, 'process');
  await files.rename(temporary, path);
  return true;
}

async function removeIfThere(files: FileSystem, path: string): Promise<void> {
  await files.unlink(path).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
  });
}

function writeFailed(pack: EncodedPack, cause: unknown): WorldError {
  const full = errorCode(cause) === 'ENOSPC' || errorCode(cause) === 'EDQUOT';
  return new WorldError('pack-write-failed', `a pack of ${pack.objectCount} objects could not be written`, {
    hint: full ? 'Free some disk space.' : 'Check that the repository’s objects/pack directory is writable.',
    data: { errno: errorCode(cause) ?? null },
    cause,
  });
}
