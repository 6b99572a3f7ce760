import { WorldError } from '../errors.js';
import { git, hideSecrets, remoteGit } from '../git/child.js';
import { asGitOid } from '../git/oid.js';
import type { GitOid, Repository } from '../git/types.js';
import { sharedLogs, worldOf } from './shared-ref.js';

/** A git remote by its name, or any URL or path git takes. */
export interface Remote {
  /** What git is given. */
  readonly name: string;
  /** For people: the URL without user and password. */
  readonly shown: string;
}

/** One world's log on a remote. */
export interface RemoteLog {
  readonly world: string;
  readonly ref: string;
  readonly tip: GitOid;
}

/** No stop of git's own: a slow line is no failure, a dead one is noticed by the transport. */
export const transferTimeoutMs = 6 * 3_600_000;

/**
 * The remote asked for; else the configured `world.remote`; else `origin`, or the only one there is.
 * @throws WorldError `remote-unknown`, `remote-secret` when a URL carries a user name or password
 */
export async function chooseRemote(repository: Repository, asked: string | undefined): Promise<Remote> {
  const cwd = repository.commonDir;
  const listed = (await git(['remote'], { cwd })).stdout.toString().split('\n').filter(Boolean);
  const configured = await git(['config', '--get', 'world.remote'], { cwd, okExitCodes: [0, 1] });
  const preferred = asked ?? (configured.stdout.toString().trim() || undefined);
  const name = preferred ?? (listed.includes('origin') ? 'origin' : listed.length === 1 ? listed[0] : undefined);
  if (name === undefined)
    throw new WorldError('remote-unknown', 'say which remote: there is no origin', {
      hint:
        listed.length === 0
          ? 'git remote add origin <url>, or give a URL'
          : `one of: ${listed.join(', ')}, or: git config world.remote <name>`,
    });
  if (listed.includes(name)) {
    const url = (await git(['remote', 'get-url', name], { cwd })).stdout.toString().trim();
    return { name, shown: `${name} (${hideSecrets(url)})` };
  }
  if (/^https?:\/\/[^/]*@/i.test(name))
    throw new WorldError('remote-secret', 'a URL with a user or password in it is not used: other users can read it', {
      hint: 'keep the password in a git credential helper, and give the URL without it',
    });
  const path = /^(?:\.{0,2}\/|[a-z][a-z0-9+.-]*:\/\/|[^/:\s]+:)/i.test(name);
  if (name.startsWith('-') || !path)
    throw new WorldError('remote-unknown', `there is no remote ${JSON.stringify(name)}`, {
      hint: listed.length === 0 ? 'git remote add origin <url>' : `remotes here: ${listed.join(', ')}`,
    });
  return { name, shown: hideSecrets(name) };
}

/**
 * The logs a remote holds, in order of their names.
 * @throws WorldError `remote-failed`
 */
export async function listRemoteLogs(repository: Repository, remote: Remote): Promise<readonly RemoteLog[]> {
  const answer = await talk(repository, remote, ['ls-remote', '--quiet', remote.name, `${sharedLogs}*`]);
  return answer
    .split('\n')
    .map((line) => line.split('\t'))
    .flatMap(([oid = '', ref = '']) => {
      const world = worldOf(ref);
      return world === null ? [] : [{ world, ref, tip: asGitOid(oid, repository.objectFormat) }];
    });
}

/**
 * Runs a git command that talks to the remote and resolves with its output.
 * @param okExitCodes exit codes that are answers; default 0 only
 * @throws WorldError `remote-failed` with git's own words
 */
export async function talk(
  repository: Repository,
  remote: Remote,
  args: readonly string[],
  okExitCodes: readonly number[] = [0],
): Promise<string> {
  try {
    // Where git itself takes a relative path of a remote from.
    const cwd = repository.worktree ?? repository.commonDir;
    const options = { cwd, timeoutMs: transferTimeoutMs, okExitCodes };
    return (await remoteGit(args, options)).stdout.toString();
  } catch (error) {
    if (!(error instanceof WorldError) || error.code !== 'git-failed') throw error;
    const stderr = String(error.data.stderr ?? '');
    const lines = stderr.split('\n').filter((line) => /^(?:fatal|error|remote|ssh|Permission|Host key)/.test(line));
    throw new WorldError('remote-failed', `${remote.shown}: ${lines.at(0) ?? error.message}`, {
      hint: 'Nothing was changed here. git never asks for passwords under us: use an ssh agent or a credential helper, and try: git ls-remote',
      data: error.data,
      cause: error,
    });
  }
}
