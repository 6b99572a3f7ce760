import { join } from 'node:path';
import { errorCode, type FileSystem } from './file-system.js';
import type { Repository } from './types.js';

/** A pack this program wrote. A pack's name is the checksum of its bytes, so a name can only ever mean our bytes. */
export interface OwnPack {
  readonly name: string;
  /** 0 as written for a group of entries, one more with every merge. */
  readonly level: number;
  readonly bytes: number;
}

/** The list of our packs, one a line: `<name> <level> <bytes>`. Losing it only means that its packs are not merged. */
function manifestPath(repository: Repository): string {
  return join(repository.commonDir, 'world', 'packs');
}

/** Adds a pack to the list. Not synced: the list is derived. */
export async function recordOwnPack(files: FileSystem, repository: Repository, pack: OwnPack): Promise<void> {
  const line = `${pack.name} ${pack.level} ${pack.bytes}\n`;
  try {
    await files.appendFile(manifestPath(repository), line);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    await makeWorldDirectory(files, repository);
    await files.appendFile(manifestPath(repository), line);
  }
}

async function makeWorldDirectory(files: FileSystem, repository: Repository): Promise<void> {
  await files.mkdir(join(repository.commonDir, 'world')).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
}

/** The packs recorded so far, whether they still exist or not. */
export async function readOwnPacks(files: FileSystem, repository: Repository): Promise<Map<string, OwnPack>> {
  const packs = new Map<string, OwnPack>();
  const text = await files.readFile(manifestPath(repository)).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
  for (const line of text.toString().split('\n')) {
    const fields = /^(pack-[0-9a-f]{40,64}) (\d{1,2}) (\d{1,16})$/.exec(line);
    if (fields === null) continue;
    const [, name = '', level, bytes] = fields;
    packs.set(name, { name, level: Number(level), bytes: Number(bytes) });
  }
  return packs;
}

/** Replaces the list. Only under the writer's lock: a line added meanwhile would be lost. */
export async function rewriteOwnPacks(
  files: FileSystem,
  repository: Repository,
  packs: Iterable<OwnPack>,
): Promise<void> {
  const path = manifestPath(repository);
  await makeWorldDirectory(files, repository);
  const text = [...packs].map((pack) => `${pack.name} ${pack.level} ${pack.bytes}\n`).join('');
  const file = await files.open(`${path}.new`, 'w', 0o666);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
  await files.rename(`${path}.new`, path);
}
