import { WorldError } from '../errors.js';
import { git } from '../git/child.js';
import { asGitOid } from '../git/oid.js';
import type { GitOid, Repository } from '../git/types.js';
import { type Admission, admit } from './admit.js';
import { ownLog } from './own-log.js';
import { worldOf } from './shared-ref.js';

export interface ImportedLog {
  readonly world: string;
  readonly admission: Admission;
}

/**
 * Takes the log of a bundle to `refs/world/logs/*`: objects first, then the chain is proven, then the ref moves forward.
 * @throws WorldError `bundle-unreadable`, `bundle-foreign` when it holds anything but one log, and as `admit`
 */
export async function importBundle(repository: Repository, file: string): Promise<ImportedLog> {
  const { world, tip } = await lookInto(repository, file);
  await bundle(repository, file, 'unbundle');
  return { world, admission: await admit(repository, world, tip, await ownLog(repository)) };
}

async function lookInto(repository: Repository, file: string): Promise<{ world: string; tip: GitOid }> {
  const heads = (await bundle(repository, file, 'list-heads')).split('\n').filter(Boolean);
  const [tip = '', ref = ''] = heads[0]?.split(' ') ?? [];
  const world = worldOf(ref);
  if (world === null || heads.length > 1)
    throw new WorldError('bundle-foreign', `${file} is a bundle of something else than one log`, {
      hint: 'make one with: ailang-worldd export',
      data: { refs: heads.map((line) => line.slice(line.indexOf(' ') + 1)) },
    });
  return { world, tip: asGitOid(tip, repository.objectFormat) };
}

async function bundle(repository: Repository, file: string, action: 'list-heads' | 'unbundle'): Promise<string> {
  try {
    const options = { cwd: repository.commonDir, timeoutMs: 3_600_000 };
    return (await git(['bundle', action, file], options)).stdout.toString();
  } catch (error) {
    if (!(error instanceof WorldError) || error.code !== 'git-failed') throw error;
    const why = String(error.data.stderr ?? '').split('\n')[0] || error.message;
    throw new WorldError('bundle-unreadable', `${file} cannot be read: ${why}`, {
      hint: 'It must be a whole git bundle, for a repository with the same hash (SHA-1 or SHA-256).',
      cause: error,
    });
  }
}
