import type { DenialLabel, Grant } from '../log/types.js';

/** What is asked for. `now` is the call's one logical time, Unix seconds. */
export interface Ask {
  readonly effect: string;
  readonly scope: string;
  readonly cost: number;
  readonly now: number;
}

export type Decision =
  | { readonly allowed: true; readonly budgetBefore: number }
  | {
      readonly allowed: false;
      readonly label: DenialLabel;
      readonly budgetBefore: number;
      /** The grant that came closest; null when the session holds none. */
      readonly grant: Grant | null;
    };

/** How far a grant got before it denied; the furthest denial is the one reported. */
const RANK: Readonly<Record<DenialLabel, number>> = {
  'denied:effect-name': 0,
  'denied:scope': 1,
  'denied:expired': 2,
  'denied:budget': 3,
};

/**
 * The decision law (world-formats 7): effect name, scope, expiry, budget, in this order. The first grant that allows
 * wins; otherwise the denial that got furthest, the first of its rank.
 * @param remaining units a grant has left, never below 0
 */
export function decide(ask: Ask, grants: readonly Grant[], remaining: (grant: Grant) => number): Decision {
  let furthest: Extract<Decision, { allowed: false }> | null = null;
  for (const grant of grants) {
    const budgetBefore = remaining(grant);
    const label = denialOf(ask, grant, budgetBefore);
    if (label === null) return { allowed: true, budgetBefore };
    if (furthest === null || RANK[label] > RANK[furthest.label]) {
      furthest = { allowed: false, label, budgetBefore, grant };
    }
  }
  return furthest ?? { allowed: false, label: 'denied:effect-name', budgetBefore: 0, grant: null };
}

/** Whether a grant counts at this second. A session still resolves at its last second, its grants no longer do. */
export function isLive(grant: Grant, now: number): boolean {
  return now >= 0 && now < grant.expiresAt;
}

function denialOf(ask: Ask, grant: Grant, budget: number): DenialLabel | null {
  if (grant.effect !== ask.effect) return 'denied:effect-name';
  if (grant.scope !== ask.scope) return 'denied:scope';
  if (!isLive(grant, ask.now)) return 'denied:expired';
  return ask.cost >= 0 && budget >= 0 && ask.cost <= budget ? null : 'denied:budget';
}

/** The denial in words, starting with its label. */
export function explainDenial(ask: Ask, decision: Extract<Decision, { allowed: false }>): string {
  const { label, grant } = decision;
  const what = `${ask.effect} at scope ${ask.scope}`;
  switch (label) {
    case 'denied:effect-name':
      return `${label}: this session holds no grant for ${ask.effect}`;
    case 'denied:scope':
      return `${label}: this session's grant for ${ask.effect} does not cover scope ${ask.scope}`;
    case 'denied:expired':
      return `${label}: the grant for ${what} has expired`;
    case 'denied:budget':
      return `${label}: ${what} has no calls left (budget ${grant?.budget ?? 0})`;
  }
}
