import type { DenialLabel, Grant } from '../../log/types.js';

/**
 * The decision law of world-formats 7, written a second time on purpose: a check that shares its code with the broker
 * would agree with the broker's mistakes.
 */
export interface Verdict {
  readonly label: DenialLabel | '';
  readonly budgetBefore: number;
}

const ORDER: readonly DenialLabel[] = ['denied:effect-name', 'denied:scope', 'denied:expired', 'denied:budget'];

/** @param spent units the episode spent before, by effect and scope */
export function verdictOf(
  asked: { readonly effect: string; readonly scope: string; readonly cost: number; readonly now: number },
  grants: readonly Grant[],
  spent: (effect: string, scope: string) => number,
): Verdict {
  const judged = grants.map((grant): Verdict => {
    const budgetBefore = Math.max(0, grant.budget - spent(grant.effect, grant.scope));
    if (grant.effect !== asked.effect) return { label: 'denied:effect-name', budgetBefore };
    if (grant.scope !== asked.scope) return { label: 'denied:scope', budgetBefore };
    if (asked.now >= grant.expiresAt) return { label: 'denied:expired', budgetBefore };
    return { label: asked.cost <= budgetBefore ? '' : 'denied:budget', budgetBefore };
  });
  const allowed = judged.find((verdict) => verdict.label === '');
  if (allowed !== undefined) return allowed;
  const furthest = Math.max(-1, ...judged.map((verdict) => ORDER.indexOf(verdict.label as DenialLabel)));
  return (
    judged.find((verdict) => ORDER.indexOf(verdict.label as DenialLabel) === furthest) ?? {
      label: 'denied:effect-name',
      budgetBefore: 0,
    }
  );
}
