/** Where the logs of all worlds stand when they are shared, on a remote and in a clone (log format section 6). */
export const sharedLogs = 'refs/world/logs/';

/** @param world first 16 hex digits of the genesis entry's hash */
export const sharedRef = (world: string): string => `${sharedLogs}${world}`;

/** The world a shared ref is of; null for a name that is none. */
export function worldOf(ref: string): string | null {
  return /^refs\/world\/logs\/([0-9a-f]{16})$/.exec(ref)?.[1] ?? null;
}
