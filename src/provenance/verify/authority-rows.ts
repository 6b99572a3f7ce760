import type { EffectIntent, Grant, OperatorAct } from '../../log/types.js';
import { parseJson } from '../parse-json.js';
import { type EffectFacts, type EntryFacts, plannedEffects } from './entry-facts.js';
import { type RunFacts, runFacts } from './run-allowance.js';

/** What the authority level keeps of an entry until the whole log has been seen. */
export type AuthorityRow =
  | { readonly kind: 'act'; readonly index: number; readonly act: OperatorAct }
  | {
      readonly kind: 'call';
      readonly index: number;
      readonly episode: string;
      readonly tool: string;
      readonly transitionFn: string;
      readonly interpreter: string;
      readonly invocationId: string;
      readonly effects: readonly AskedEffect[];
    };

/** One decision of the broker as recorded, and whether the request is the one the plan asked for. */
export interface AskedEffect {
  readonly effect: string;
  readonly scope: string;
  readonly cost: number;
  readonly now: number;
  readonly label: string;
  readonly allowed: boolean;
  readonly budgetBefore: number;
  readonly budgetAfter: number;
  /** Null, or how record, request and plan disagree. */
  readonly disagreement: string | null;
  /** Null for an effect that runs no program, or whose payload was taken out. */
  readonly run: RunFacts | null;
}

export function authorityRow(facts: EntryFacts): AuthorityRow | null {
  const { raw, body, redacted } = facts;
  if (body === null) return null;
  if (body.kind === 'act') return { kind: 'act', index: raw.position, act: withoutSources(body.act) };
  const { record } = body;
  const planned: readonly PlannedShape[] = redacted.has('plan.json')
    ? plannedEffects(facts)
    : ((parseJson(raw.files.get('plan.json')) as { effects?: readonly PlannedShape[] } | undefined)?.effects ?? []);
  const comparable = (id: string): boolean => !redacted.has('plan.json') && !redacted.has(`effects/${id}/request`);
  return {
    kind: 'call',
    index: raw.position,
    episode: record.episodeId,
    tool: record.skillId,
    transitionFn: record.transitionFn,
    interpreter: record.interpreter,
    invocationId: record.invocationId,
    effects: body.effects.map((effect) =>
      asked(
        effect,
        planned.find(({ id }) => id === effect.id),
        comparable(effect.id),
        raw.files.get(`effects/${effect.id}/result.json`),
      ),
    ),
  };
}

interface PlannedShape {
  readonly id?: unknown;
  readonly effect?: unknown;
  readonly scope?: unknown;
  readonly cost?: unknown;
  readonly payload?: unknown;
}

/** @param comparable false when the payload of plan or request was taken out */
function asked(
  facts: EffectFacts,
  planned: PlannedShape | undefined,
  comparable: boolean,
  result: Buffer | undefined,
): AskedEffect {
  const { record, request } = facts;
  const triple = (what: PlannedShape): string =>
    `${String(what.effect)}@${String(what.scope)} cost ${String(what.cost)}`;
  const payload = parseJson(request.payload);
  const disagreement =
    triple(record) !== triple(request)
      ? `the record is of ${triple(record)}, the request of ${triple(request)}`
      : planned === undefined || triple(planned) !== triple(request)
        ? `the request is ${triple(request)}, the plan asked for ${planned === undefined ? 'nothing' : triple(planned)}`
        : comparable && JSON.stringify(payload) !== JSON.stringify(planned.payload)
          ? 'the request carries another payload than the plan'
          : null;
  const { effect, scope, cost, budgetBefore, budgetAfter, allowed, denial } = record;
  return {
    ...{ effect, scope, cost, now: request.now, label: denial, allowed, budgetBefore, budgetAfter, disagreement },
    run: comparable ? runFacts(facts, result) : null,
  };
}

/** Descriptors are kept for what they declare; their schemas and texts are not needed. */
function withoutSources(act: OperatorAct): OperatorAct {
  if (act.act !== 'genesis' && act.act !== 'tools') return act;
  const tools = Object.entries(act.tools).map(([id, value]) => {
    const { transitionFn, access, declaredEffects } = (value ?? {}) as Record<string, never>;
    return [id, { transitionFn, access, declaredEffects }];
  });
  return { ...act, tools: Object.fromEntries(tools) };
}

export interface Session {
  readonly grants: readonly Grant[];
  readonly credentialId: string;
  readonly minted: number;
  revokedAt: { readonly index: number; readonly time: number } | null;
}

/** What is known of an episode at one point of the log. */
export class EpisodeLedger {
  readonly sessions: Session[] = [];
  readonly spent = new Map<string, number>();
  /** Index of the newest entry of a call that dispatched an effect. */
  lastEffect = -1;
  /** Index of the newest entry of any call. */
  lastCall = -1;
  /** Seconds: the latest time that an entry of this episode has named. */
  lastTime = 0;
  closedAt: number | null = null;
  /** Effects seen so far, recovered ones included: the ordinal of the last. */
  ordinal = 0;
  recoveredSeen = 0;
  allowedSeen = 0;

  /** @param recovered every effect of this episode that a crash cut off, by its ordinal */
  constructor(readonly recovered: ReadonlyMap<number, EffectIntent>) {}

  units(effect: string, scope: string): number {
    return this.spent.get(`${scope}\n${effect}`) ?? 0;
  }

  spend(unit: { readonly effect: string; readonly scope: string; readonly cost: number }): void {
    const key = `${unit.scope}\n${unit.effect}`;
    this.spent.set(key, (this.spent.get(key) ?? 0) + unit.cost);
    this.ordinal += 1;
  }

  /** Counts those cut-off effects that were started before the next effect of this log. */
  spendRecovered(): void {
    for (let cut = this.recovered.get(this.ordinal + 1); cut !== undefined; cut = this.recovered.get(this.ordinal + 1))
      this.spend(cut);
  }
}

/** `effect:<episode>:<n>` → n. */
export function ordinalOf(intent: EffectIntent): number {
  return Number(intent.intentId.slice(intent.intentId.lastIndexOf(':') + 1));
}
