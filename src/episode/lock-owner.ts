import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Who holds a lock, or held it last, beside the lock: `<pid> <host>`. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
}

/** The name stays when the lock is given up, so that the same holder need not write it for every call. */
export function writeOwner(path: string): void {
  const owner = readOwner(path);
  if (owner?.pid === process.pid && owner.host === hostname()) return;
  writeFileSync(`${path}.owner`, `${process.pid} ${hostname()}\n`, { mode: 0o600 });
}

/** Null when nobody signed, or nothing legible. */
export function readOwner(path: string): LockOwner | null {
  try {
    const [, pid, host] = /^(\d+) (\S+)\n$/.exec(readFileSync(`${path}.owner`, 'utf8')) ?? [];
    return pid === undefined || host === undefined ? null : { pid: Number(pid), host };
  } catch {
    return null;
  }
}

/** True only when the holder is known to be no more: a process of this machine that does not run. */
export function isGone(owner: LockOwner): boolean {
  if (owner.host !== hostname() || owner.pid <= 1) return false;
  try {
    process.kill(owner.pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
