import { readRef } from '../git/ref.js';
import type { GitOid, Repository } from '../git/types.js';
import { logRef } from '../log/log-ref.js';
import { openLogReader } from '../log/reader.js';

/** The log this repository itself writes. */
export interface OwnLog {
  readonly world: string;
  readonly tip: GitOid;
}

/**
 * The repository's own log as it stands behind the ref; null when it writes none.
 * @throws WorldError `ref-corrupt`, `log-entry-malformed`
 */
export async function ownLog(repository: Repository): Promise<OwnLog | null> {
  if ((await readRef(repository, logRef)) === null) return null;
  const reader = await openLogReader(repository);
  try {
    return { world: reader.worldId, tip: reader.head.commit };
  } finally {
    await reader.close();
  }
}
