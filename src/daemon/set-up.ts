import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { WorldError } from '../errors.js';
import { git } from '../git/child.js';
import type { Repository } from '../git/types.js';
import type { EpisodeId } from '../log/types.js';
import { type OpenWorld, openWorld } from './open-world.js';
import type { GrantRequest } from './sessions.js';
import { resolveBearer } from './sessions.js';
import { listen, type RunningDaemon, type StartOptions } from './start.js';
import { readTokenFile, writeTokenFile } from './token-file.js';

export interface SetUpOptions extends StartOptions {
  readonly episode: EpisodeId;
  readonly grants: readonly GrantRequest[];
  readonly ttlSeconds: number;
}

export interface PreparedSession {
  /** Token file, 0600. */
  readonly file: string;
  readonly worktree: string;
  /** The token in the file was still good. */
  readonly reused: boolean;
  /** The operator's worktree holds changes that no commit has. */
  readonly dirty: boolean;
}

/**
 * Everything between a bare `git init` and a first call: genesis, episode, worktree, session, token file, server. What
 * is there already is kept.
 * @throws WorldError as `startDaemon`, and `bare-repository`, `unborn-head`, `episode-closed`, `worktree-gone`, `unwritable`
 */
export async function setUp(options: SetUpOptions): Promise<{ daemon: RunningDaemon; session: PreparedSession }> {
  const world = await openWorld(options);
  try {
    await world.recordProgram();
    const worktree = await ensureEpisode(world, options.episode);
    const token = await ensureToken(world, options);
    const dirty = await isDirty(world.repository);
    const daemon = await listen(world, options);
    return { daemon, session: { ...token, worktree, dirty } };
  } catch (error) {
    await world.close();
    throw error;
  }
}

async function ensureEpisode(world: OpenWorld, episode: EpisodeId): Promise<string> {
  const known = world.log.state.episode(episode);
  if (known === undefined) {
    const row = await world.desk.openEpisode(episode);
    if (row.worktree !== null) return row.worktree;
  } else if (!known.open) {
    throw new WorldError('episode-closed', `episode ${episode} is closed`, {
      hint: 'start with another name: ailang-worldd up --episode <name>',
    });
  }
  const worktree = await world.worktrees.locate(episode);
  if (worktree === null)
    throw new WorldError(
      'worktree-gone',
      `the worktree of episode ${episode} is gone from ${world.places.workspaceRoot}`,
      {
        hint: `its files are in the log (git ls-tree refs/world/log:worktree); name the right --workspace-root, or take another --episode`,
      },
    );
  return worktree;
}

async function ensureToken(world: OpenWorld, options: SetUpOptions): Promise<{ file: string; reused: boolean }> {
  const file = join(world.places.sessions, `${options.episode}.token`);
  const kept = await readTokenFile(file);
  if (kept !== undefined) {
    const resolution = resolveBearer(`Bearer ${kept}`, world.log.state, Math.floor(world.now() / 1000));
    const isOurs = resolution.outcome === 'live' && resolution.session.episode === options.episode;
    // What the operator has enabled since needs a session that holds its grant.
    const holdsAll =
      resolution.outcome === 'live' &&
      options.grants.every(({ effect }) => resolution.session.grants.some((grant) => grant.effect === effect));
    if (isOurs && holdsAll && ((await stat(file)).mode & 0o077) === 0) return { file, reused: true };
  }
  const minted = await world.desk.mint(options);
  try {
    await writeTokenFile(file, minted.token, { replace: true });
  } catch (error) {
    await world.desk.revoke({ credentialId: minted.credentialId });
    throw error;
  }
  return { file, reused: false };
}

async function isDirty({ worktree }: Repository): Promise<boolean> {
  if (worktree === null) return false;
  const status = await git(['status', '--porcelain', '--untracked-files=normal'], { cwd: worktree });
  return status.stdout.length > 0;
}
