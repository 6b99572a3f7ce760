import type { Stats } from 'node:fs';
import type { GitOid } from '../git/types.js';

/**
 * A file whose time stamps are this close to the moment it was read may change again without changing them. Wider than
 * any kernel's clock tick and file-system granularity up to 50 ms.
 */
const RACY_MS = 50;

interface Known {
  readonly stat: Stats;
  readonly oid: GitOid;
  /** False while the stamps are too young to prove that the content is still the one hashed. */
  readonly settled: boolean;
}

/** Remembers which bytes a path held, by its stat fields, so that only what changed is hashed again. */
export class StatCache {
  private previous = new Map<string, Known>();
  private current = new Map<string, Known>();

  /** The id the file had, when its stat fields prove that it is unchanged. */
  find(path: string, stat: Stats): GitOid | undefined {
    const known = this.previous.get(path);
    if (known === undefined || !known.settled || !sameStamp(known.stat, stat)) return undefined;
    this.current.set(path, known);
    return known.oid;
  }

  /** @param readAt Unix milliseconds just before the file was read */
  remember(path: string, stat: Stats, oid: GitOid, readAt: number): void {
    const settled = stat.mtimeMs + RACY_MS < readAt && stat.ctimeMs + RACY_MS < readAt;
    this.current.set(path, { stat, oid, settled });
  }

  /** Ends a walk: what it did not meet is forgotten. */
  turn(): void {
    this.previous = this.current;
    this.current = new Map();
  }

  /** Ends a look at a few paths: what it did not meet is kept. */
  merge(): void {
    for (const [path, known] of this.current) this.previous.set(path, known);
    this.current = new Map();
  }
}

/** Stamps as doubles tell apart a quarter of a microsecond, far below what `RACY_MS` allows for. */
function sameStamp(a: Stats, b: Stats): boolean {
  return (
    a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.size === b.size && a.ino === b.ino && a.mode === b.mode
  );
}
