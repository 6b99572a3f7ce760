import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { askDaemon, readControlFile } from '../../daemon/control-client.js';
import { placesFor } from '../../daemon/places.js';
import { git } from '../../git/child.js';
import type { Repository } from '../../git/types.js';
import { type Finding, note, ok } from './check.js';

/** Asks the daemon of this repository, and names what a daemon that is gone left behind. */
export async function checkDaemon({ commonDir }: Repository): Promise<Finding> {
  const status = await askDaemon(commonDir, { op: 'status' });
  if (status !== undefined) return ok('daemon', `pid ${status.pid} at ${status.url}, head entry ${status.headIndex}`);
  const file = await readControlFile(commonDir);
  if (file === undefined) return ok('daemon', 'none runs');
  return note('daemon', `none runs; pid ${file.pid} ended without stopping`, 'nothing to do: the next start recovers');
}

/** Worktrees below the workspace root that git does not know, and registered ones whose directory is gone. */
export async function checkWorktrees(
  repository: Repository,
  env: Readonly<Record<string, string | undefined>>,
  workspaceRoot: string | undefined,
): Promise<readonly Finding[]> {
  const root = placesFor(repository.commonDir, env, workspaceRoot).workspaceRoot;
  const listed = await git(['worktree', 'list', '--porcelain', '-z'], { cwd: repository.commonDir });
  const blocks = listed.stdout.toString('utf8').split('\0\0');
  const paths = blocks.map((block) => ({
    path: /^worktree (.*)$/m.exec(block.replaceAll('\0', '\n'))?.[1] ?? '',
    gone: block.includes('\0prunable'),
  }));
  const findings = paths
    .filter((entry) => entry.gone)
    .map((entry) => note('worktrees', `${entry.path} is registered but gone`, 'forget it: git worktree prune'));
  const names = await readdir(root).catch(() => []);
  for (const name of names)
    if (!paths.some((entry) => entry.path === join(root, name)))
      findings.push(
        note('leftovers', `${join(root, name)} is no worktree of this repository`, 'remove it if it is yours'),
      );
  if (findings.length > 0) return findings;
  const own = paths.filter((entry) => entry.path.startsWith(`${root}/`)).length;
  return [ok('worktrees', `${own} below ${root}`)];
}

export function checkVariables(env: Readonly<Record<string, string | undefined>>): Finding {
  const session = env.WORLD_SESSION;
  if (session !== undefined && /^[0-9a-fA-F]{64}$/.test(session))
    return note('environment', 'WORLD_SESSION holds a token', 'a file name there is safer than the token itself');
  return ok('environment', 'nothing that gets in the way');
}
