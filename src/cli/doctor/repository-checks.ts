import { access, constants, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { WorldError } from '../../errors.js';
import { git } from '../../git/child.js';
import { openRepository } from '../../git/repository.js';
import type { Repository } from '../../git/types.js';
import { broken, type Finding, ok } from './check.js';

const OLDEST_NODE = 20;

export function checkNode(version: string): Finding {
  const major = Number(/^v?(\d+)/.exec(version)?.[1]);
  return major >= OLDEST_NODE
    ? ok('node', version)
    : broken('node', `${version} is too old`, `install Node ${OLDEST_NODE} or newer`);
}

/** Opening the repository checks the version of git too. */
export async function checkRepository(
  directory: string,
): Promise<{ readonly findings: readonly Finding[]; readonly repository: Repository | null }> {
  try {
    const repository = await openRepository(directory);
    const version = (await git(['--version'], { cwd: directory })).stdout.toString('utf8').trim();
    const kind = `${repository.objectFormat}, refs in ${repository.refStorage}`;
    const found =
      repository.worktree === null
        ? broken('repository', `${repository.commonDir} has no worktree here`, 'go to a worktree of the repository')
        : ok('repository', `${repository.worktree} (${kind})`);
    return { findings: [ok('git', version), found], repository };
  } catch (error) {
    if (!(error instanceof WorldError)) throw error;
    const name = error.code.startsWith('git-') ? 'git' : 'repository';
    return { findings: [broken(name, error.message, error.hint ?? 'see the message')], repository: null };
  }
}

export async function checkHead({ worktree, gitDir }: Repository): Promise<Finding> {
  const cwd = worktree ?? gitDir;
  const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { cwd, okExitCodes: [0, 1, 128] });
  if (head.exitCode !== 0) return broken('head', 'no commit yet', 'make one: git commit --allow-empty -m "Start"');
  return ok('head', head.stdout.toString('utf8').trim());
}

export async function checkWritable({ commonDir }: Repository): Promise<Finding> {
  for (const directory of [commonDir, join(commonDir, 'objects'), join(commonDir, 'refs'), join(commonDir, 'world')]) {
    const exists = await stat(directory).then(
      () => true,
      () => false,
    );
    const writable = await access(directory, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    );
    if (exists && !writable)
      return broken('writable', `${directory} cannot be written`, 'make it yours: chmod or chown');
  }
  return ok('writable', commonDir);
}
