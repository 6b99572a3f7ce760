import type { BrokerOutcome } from '../broker/broker.js';
import { filesChangedBy } from '../broker/handlers.js';
import type { EpisodeWorktree } from '../episode/types.js';
import { WorldError } from '../errors.js';
import type { Snapshot } from '../log/types.js';
import type { PlannedEffect } from '../tools/types.js';
import { seconds } from './admit.js';
import { DEADLINES, type Invocation, type InvokerDeps } from './context.js';
import { recordDrift } from './drift.js';
import { InvocationFailure } from './failure.js';
import { effectRecordRef } from './world-member.js';

/** What an effect left behind: its outcome and the worktree right after it. */
export interface Executed {
  readonly outcome: BrokerOutcome;
  readonly snapshot: Snapshot;
}

/**
 * Carries out the one planned effect under the worktree's lock: first what changed outside a call is recorded, then the
 * broker decides and the handler runs, then the files are looked at again.
 * @throws InvocationFailure `unknown-tool`, `execution`, `deadline` before anything ran; `not-committed` when the
 * intent was not durable; `effects-unrecorded` after the effect
 */
export async function execute(
  deps: InvokerDeps,
  invocation: Invocation,
  worktree: EpisodeWorktree,
  planned: PlannedEffect,
): Promise<Executed> {
  const unlock = await before(invocation, () => worktree.lock());
  try {
    const found = await before(invocation, () => worktree.snapshot());
    await before(invocation, () => recordDrift(deps, invocation, worktree, found));
    const outcome = await dispatch(deps, invocation, worktree, planned);
    if (outcome.status === 'denied') return { outcome, snapshot: found };
    const changed = filesChangedBy(planned.effect, planned.payload);
    if (changed === 'none') return { outcome, snapshot: found };
    const look = () => worktree.snapshot(changed === 'any' ? undefined : changed.path);
    return { outcome, snapshot: await after(deps, invocation, outcome, look) };
  } finally {
    await unlock();
  }
}

async function dispatch(
  deps: InvokerDeps,
  invocation: Invocation,
  worktree: EpisodeWorktree,
  planned: PlannedEffect,
): Promise<BrokerOutcome> {
  const { invocationId, arrivedAt, progress } = invocation;
  // It may have waited for its turn: authority is looked at again right before it is used.
  if (deps.log.state.session(invocation.call.session.credentialId)?.revoked === true) {
    throw new InvocationFailure('unknown-tool', invocationId, 'the session was revoked; nothing ran');
  }
  const left = DEADLINES.call - (deps.now() - arrivedAt) - DEADLINES.plan - DEADLINES.finishing;
  if (progress.abandoned || left <= 0) {
    throw new InvocationFailure('deadline', invocationId, 'the call’s time was over before its effect; nothing ran');
  }
  try {
    return await deps.broker.perform({
      invocationId,
      grants: invocation.call.session.grants,
      planned,
      now: seconds(deps),
      worktree,
      handlerMs: Math.min(DEADLINES.handler, left),
      onSpent: () => progress.dispatch(),
    });
  } catch (cause) {
    throw new InvocationFailure('not-committed', invocationId, 'the intent could not be recorded; nothing ran', {
      cause,
    });
  }
}

async function before<T>(invocation: Invocation, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (cause) {
    if (cause instanceof InvocationFailure) throw cause;
    const why = cause instanceof WorldError ? cause.code : 'unexpected error';
    const message = `the effect could not be started (${why}); nothing ran`;
    throw new InvocationFailure('execution', invocation.invocationId, message, { cause });
  }
}

async function after<T>(
  deps: InvokerDeps,
  invocation: Invocation,
  outcome: BrokerOutcome,
  step: () => Promise<T>,
): Promise<T> {
  const unrecorded = (cause?: unknown) =>
    new InvocationFailure('effects-unrecorded', invocation.invocationId, 'the effect ran but was not committed', {
      effectRecords: [effectRecordRef(outcome.evidence.record)],
      cause,
    });
  try {
    return await deps.timers.bound(step(), DEADLINES.finishing, () => {
      throw unrecorded();
    });
  } catch (cause) {
    throw cause instanceof InvocationFailure ? cause : unrecorded(cause);
  }
}
