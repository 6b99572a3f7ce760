import type { EpisodeWorktree } from '../episode/types.js';
import { explainChain, WorldError } from '../errors.js';
import { encodeCanonical, encodeInput } from '../log/canonical-json.js';
import { sha256Ref } from '../log/hash.js';
import { encodeRequest } from '../log/request-framing.js';
import type { EffectEvidence, EffectRecord, Grant, JsonObject, Sha256Ref, WorldLog } from '../log/types.js';
import type { PlannedEffect } from '../tools/types.js';
import { type Ask, decide, explainDenial } from './decide.js';
import { type HandlerContext, HandlerFailure } from './handler.js';
import { HANDLERS } from './handlers.js';
import type { Timers } from './timers.js';

/** Most bytes of a handler's output: what is left of the 1 MiB of an output object after its `world` member. */
const RESULT_LIMIT = 1024 * 1024 - 1024;

export interface BrokerCall {
  readonly invocationId: string;
  readonly grants: readonly Grant[];
  readonly planned: PlannedEffect;
  /** Unix seconds, the one `now` of the call. */
  readonly now: number;
  readonly worktree: EpisodeWorktree;
  /** Milliseconds. */
  readonly handlerMs: number;
  /** Called the moment a unit is spent: from here the effect may run whatever becomes of the caller. */
  readonly onSpent: () => void;
}

export type BrokerOutcome =
  | { readonly status: 'ok'; readonly evidence: EffectEvidence; readonly output: JsonObject }
  | { readonly status: 'denied' | 'failed'; readonly evidence: EffectEvidence; readonly reason: string };

export interface Broker {
  /** Whether there is a handler for the effect. */
  supports(effect: string): boolean;
  /**
   * Decides, makes the intent durable, runs the handler. A denial and a failed handler are outcomes.
   * @throws WorldError only when the intent could not be made durable; then no handler has run
   */
  perform(call: BrokerCall): Promise<BrokerOutcome>;
}

export interface BrokerDeps extends HandlerContext {
  readonly log: WorldLog;
  readonly timers: Timers;
  /** One line for the operator. */
  readonly report: (line: string) => void;
}

export function createBroker(deps: BrokerDeps): Broker {
  return {
    supports: (effect) => HANDLERS.has(effect),
    perform: (call) => perform(deps, call),
  };
}

async function perform(deps: BrokerDeps, call: BrokerCall): Promise<BrokerOutcome> {
  const { planned, now } = call;
  const { episode } = call.worktree;
  const { id, effect, scope, cost } = planned;
  const ask: Ask = { effect, scope, cost, now };
  const request = encodeRequest({ ...ask, payload: encodeCanonical(planned.payload) });
  const requestRef = sha256Ref(request);
  // No await between decision and intent: two callers must not share one unit.
  const decision = decide(ask, call.grants, (grant) =>
    Math.max(0, grant.budget - deps.log.state.spent(episode, grant.effect, grant.scope)),
  );
  const base = { effect, scope, cost, budgetBefore: decision.budgetBefore, requestRef };
  if (!decision.allowed) {
    const record: EffectRecord = {
      ...base,
      budgetAfter: decision.budgetBefore,
      allowed: false,
      failed: false,
      denial: decision.label,
      resultRef: '',
    };
    const evidence = { id, request, result: null, record, intent: null };
    return { status: 'denied', evidence, reason: explainDenial(ask, decision) };
  }
  const { intent, durable } = deps.log.recordIntent({
    invocationId: call.invocationId,
    episodeId: episode,
    effect,
    scope,
    cost,
    requestRef,
    logicalTime: now,
  });
  call.onSpent();
  await durable;
  const spent = { ...base, budgetAfter: decision.budgetBefore - cost, allowed: true, denial: '' } as const;
  const handled = await runHandler(deps, call);
  if ('reason' in handled) {
    const record: EffectRecord = { ...spent, failed: true, resultRef: '' };
    return { status: 'failed', evidence: { id, request, result: null, record, intent }, reason: handled.reason };
  }
  const record: EffectRecord = { ...spent, failed: false, resultRef: handled.ref };
  return {
    status: 'ok',
    evidence: { id, request, result: handled.bytes, record, intent },
    output: handled.output,
  };
}

type Handled =
  | { readonly output: JsonObject; readonly bytes: Buffer; readonly ref: Sha256Ref }
  | { readonly reason: string };

/** Never rejects: after the intent every end is evidence. */
async function runHandler(deps: BrokerDeps, call: BrokerCall): Promise<Handled> {
  const { effect, payload } = call.planned;
  try {
    const handler = HANDLERS.get(effect);
    if (handler === undefined) throw new HandlerFailure(`there is no handler for ${effect}`);
    const work = handler(deps, { effect, payload, worktree: call.worktree, deadlineMs: call.handlerMs });
    const output = await deps.timers.bound(work, call.handlerMs + GRACE_MS, () => {
      throw new HandlerFailure(`the ${effect} handler did not end within ${call.handlerMs} ms`);
    });
    // Reserved for what World itself adds.
    if (Object.hasOwn(output, 'world')) throw new HandlerFailure('the handler output holds a "world" member');
    const bytes = encodeInput(output);
    if (bytes.length > RESULT_LIMIT) {
      throw new HandlerFailure(`the result is ${bytes.length} bytes; the limit is ${RESULT_LIMIT}`);
    }
    return { output, bytes, ref: sha256Ref(bytes) };
  } catch (error) {
    const shown = failureText(effect, error);
    const known = explainChain(error);
    // The log and the caller get a code; why it happened is for the operator.
    if (known !== shown) {
      deps.report(`ailang-worldd: ${effect} failed ${call.invocationId}: ${JSON.stringify(known)}`);
    }
    return { reason: `failed: ${shown}` };
  }
}

/** The toolchain ends its children at the deadline; only a toolchain that does not is cut off here. */
const GRACE_MS = 500;

/** Only a handler's own words and a stable code: messages of other errors may name paths of the host. */
function failureText(effect: string, error: unknown): string {
  if (error instanceof HandlerFailure) return error.message;
  const code = error instanceof WorldError ? ` (${error.code})` : '';
  return `the ${effect} handler failed${code}`;
}
