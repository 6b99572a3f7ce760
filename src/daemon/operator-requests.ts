import { asEpisodeId } from '../episode/worktree.js';
import { WorldError } from '../errors.js';
import type { ControlRequest, ControlResult, DaemonStatus } from './control-protocol.js';
import type { OperatorDesk } from './operator-desk.js';

/** Answers an operator's request: over the control channel, or directly when no daemon runs. */
export async function handleOperatorRequest<R extends ControlRequest>(
  request: R,
  context: { readonly desk: OperatorDesk; flush(): Promise<void>; status(): DaemonStatus },
): Promise<ControlResult<R['op']>> {
  return (await answer(request, context)) as ControlResult<R['op']>;
}

async function answer(
  request: ControlRequest,
  { desk, flush, status }: { readonly desk: OperatorDesk; flush(): Promise<void>; status(): DaemonStatus },
): Promise<unknown> {
  switch (request.op) {
    case 'status':
      return status();
    case 'flush':
      await flush();
      return {};
    case 'session-mint': {
      const { grants, ttlSeconds } = request;
      return desk.mint({ episode: asEpisodeId(request.episode), grants, ttlSeconds });
    }
    case 'session-list':
      return desk.listSessions(request.episode === undefined ? undefined : asEpisodeId(request.episode));
    case 'session-revoke':
      return { credentialIds: await desk.revoke(revocation(request)) };
    case 'episode-open':
      return desk.openEpisode(asEpisodeId(request.episode));
    case 'episode-list':
      return desk.listEpisodes();
    case 'episode-close':
      return desk.closeEpisode(asEpisodeId(request.episode));
  }
}

function revocation({ credentialId, episode }: Extract<ControlRequest, { op: 'session-revoke' }>) {
  if (credentialId !== undefined && /^[0-9a-f]{8,64}$/.test(credentialId)) return { credentialId };
  if (credentialId === undefined && episode !== undefined) return { episode: asEpisodeId(episode) };
  throw new WorldError('session-unknown', 'name one session (at least 8 digits of its credential id) or one episode');
}
