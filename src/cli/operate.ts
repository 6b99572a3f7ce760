import { resolve } from 'node:path';
import { askDaemon } from '../daemon/control-client.js';
import type { ControlRequest, ControlResult } from '../daemon/control-protocol.js';
import { openRepository } from '../git/repository.js';
import type { Io } from './verb.js';

/** Flags of every operator verb. */
export const operatorFlags = {
  repo: { type: 'string' },
  'workspace-root': { type: 'string' },
} as const;

export interface OperatorFlags {
  readonly repo?: string | undefined;
  readonly 'workspace-root'?: string | undefined;
}

/** Runs one operator request: through the daemon that serves the repository, else on the log itself. */
export async function operate<R extends ControlRequest>(
  request: R,
  flags: OperatorFlags,
  io: Io,
): Promise<ControlResult<R['op']>> {
  const repository = await openRepository(resolve(io.cwd, flags.repo ?? '.'));
  const answer = await askDaemon(repository.commonDir, request);
  if (answer !== undefined) return answer;
  const { operateDirectly } = await import('../daemon/direct.js');
  const root = flags['workspace-root'];
  return operateDirectly(repository, request, {
    env: io.env,
    ...(root === undefined ? {} : { workspaceRoot: resolve(io.cwd, root) }),
    report: (line) => void io.stderr.write(`${line}\n`),
  });
}
