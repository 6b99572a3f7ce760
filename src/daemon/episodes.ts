import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Episodes, episodeRegistry, openEpisode } from '../episode/episodes.js';
import { DENY_LIST, type RunAllowance } from '../episode/policy.js';
import { createWorktree } from '../episode/worktree.js';
import { git } from '../git/child.js';
import type { Repository } from '../git/types.js';
import type { EpisodeId, WorldLog } from '../log/types.js';
import type { Toolchain } from '../toolchain/types.js';
import type { Worktrees } from './operator-desk.js';
import type { Places } from './places.js';

interface EpisodeDeps {
  readonly repository: Repository;
  readonly places: Places;
  readonly log: WorldLog;
}

/** The episodes of this world, each opened on first use. */
export function openEpisodes(
  deps: EpisodeDeps & { toolchain: Toolchain; allowance: RunAllowance; now: () => number },
): Episodes {
  return episodeRegistry((episode) =>
    openEpisode({
      ...request(deps, episode),
      toolchain: deps.toolchain,
      allowance: deps.allowance,
      recordedTree: deps.log.state.episode(episode)?.tree ?? null,
      now: deps.now,
    }),
  );
}

/** Where the worktree of an episode is; null when it is not there. */
export async function locateWorktree(places: Places, episode: EpisodeId): Promise<string | null> {
  const root = join(places.workspaceRoot, episode);
  const found = await stat(root).catch(() => null);
  return found?.isDirectory() ? root : null;
}

/** Worktrees as the operator's desk makes, finds and reads them. */
export function worktreesOf(deps: EpisodeDeps & { episodes: Episodes }): Worktrees {
  const { repository, places, episodes } = deps;
  return {
    async create(episode) {
      const { root, baseCommit } = await createWorktree(request(deps, episode));
      const discard = async (): Promise<void> => {
        episodes.forget(episode);
        await git(['worktree', 'remove', '--force', root], { cwd: repository.commonDir });
      };
      try {
        const worktree = await episodes.worktree(episode);
        const snapshot = await worktree.snapshot();
        return {
          ...{ root, baseCommit, snapshot, discard },
          policy: worktree.policy.digest,
          denyList: DENY_LIST,
          recorded: () => worktree.persisted(snapshot),
        };
      } catch (error) {
        await discard();
        throw error;
      }
    },
    locate: (episode) => locateWorktree(places, episode),
    snapshot: async (episode) => (await episodes.worktree(episode)).snapshot(),
  };
}

function request({ repository, places }: EpisodeDeps, episode: EpisodeId) {
  return { repository, episode, workspaceRoot: places.workspaceRoot, stateDir: places.state };
}
