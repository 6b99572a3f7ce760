import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const PREFIX = 'home-';

/** A private directory for the children of this process; whoever made it removes it. */
export function makeHome(state: string): Promise<string> {
  return mkdtemp(join(state, PREFIX));
}

/** Removes the homes that killed daemons of this repository left. Only under the log's writer lock: then no other is in use. */
export async function clearHomes(state: string, own: string): Promise<void> {
  const homes = (await readdir(state)).filter((name) => name.startsWith(PREFIX)).map((name) => join(state, name));
  for (const home of homes) if (home !== own) await rm(home, { recursive: true, force: true });
}
