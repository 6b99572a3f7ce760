import type { EpisodeWorktree } from '../episode/types.js';
import type { EpisodeId, Sha256Ref, Snapshot } from '../log/types.js';
import { admit, visibleTools } from './admit.js';
import { type Commit, commit } from './commit.js';
import { composeOutcome, composeRefusal } from './compose.js';
import { DEADLINES, type Invocation, type InvokerDeps } from './context.js';
import { execute } from './execute.js';
import { InvocationFailure } from './failure.js';
import { makePlan, type Planned } from './plan.js';
import { SerialQueue } from './queue.js';
import { reconcile } from './reconcile.js';
import type { Completed, Invoker } from './types.js';
import { effectRecordRef } from './world-member.js';

/**
 * One call, phase by phase (world-formats 6; log format section 4): admit, plan, execute, finish and compose, commit.
 * Calls of one episode run one after the other. From the intent on a call no longer depends on its caller.
 */
export function createInvoker(deps: InvokerDeps): Invoker {
  const queue = new SerialQueue<EpisodeId>();
  const inFlight = new Map<string, Promise<unknown>>();
  let draining = false;

  return {
    visibleTools: (session) => visibleTools(deps, session),
    async invoke(call) {
      const invocation = admit(deps, call);
      const { invocationId } = invocation;
      if (draining) throw new InvocationFailure('capacity', invocationId, 'the daemon is shutting down');
      if (inFlight.has(invocationId)) {
        throw new InvocationFailure('in-flight', invocationId, 'a call with this task id is still running');
      }
      const work = queue.run(call.session.episode, () => perform(deps, invocation));
      inFlight.set(invocationId, work);
      const done = () => inFlight.delete(invocationId);
      work.then(done, done);
      return withDeadline(deps, invocation, work);
    },
    async drain() {
      draining = true;
      while (inFlight.size > 0) await Promise.allSettled(inFlight.values());
    },
  };
}

/** The caller waits for the deadline only while nothing has been dispatched; later the phases' own bounds hold. */
function withDeadline(deps: InvokerDeps, invocation: Invocation, work: Promise<Completed>): Promise<Completed> {
  return new Promise((resolve, reject) => {
    const cancel = deps.timers.after(DEADLINES.call, () => {
      if (!invocation.progress.abandon()) return;
      const message = `the call did not reach its effect within ${DEADLINES.call} ms; nothing ran`;
      reject(new InvocationFailure('deadline', invocation.invocationId, message));
    });
    work.then(resolve, reject).finally(cancel);
  });
}

async function perform(deps: InvokerDeps, invocation: Invocation): Promise<Completed> {
  const earlier = await reconcile(deps, invocation);
  if (earlier !== null) return earlier;
  if (invocation.progress.abandoned) {
    throw new InvocationFailure('deadline', invocation.invocationId, 'the caller’s time was over; nothing ran');
  }
  const worktree = await openWorktree(deps, invocation);
  const planned = makePlan(invocation);
  const [effect] = planned.plan.effects;
  if (effect === undefined) return refused(deps, invocation, worktree, planned);
  const { outcome, snapshot } = await execute(deps, invocation, worktree, effect);
  const completed = await finishing(deps, invocation, [effectRecordRef(outcome.evidence.record)], async () => {
    const composed = composeOutcome(invocation, planned, outcome);
    return commit(deps, invocation, { planned, composed, effects: [outcome.evidence], worktree: snapshot });
  });
  worktree.persisted(snapshot);
  return completed;
}

/** A refused plan touches nothing: the entry repeats the tree recorded last. */
async function refused(
  deps: InvokerDeps,
  invocation: Invocation,
  worktree: EpisodeWorktree,
  planned: Planned,
): Promise<Completed> {
  const composed = composeRefusal(invocation, planned);
  const tree = deps.log.state.episode(invocation.call.session.episode)?.tree ?? null;
  const snapshot: Snapshot = tree === null ? await worktree.snapshot() : { tree, objects: [] };
  const made: Commit = { planned, composed, effects: [], worktree: snapshot };
  const completed = await finishing(deps, invocation, [], () => commit(deps, invocation, made));
  worktree.persisted(snapshot);
  return completed;
}

/** Bounds what follows the effect. A failure here names the effects that ran; without any, resending is safe. */
async function finishing(
  deps: InvokerDeps,
  invocation: Invocation,
  effectRecords: readonly Sha256Ref[],
  step: () => Promise<Completed>,
): Promise<Completed> {
  const { invocationId } = invocation;
  const failure = (cause?: unknown) =>
    effectRecords.length > 0
      ? new InvocationFailure('effects-unrecorded', invocationId, 'the effect ran but was not confirmed committed', {
          effectRecords,
          cause,
        })
      : new InvocationFailure('unconfirmed', invocationId, 'the entry was not confirmed', { cause });
  // From here on the call ends by itself, within its own bound.
  invocation.progress.dispatch();
  if (invocation.progress.abandoned && effectRecords.length === 0) {
    throw new InvocationFailure('deadline', invocationId, 'the caller’s time was over; nothing ran');
  }
  try {
    return await deps.timers.bound(step(), DEADLINES.finishing, () => {
      throw failure();
    });
  } catch (cause) {
    throw cause instanceof InvocationFailure && cause.kind !== 'output' ? cause : failure(cause);
  }
}

async function openWorktree(deps: InvokerDeps, invocation: Invocation): Promise<EpisodeWorktree> {
  const { episode } = invocation.call.session;
  const fail = (why: string, cause?: unknown) =>
    new InvocationFailure('unsupported-effect', invocation.invocationId, `episode "${episode}": ${why}`, { cause });
  if (deps.log.state.episode(episode)?.open !== true) throw fail('it is not open');
  try {
    return await deps.episodes.worktree(episode);
  } catch (cause) {
    throw fail('its workspace tools are not available', cause);
  }
}
