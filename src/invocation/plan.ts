import { encodeCanonical } from '../log/canonical-json.js';
import { sha256Ref } from '../log/hash.js';
import type { Sha256Ref } from '../log/types.js';
import type { EffectPlan, JsonRecord } from '../tools/types.js';
import type { Invocation } from './context.js';
import { InvocationFailure } from './failure.js';
import { brokenLaw } from './plan-laws.js';

/** A plan that obeys the laws, with the bytes it is recorded as. */
export interface Planned {
  readonly plan: EffectPlan;
  readonly bytes: Buffer;
  readonly ref: Sha256Ref;
}

/** @throws InvocationFailure `execution`: nothing ran */
export function makePlan(invocation: Invocation): Planned {
  const { tool } = invocation.loaded;
  let plan: EffectPlan;
  let bytes: Buffer;
  let broken: string | null;
  try {
    plan = tool.plan(invocation.call.args as JsonRecord);
    broken = brokenLaw(plan, tool.descriptor, (payload) => encodeCanonical(payload));
    bytes = encodeCanonical({
      effects: plan.effects.map((effect) => ({ ...effect })),
      finish: plan.finish,
      plan: plan.plan,
      result: plan.result,
    });
  } catch (cause) {
    throw new InvocationFailure('execution', invocation.invocationId, `${tool.descriptor.id} made no plan`, { cause });
  }
  if (broken !== null) {
    const message = `the plan of ${tool.descriptor.id} breaks the calling convention: ${broken}`;
    throw new InvocationFailure('execution', invocation.invocationId, message);
  }
  return { plan, bytes, ref: sha256Ref(bytes) };
}
