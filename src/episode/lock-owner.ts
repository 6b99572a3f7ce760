import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Who holds a lock, beside the lock: `<pid> <host>`. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
}

export function writeOwner(path: string): void {
  writeFileSync(`${path}.owner`, `${process.pid} ${hostname()}\n`, { mode: 0o600 });
}

export function removeOwner(path: string): void {
  rmSync(`${path}.owner`, { force: true });
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
