import { NO_ALLOWANCE } from '../episode/policy.js';
import { asEpisodeId } from '../episode/worktree.js';
import { WorldError } from '../errors.js';
import type { Repository } from '../git/types.js';
import { openLogReader } from '../log/reader.js';
import type { LogState } from '../log/types.js';
import type { ControlRequest, ControlResult } from './control-protocol.js';
import { locateWorktree } from './episodes.js';
import { openWorld } from './open-world.js';
import { handleOperatorRequest } from './operator-requests.js';
import { placesFor } from './places.js';
import { episodeRows, sessionRows } from './rows.js';

export interface DirectOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workspaceRoot?: string;
  readonly report: (line: string) => void;
}

/**
 * Answers an operator's request while no daemon runs. A list only reads the log; an act makes this process its writer
 * for as long as it takes.
 * @throws WorldError as `openWorld`, `openLogReader` and the act itself
 */
export async function operateDirectly<R extends ControlRequest>(
  repository: Repository,
  request: R,
  options: DirectOptions,
): Promise<ControlResult<R['op']>> {
  const rows = await list(repository, request, options);
  if (rows !== undefined) return rows as ControlResult<R['op']>;
  const world = await openWorld({
    directory: repository.worktree ?? repository.commonDir,
    workspaceRoot: options.workspaceRoot,
    examples: 'none',
    allowance: NO_ALLOWANCE,
    env: options.env,
    report: options.report,
  });
  try {
    return await handleOperatorRequest(request, {
      desk: world.desk,
      flush: () => world.log.flush(),
      status: () => {
        throw new WorldError('no-daemon', 'no daemon runs');
      },
    });
  } finally {
    await world.close();
  }
}

/** Rows when the request is a list, undefined when it is an act. */
async function list(repository: Repository, request: ControlRequest, options: DirectOptions): Promise<unknown> {
  switch (request.op) {
    case 'session-list':
      return read(repository, async (state) => {
        const episode = request.episode === undefined ? undefined : asEpisodeId(request.episode);
        return sessionRows(state, Math.floor(Date.now() / 1000), episode);
      });
    case 'episode-list': {
      const places = placesFor(repository.commonDir, options.env, options.workspaceRoot);
      return read(repository, (state) => episodeRows(state, (episode) => locateWorktree(places, episode)));
    }
    default:
      return undefined;
  }
}

/** No log means no rows: a list writes nothing, so not genesis either. */
async function read<Row>(repository: Repository, rows: (state: LogState) => Promise<Row[]>): Promise<Row[]> {
  try {
    const reader = await openLogReader(repository);
    try {
      return await rows(reader.state);
    } finally {
      await reader.close();
    }
  } catch (error) {
    if (error instanceof WorldError && error.code === 'log-absent') return [];
    throw error;
  }
}
