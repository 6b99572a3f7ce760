import { access, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { discard, errorCode, nodeFileSystem, syncDirectory } from './file-system.js';
import { discardTemporary, installPack, temporaryPaths } from './pack.js';
import { type CopiedPack, copyPacks, DamagedPack } from './pack-copy.js';
import { recordOwnPack } from './pack-manifest.js';
import { packDirectory } from './repository.js';
import type { Repository } from './types.js';

/** What became of each source, and the new pack if there is one. */
export interface MergeResult {
  readonly merged: CopiedPack | null;
  /** Held by a `.keep`: to be tried again later. */
  readonly kept: readonly string[];
  /** No longer there, merged or deleted by somebody else (`git gc`). */
  readonly gone: readonly string[];
  readonly damaged: readonly string[];
}

/** Everything that git may have put beside a pack of ours. */
const companions = ['.idx', '.rev', '.bitmap'];
/** A pack with one of these is not ours to remove. */
const guards = ['.keep', '.promisor', '.mtimes'];

/**
 * Merges our own packs into one and removes them. A reader finds every object at any moment: the new pack is durable
 * and has its name before the first old index goes.
 */
export async function mergePacks(
  repository: Repository,
  names: readonly string[],
  level: number,
): Promise<MergeResult> {
  const directory = packDirectory(repository);
  const kept: string[] = [];
  const gone: string[] = [];
  const damaged: string[] = [];
  let usable: string[] = [];
  for (const name of names) {
    if (await anyExists(directory, name, guards)) kept.push(name);
    else if (await anyExists(directory, name, ['.pack'])) usable.push(name);
    else gone.push(name);
  }
  // Each round loses at least one source, so there are at most as many rounds as sources.
  while (usable.length > 1) {
    try {
      const merged = await mergeOnce(repository, directory, usable, level);
      return { merged, kept, gone: [...gone, ...usable], damaged };
    } catch (error) {
      if (error instanceof DamagedPack) {
        damaged.push(error.pack);
        usable = usable.filter((name) => name !== error.pack);
      } else {
        const there = await present(directory, usable);
        if (errorCode(error) !== 'ENOENT' || there.length === usable.length) throw error;
        gone.push(...usable.filter((name) => !there.includes(name)));
        usable = there;
      }
    }
  }
  return { merged: null, kept, gone, damaged };
}

async function mergeOnce(
  repository: Repository,
  directory: string,
  names: readonly string[],
  level: number,
): Promise<CopiedPack> {
  const temporary = temporaryPaths(repository);
  try {
    const copied = await copyPacks(repository.objectFormat, directory, names, temporary);
    await recordOwnPack(nodeFileSystem, repository, { name: copied.name, level, bytes: copied.bytes });
    const installed = await installPack(repository, copied, temporary, nodeFileSystem, 'strict');
    await removePacks(
      directory,
      names.filter((name) => name !== copied.name),
    );
    await installed.release();
    return copied;
  } finally {
    await discardTemporary(nodeFileSystem, temporary);
  }
}

async function removePacks(directory: string, names: readonly string[]): Promise<void> {
  // It names packs; with one of them gone `git fsck` fails, and git does not heal it.
  for (const name of await readdir(directory)) {
    if (name.startsWith('multi-pack-index')) await rm(join(directory, name), { recursive: true, force: true });
  }
  for (const name of names) {
    // A `.keep` that came meanwhile is somebody's wish to have this pack stay.
    if (await anyExists(directory, name, guards)) continue;
    for (const extension of [...companions, '.pack']) await discard(nodeFileSystem, join(directory, name + extension));
  }
  await syncDirectory(nodeFileSystem, directory);
}

async function present(directory: string, names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) {
    if ((await anyExists(directory, name, ['.pack'])) && (await anyExists(directory, name, ['.idx']))) found.push(name);
  }
  return found;
}

async function anyExists(directory: string, name: string, extensions: readonly string[]): Promise<boolean> {
  const found = await Promise.all(
    extensions.map((extension) =>
      access(join(directory, name + extension)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}
