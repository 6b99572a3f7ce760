import { join } from 'node:path';
import { git } from './child.js';
import { discard, errorCode, type FileSystem, nodeFileSystem } from './file-system.js';
import { keepText, temporaryName } from './pack.js';
import { readOwnPacks, rewriteOwnPacks } from './pack-manifest.js';
import { packDirectory } from './repository.js';
import type { Repository } from './types.js';

/**
 * Clears what a killed writer left in `objects/pack`: our temporary files and our `.keep` files go, a pack of ours
 * without an index gets one (never deleted: it may hold what nothing else holds), and names of vanished packs leave
 * our list. Only under the writer's lock, before the first write.
 */
export async function sweepPackLeftovers(repository: Repository, files: FileSystem = nodeFileSystem): Promise<void> {
  const directory = packDirectory(repository);
  const names = new Set(await files.readdir(directory));
  const own = await readOwnPacks(files, repository);
  for (const name of names) {
    const path = join(directory, name);
    if (temporaryName.test(name) || (name.endsWith('.keep') && (await isOurKeep(files, path)))) {
      await discard(files, path);
    }
  }
  for (const { name } of own.values()) {
    if (names.has(`${name}.idx`)) continue;
    if (names.has(`${name}.pack`)) {
      // A damaged pack stays as it is, for `git fsck` and a person to look at.
      await git(['index-pack', join(directory, `${name}.pack`)], { cwd: repository.commonDir }).catch(() => undefined);
    } else {
      own.delete(name);
    }
  }
  await rewriteOwnPacks(files, repository, own.values());
}

async function isOurKeep(files: FileSystem, path: string): Promise<boolean> {
  try {
    return (await files.readFile(path)).toString() === keepText;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
