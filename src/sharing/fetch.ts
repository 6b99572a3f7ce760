import { WorldError } from '../errors.js';
import { git } from '../git/child.js';
import type { Repository } from '../git/types.js';
import { type Admission, admit } from './admit.js';
import { ownLog } from './own-log.js';
import { listRemoteLogs, type Remote, type RemoteLog, talk } from './remotes.js';

/** One log of the remote, and what became of it here. */
export interface FetchedLog {
  readonly log: RemoteLog;
  readonly result: Admission | WorldError;
}

/**
 * Brings the remote's logs to `refs/world/logs/*`: objects first, then the chain is proven, then the ref moves forward.
 * A log that cannot be taken in does not stop the others.
 * @param world only this one
 * @throws WorldError `log-absent` when the remote holds none, `remote-failed`
 */
export async function fetchLogs(
  repository: Repository,
  remote: Remote,
  world: string | undefined,
): Promise<readonly FetchedLog[]> {
  const wanted = (await listRemoteLogs(repository, remote)).filter((log) => world === undefined || log.world === world);
  if (wanted.length === 0)
    throw new WorldError(
      'log-absent',
      `${remote.shown} holds no log${world === undefined ? '' : ` of world ${world}`}`,
      { hint: 'whoever has it publishes it with: ailang-worldd push' },
    );
  const own = await ownLog(repository);
  const missing: RemoteLog[] = [];
  for (const log of wanted) if (!(await isHere(repository, log))) missing.push(log);
  if (missing.length > 0) {
    const settings = ['--quiet', '--no-tags', '--no-prune', '--no-write-fetch-head', '--recurse-submodules=no'];
    // Nothing is written but objects: `--refmap=` keeps git from moving refs the configuration names.
    await talk(repository, remote, ['fetch', ...settings, '--refmap=', remote.name, ...missing.map(({ ref }) => ref)]);
  }
  const fetched: FetchedLog[] = [];
  for (const log of wanted) {
    const result = await admit(repository, log.world, log.tip, own).catch((error: unknown) => {
      if (error instanceof WorldError) return error;
      throw error;
    });
    fetched.push({ log, result });
  }
  return fetched;
}

async function isHere(repository: Repository, { tip }: RemoteLog): Promise<boolean> {
  // Whole, not only the commit: what an interrupted fetch left is no log.
  const args = ['rev-list', '--objects', '--quiet', tip, '--not', '--all'];
  const answer = await git(args, {
    cwd: repository.commonDir,
    okExitCodes: [0, 1, 128],
    timeoutMs: 600_000,
    env: { GIT_NO_LAZY_FETCH: '1' },
  });
  return answer.exitCode === 0;
}
