import type { BrokerOutcome } from '../broker/broker.js';
import { encodeCanonical } from '../log/canonical-json.js';
import type { JsonObject, Sha256Ref } from '../log/types.js';
import type { JsonRecord } from '../tools/types.js';
import { OBJECT_LIMIT } from './admit.js';
import type { Invocation } from './context.js';
import { InvocationFailure } from './failure.js';
import type { Planned } from './plan.js';
import { effectRecordRef, worldMember } from './world-member.js';

export interface Composed {
  readonly output: JsonObject;
  readonly bytes: Buffer;
}

/** The output of a plan without effects: its result. */
export function composeRefusal(invocation: Invocation, planned: Planned): Composed {
  return compose(invocation, planned.plan.result ?? {}, worldMember(planned.ref, []));
}

/**
 * The output after the effect: what finish makes of it, or the handler's own output, or why there is none.
 * @throws InvocationFailure `output`
 */
export function composeOutcome(invocation: Invocation, planned: Planned, outcome: BrokerOutcome): Composed {
  const record = effectRecordRef(outcome.evidence.record);
  const world = worldMember(planned.ref, [{ id: outcome.evidence.id, status: outcome.status, record }]);
  return compose(invocation, resultOf(invocation, planned, outcome, record), world);
}

function resultOf(invocation: Invocation, planned: Planned, outcome: BrokerOutcome, record: Sha256Ref): JsonObject {
  if (planned.plan.finish) return finish(invocation, outcome, record);
  return outcome.status === 'ok' ? outcome.output : { ok: false, refused: outcome.reason };
}

/** Runs the tool's finish phase (world-formats 5.1); it may not speak for World. */
function finish(invocation: Invocation, outcome: BrokerOutcome, record: Sha256Ref): JsonObject {
  const { id, effect } = { id: outcome.evidence.id, effect: outcome.evidence.record.effect };
  const output = outcome.status === 'ok' ? (outcome.output as JsonRecord) : null;
  const result = invocation.loaded.tool.finish?.(invocation.call.args as JsonRecord, [
    { id, effect, status: outcome.status, record, output },
  ]);
  if (typeof result !== 'object' || result === null || Array.isArray(result)) {
    throw new InvocationFailure('output', invocation.invocationId, 'the finish phase returned no JSON object');
  }
  if (Object.hasOwn(result, 'world') || Object.hasOwn(result, 'effects')) {
    throw new InvocationFailure('output', invocation.invocationId, 'the finish phase returned a reserved member');
  }
  return result;
}

function compose(invocation: Invocation, result: JsonObject, world: JsonObject): Composed {
  const output = { ...result, world };
  const bytes = encodeCanonical(output);
  if (bytes.length > OBJECT_LIMIT) {
    const message = `the output is ${bytes.length} bytes; the limit is ${OBJECT_LIMIT}`;
    throw new InvocationFailure('output', invocation.invocationId, message);
  }
  return { output, bytes };
}
