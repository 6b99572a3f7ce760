import { WorldError } from '../../errors.js';
import { readRef } from '../../git/ref.js';
import type { GitOid, Repository } from '../../git/types.js';
import { logRef } from '../../log/log-ref.js';
import { plainGit } from './plain-git.js';

/** Where the log of one world stands in this repository. */
export interface LogPlace {
  readonly ref: string;
  readonly tip: GitOid;
}

const SHARED = 'refs/world/logs/';

/**
 * The logs to look at: the one of `ref` when given, else those of the worlds asked for, else the repository's own or
 * the only one that was fetched.
 * @throws WorldError `log-absent`
 */
export async function findLogs(
  repository: Repository,
  asked: {
    readonly ref: string | undefined;
    readonly worlds: readonly string[];
    /** Stand before what the repository holds under the same names. */
    readonly incoming: readonly LogPlace[];
  },
): Promise<readonly LogPlace[]> {
  const own = asked.ref ?? logRef;
  if (asked.ref !== undefined || asked.worlds.length === 0) {
    const tip = await readRef(repository, own);
    if (tip !== null) return [{ ref: own, tip }];
    const shared = asked.ref === undefined ? await sharedLogs(repository) : [];
    if (shared.length === 1) return shared;
    throw absent(own, shared);
  }
  const found: LogPlace[] = [];
  let missing = false;
  for (const world of asked.worlds) {
    const incoming = asked.incoming.find(({ ref }) => ref === `${SHARED}${world}`);
    const tip = incoming?.tip ?? (await readRef(repository, `${SHARED}${world}`));
    if (tip === null) missing = true;
    else found.push({ ref: `${SHARED}${world}`, tip });
  }
  const tip = missing ? await readRef(repository, own) : null;
  return tip === null ? found : [...found, { ref: own, tip }];
}

async function sharedLogs(repository: Repository): Promise<readonly LogPlace[]> {
  const listed = await plainGit(repository, ['for-each-ref', '--format=%(objectname) %(refname)', SHARED]);
  return listed.stdout
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ tip: line.slice(0, line.indexOf(' ')) as GitOid, ref: line.slice(line.indexOf(' ') + 1) }));
}

function absent(ref: string, shared: readonly LogPlace[]): WorldError {
  const hint =
    shared.length > 1
      ? `say which: ${shared.map((log) => `--ref ${log.ref}`).join(' or ')}`
      : "in a clone: git fetch origin 'refs/world/logs/*:refs/world/logs/*'; at home: ailang-worldd up";
  return new WorldError('log-absent', `there is no log at ${ref}`, { hint });
}
