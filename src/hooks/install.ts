import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WorldError } from '../errors.js';
import { ALL_HOOKS, CHAINED, type HookName, hookScript, isOurs } from './scripts.js';

export interface HookStatus {
  readonly name: HookName;
  /** `installed` as this program would install it, `outdated` when from another one, `other` when it is not ours. */
  readonly state: 'absent' | 'installed' | 'outdated' | 'other';
  /** A hook that was there before and is called by ours. */
  readonly chained: boolean;
}

export async function hookStatus(directory: string, name: HookName): Promise<HookStatus> {
  const path = join(directory, name);
  const chained = await exists(path + CHAINED);
  if (!(await exists(path))) return { name, state: 'absent', chained };
  const text = await readOurs(path);
  if (text === null) return { name, state: 'other', chained };
  return { name, state: text === (await hookScript(name)) ? 'installed' : 'outdated', chained };
}

/**
 * Puts the hooks in place. A hook that is there already is kept beside ours and called by it.
 * @throws WorldError `hook-chained-twice` when two foreign hooks claim one place; nothing was changed then
 */
export async function installHooks(directory: string, names: readonly HookName[]): Promise<readonly HookStatus[]> {
  const before = await Promise.all(names.map((name) => hookStatus(directory, name)));
  for (const { name, state, chained } of before) if (state === 'other' && chained) throw twice(directory, name);
  await mkdir(directory, { recursive: true });
  for (const { name, state } of before) {
    const path = join(directory, name);
    const fresh = `${path}.${randomBytes(6).toString('hex')}.new`;
    await writeFile(fresh, await hookScript(name), { mode: 0o755, flag: 'wx' });
    await chmod(fresh, 0o755);
    if (state === 'other') await rename(path, path + CHAINED);
    await rename(fresh, path);
  }
  return Promise.all(names.map((name) => hookStatus(directory, name)));
}

/**
 * Takes every hook of ours away again and puts back what was there before. A hook that someone put in the place of ours
 * stays.
 * @returns the names of the hooks removed
 * @throws WorldError `hook-chained-twice` when both ours was replaced and an older hook waits
 */
export async function removeHooks(directory: string): Promise<readonly HookName[]> {
  const before = await Promise.all(ALL_HOOKS.map((name) => hookStatus(directory, name)));
  for (const { name, state, chained } of before) if (state === 'other' && chained) throw twice(directory, name);
  const removed: HookName[] = [];
  for (const { name, state, chained } of before) {
    const path = join(directory, name);
    if (state === 'other') continue;
    if (state !== 'absent') removed.push(name);
    if (chained) await rename(path + CHAINED, path);
    else await rm(path, { force: true });
  }
  return removed;
}

function twice(directory: string, name: HookName): WorldError {
  return new WorldError('hook-chained-twice', `${join(directory, name)} is not ours, and ${name}${CHAINED} is there`, {
    hint: 'Something replaced our hook. Join the two, or move one away; nothing was changed.',
  });
}

/** The text of a hook of ours; null for anything else, a link included. */
async function readOurs(path: string): Promise<string | null> {
  if (!(await lstat(path)).isFile()) return null;
  const text = await readFile(path, 'utf8');
  return isOurs(text) ? text : null;
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false;
      throw error;
    },
  );
}
