import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from './child.js';
import { nodeFileSystem } from './file-system.js';
import type { GitOid, Repository } from './types.js';

const env = { GIT_NO_REPLACE_OBJECTS: '1', GIT_NO_LAZY_FETCH: '1' };
const timeoutMs = 6 * 3_600_000;

/**
 * Removes objects for good, packs and reflog of `ref` included, as far as nothing reaches them any more. Every other
 * object stays, unreachable ones as loose files. Rewrites the repository's packs once.
 * @returns those that are still there: reached by something else, or in a pack that a `.keep` file or an alternate holds
 */
export async function forgetObjects(
  repository: Repository,
  ref: string,
  objects: ReadonlySet<GitOid>,
): Promise<readonly GitOid[]> {
  const cwd = repository.commonDir;
  const folder = join(cwd, 'objects');
  const options = { cwd, env, timeoutMs, maxOutputBytes: 2 ** 31 - 1 };
  const log = await git(['reflog', 'exists', ref], { cwd, okExitCodes: [0, 1] });
  if (log.exitCode === 0) await git(['reflog', 'expire', '--expire=now', '--expire-unreachable=now', ref], options);
  // It names commits that are about to go; git writes it anew from what is there.
  const graph = await hasCommitGraph(folder);
  if (graph) {
    await rm(join(folder, 'info', 'commit-graph'), { force: true });
    await rm(join(folder, 'info', 'commit-graphs'), { recursive: true, force: true });
  }
  await git(['repack', '-A', '-d', '-q'], options);
  const listed = await git(['rev-list', '--objects', '--all', '--reflog', '--indexed-objects'], options);
  const gone = new Set(objects);
  for (const line of listed.stdout.toString('latin1').split('\n')) {
    const blank = line.indexOf(' ');
    gone.delete((blank < 0 ? line : line.slice(0, blank)) as GitOid);
  }
  for (const oid of gone) await rm(join(folder, oid.slice(0, 2), oid.slice(2)), { force: true });
  if (graph) await git(['commit-graph', 'write', '--reachable'], options);
  const left = await git(['cat-file', '--batch-check=%(objectname)'], { ...options, input: [...objects].join('\n') });
  return left.stdout
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.endsWith(' missing')) as GitOid[];
}

async function hasCommitGraph(folder: string): Promise<boolean> {
  const names = await nodeFileSystem.readdir(join(folder, 'info')).catch(() => []);
  return names.some((name) => name.startsWith('commit-graph'));
}
