import type { EffectPlan, JsonRecord } from './types.js';

/** A plan that asks for exactly one effect. */
export function requestEffect(effect: string, payload: JsonRecord, options: { finish?: true } = {}): EffectPlan {
  return {
    effects: [{ id: 'e1', effect, scope: 'worktree', cost: 1, payload }],
    finish: options.finish ?? false,
    plan: 'world/effect-plan/v1',
    result: null,
  };
}

/** A plan without effects: the arguments were refused and nothing runs. */
export function refuse(refused: string): EffectPlan {
  return { effects: [], finish: false, plan: 'world/effect-plan/v1', result: { ok: false, refused } };
}
