import type { BigIntStats } from 'node:fs';
import type { GitOid } from '../git/types.js';

/**
 * A file whose time stamps are this close to the moment it was read may change again without changing them. Wider than
 * any kernel's clock tick and file-system granularity up to 50 ms.
 */
const RACY_NS = 50_000_000n;

interface Known {
  readonly stamp: string;
  readonly oid: GitOid;
  /** False while the stamps are too young to prove that the content is still the one hashed. */
  readonly settled: boolean;
}

/** Remembers which bytes a path held, by its stat fields, so that only what changed is hashed again. */
export class StatCache {
  private previous = new Map<string, Known>();
  private current = new Map<string, Known>();

  /** The id the file had, when its stat fields prove that it is unchanged. */
  find(path: string, stat: BigIntStats): GitOid | undefined {
    const known = this.previous.get(path);
    if (known === undefined || !known.settled || known.stamp !== stampOf(stat)) return undefined;
    this.current.set(path, known);
    return known.oid;
  }

  /** @param readAt Unix nanoseconds just before the file was read */
  remember(path: string, stat: BigIntStats, oid: GitOid, readAt: bigint): void {
    const settled = stat.mtimeNs + RACY_NS < readAt && stat.ctimeNs + RACY_NS < readAt;
    this.current.set(path, { stamp: stampOf(stat), oid, settled });
  }

  /** Ends a walk: what it did not meet is forgotten. */
  turn(): void {
    this.previous = this.current;
    this.current = new Map();
  }
}

function stampOf(stat: BigIntStats): string {
  return `${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.ino} ${stat.mode}`;
}
