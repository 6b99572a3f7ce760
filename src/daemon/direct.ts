import type { Repository } from '../git/types.js';
import { WorldError } from '../errors.js';
import type { ControlRequest, ControlResult } from './control-protocol.js';
import { openWorld } from './open-world.js';
import { handleOperatorRequest } from './operator-requests.js';

/**
 * Does an operator's act while no daemon runs: this process is the writer for as long as it takes.
 * @throws WorldError as `openWorld` and the act itself
 */
export async function operateDirectly<R extends ControlRequest>(
  repository: Repository,
  request: R,
  options: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly workspaceRoot?: string;
    readonly report: (line: string) => void;
  },
): Promise<ControlResult<R['op']>> {
  const world = await openWorld({
    directory: repository.worktree ?? repository.commonDir,
    workspaceRoot: options.workspaceRoot,
    examplesDir: undefined,
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
