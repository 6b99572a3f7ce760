import { join } from 'node:path';
import { discard, errorCode, type FileSystem, nodeFileSystem } from './file-system.js';
import { keepText, temporaryName } from './pack.js';
import { readOwnPacks } from './pack-manifest.js';
import { packDirectory } from './repository.js';
import type { Repository } from './types.js';

/**
 * Removes what a killed writer left in `objects/pack`: our temporary files, our `.keep` files, our packs that never
 * got an index. Only under the writer's lock, before the first write.
 */
export async function sweepPackLeftovers(repository: Repository, files: FileSystem = nodeFileSystem): Promise<void> {
  const directory = packDirectory(repository);
  const names = new Set(await files.readdir(directory));
  const own = await readOwnPacks(files, repository);
  for (const name of names) {
    const path = join(directory, name);
    const base = name.replace(/\.[^.]*$/, '');
    const leftover =
      temporaryName.test(name) ||
      (name.endsWith('.keep') && (await isOurKeep(files, path))) ||
      (name.endsWith('.pack') && own.has(base) && !names.has(`${base}.idx`));
    if (leftover) await discard(files, path);
  }
}

async function isOurKeep(files: FileSystem, path: string): Promise<boolean> {
  try {
    return (await files.readFile(path)).toString() === keepText;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
