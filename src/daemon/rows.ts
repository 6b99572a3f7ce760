import type { EpisodeId, LogState } from '../log/types.js';
import type { EpisodeRow, SessionRow } from './control-protocol.js';

/** Sessions that are not revoked, with what their episodes have spent. */
export function sessionRows(state: LogState, nowSeconds: number, episode?: EpisodeId): SessionRow[] {
  return state
    .sessions()
    .filter((session) => !session.revoked && (episode === undefined || session.episode === episode))
    .map((session) => ({
      credentialId: session.credentialId,
      episode: session.episode,
      live: nowSeconds < session.expiresAt,
      createdAt: session.createdAt,
      expiresAt: session.expiresAt,
      grants: session.grants.map((grant) => ({
        ...grant,
        spent: state.spent(session.episode, grant.effect, grant.scope),
      })),
    }));
}

/** All episodes, oldest first. */
export function episodeRows(
  state: LogState,
  locate: (episode: EpisodeId) => Promise<string | null>,
): Promise<EpisodeRow[]> {
  return Promise.all(
    state.episodes().map(async ({ episode, open, baseCommit }) => ({
      episode,
      open,
      baseCommit,
      worktree: await locate(episode),
    })),
  );
}
