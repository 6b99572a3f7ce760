import type { EpisodeWorktree } from '../episode/types.js';
import type { Snapshot } from '../log/types.js';
import { seconds } from './admit.js';
import type { Invocation, InvokerDeps } from './context.js';

/**
 * Records that the worktree changed outside a call, just before the call that found it, so that later proofs do not
 * count those bytes as made through World.
 */
export async function recordDrift(
  deps: InvokerDeps,
  invocation: Invocation,
  worktree: EpisodeWorktree,
  found: Snapshot,
): Promise<void> {
  const { episode } = invocation.call.session;
  const recorded = deps.log.state.episode(episode)?.tree ?? null;
  if (recorded === null || recorded === found.tree) return;
  await deps.log.append({
    kind: 'operator',
    act: { act: 'drift', episode, previousTree: recorded, time: seconds(deps) },
    author: deps.daemon,
    interpreter: deps.interpreter,
    worktree: found,
  });
  worktree.persisted(found);
}
