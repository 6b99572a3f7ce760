import type { EffectPlan, JsonRecord, ToolDescriptor } from '../tools/types.js';

const PAYLOAD_LIMIT = 1024 * 1024;

/**
 * Which law of world-formats 5.2 a plan breaks, the first in their order, or null. The types promise most of it; this
 * checks what a tool's code really returned before it is recorded or acted on.
 * @param encode canonical bytes of a payload
 */
export function brokenLaw(
  plan: EffectPlan,
  descriptor: ToolDescriptor,
  encode: (payload: JsonRecord) => Buffer,
): string | null {
  const given: unknown = plan;
  if (!isObject(given)) return 'shape: the plan is not an object';
  if (Object.hasOwn(given, 'world')) return 'L6: the plan holds "world"';
  if (!hasExactly(given, ['effects', 'finish', 'plan', 'result'])) return 'shape: the plan has other keys';
  if (given.plan !== 'world/effect-plan/v1') return 'shape: the plan is of another kind';
  if (typeof given.finish !== 'boolean') return 'shape: finish is not a boolean';
  if (!Array.isArray(given.effects)) return 'shape: effects is not an array';
  if (given.effects.length > 1) return 'L1: more than one effect';
  for (const effect of given.effects) {
    const broken = brokenEffectLaw(effect, descriptor, encode);
    if (broken !== null) return broken;
  }
  return brokenResultLaw(given.result, given.effects.length, given.finish);
}

function brokenEffectLaw(
  effect: unknown,
  descriptor: ToolDescriptor,
  encode: (payload: JsonRecord) => Buffer,
): string | null {
  if (!isObject(effect) || !hasExactly(effect, ['id', 'effect', 'scope', 'cost', 'payload'])) {
    return 'shape: an effect has other keys';
  }
  if (typeof effect.id !== 'string' || !/^[a-z0-9]{1,16}$/.test(effect.id)) return 'L2: an effect id is malformed';
  if (!isObject(effect.payload)) return 'L4: a payload is not an object';
  const declared = descriptor.declaredEffects.some(
    (triple) => triple.effect === effect.effect && triple.scope === effect.scope && triple.cost === effect.cost,
  );
  if (!declared) return 'L3: an effect is not declared';
  return encode(effect.payload as JsonRecord).length > PAYLOAD_LIMIT ? 'L4: a payload is too large' : null;
}

function brokenResultLaw(result: unknown, effects: number, finish: boolean): string | null {
  if (result !== null && !isObject(result)) return 'L7: the result is neither object nor null';
  if ((effects === 0) !== (result !== null)) return 'L7: a plan has either an effect or a result';
  if (finish && effects === 0) return 'L7: a finish phase needs an effect';
  return result !== null && Object.hasOwn(result, 'world') ? 'L6: the result holds "world"' : null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasExactly(value: object, keys: readonly string[]): boolean {
  const own = Object.keys(value);
  return own.length === keys.length && keys.every((key) => Object.hasOwn(value, key));
}
