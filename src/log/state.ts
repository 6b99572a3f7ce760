import { invalid } from './build-entry.js';
import type { EntryFacts } from './entry-facts.js';
import type {
  CredentialId,
  EffectIntent,
  EntryIndex,
  EpisodeId,
  EpisodeState,
  InvocationDraft,
  LogEntry,
  LogState,
  OperatorAct,
  Receipt,
  RedactionAct,
  SessionState,
} from './types.js';

type ProgramAct = Extract<OperatorAct, { act: 'genesis' | 'tools' }>;

/** The state as a checkpoint keeps it. */
export interface SavedState {
  readonly sessions: readonly SessionState[];
  readonly episodes: readonly EpisodeState[];
  readonly spent: readonly (readonly [string, number])[];
  readonly effectCounts: readonly (readonly [EpisodeId, number])[];
  readonly recovered: readonly (readonly [string, readonly EffectIntent[]])[];
  readonly tools: ProgramAct | null;
  /** Absent in what versions before redactions saved. */
  readonly redactions?: readonly RedactionAct[];
}

/**
 * Authority and spending, derived from the entries in order and from the intents that have no entry yet. Its size
 * follows sessions and episodes, not entries: which entry an invocation has is asked of the lookup index.
 */
export class LogStateTable implements LogState {
  readonly #findInvocation: (invocationId: string) => EntryIndex | null;
  readonly #sessions: Map<CredentialId, SessionState>;
  readonly #episodes: Map<EpisodeId, EpisodeState>;
  readonly #spent: Map<string, number>;
  /** Effects that were ever started, by episode: the next intent's ordinal follows. */
  readonly #effectCounts: Map<EpisodeId, number>;
  readonly #recovered: Map<string, readonly EffectIntent[]>;
  readonly #inFlight = new Map<string, readonly EffectIntent[]>();
  #redactions: readonly RedactionAct[];
  #tools: ProgramAct | null;

  constructor(findInvocation: (invocationId: string) => EntryIndex | null, saved?: SavedState) {
    this.#findInvocation = findInvocation;
    this.#sessions = new Map(saved?.sessions.map((session) => [session.credentialId, session]));
    this.#episodes = new Map(saved?.episodes.map((episode) => [episode.episode, episode]));
    this.#spent = new Map(saved?.spent);
    this.#effectCounts = new Map(saved?.effectCounts);
    this.#recovered = new Map(saved?.recovered);
    this.#redactions = saved?.redactions ?? [];
    this.#tools = saved?.tools ?? null;
  }

  session(id: CredentialId): SessionState | undefined {
    return this.#sessions.get(id);
  }

  sessions(): readonly SessionState[] {
    return [...this.#sessions.values()];
  }

  episode(id: EpisodeId): EpisodeState | undefined {
    return this.#episodes.get(id);
  }

  episodes(): readonly EpisodeState[] {
    return [...this.#episodes.values()];
  }

  spent(episode: EpisodeId, effect: string, scope: string): number {
    return this.#spent.get(spendKey(episode, effect, scope)) ?? 0;
  }

  receipt(invocationId: string): Receipt | undefined {
    const index = this.#findInvocation(invocationId);
    if (index !== null) return { state: 'resolved', index };
    const intents = [...(this.#recovered.get(invocationId) ?? []), ...(this.#inFlight.get(invocationId) ?? [])];
    return intents.length === 0 ? undefined : { state: 'indeterminate', intents };
  }

  tools(): ProgramAct | undefined {
    return this.#tools ?? undefined;
  }

  redactions(): readonly RedactionAct[] {
    return this.#redactions;
  }

  /** Intents without an entry, oldest first. */
  inFlight(): readonly EffectIntent[] {
    return [...this.#inFlight.values()].flat();
  }

  recoveredIntents(invocationId: string): readonly EffectIntent[] {
    return this.#recovered.get(invocationId) ?? [];
  }

  /** Gives the intent its id and spends its units. */
  startIntent(draft: Omit<EffectIntent, 'intentId'>): EffectIntent {
    const ordinal = (this.#effectCounts.get(draft.episodeId) ?? 0) + 1;
    const { invocationId, episodeId, effect, scope, cost, requestRef, logicalTime } = draft;
    const intentId = `effect:${episodeId}:${ordinal}`;
    const intent = { intentId, invocationId, episodeId, effect, scope, cost, requestRef, logicalTime };
    this.#inFlight.set(invocationId, [...(this.#inFlight.get(invocationId) ?? []), intent]);
    this.#count(intent);
    return intent;
  }

  /** Takes in an intent of an earlier run that has no entry yet. */
  resumeIntent(intent: EffectIntent): void {
    this.#inFlight.set(intent.invocationId, [...(this.#inFlight.get(intent.invocationId) ?? []), intent]);
    this.#count(intent);
  }

  /**
   * An entry must account for exactly the intents of its invocation: an allowed effect without an intent was never
   * durable before its handler ran, an intent without an effect would be refunded.
   * @throws WorldError `log-draft-invalid`
   */
  checkIntents(draft: InvocationDraft): void {
    const waiting = new Map((this.#inFlight.get(draft.invocationId) ?? []).map((intent) => [intent.intentId, intent]));
    for (const { id, record, intent } of draft.effects) {
      if (record.allowed !== (intent !== null)) throw invalid(`effect ${id}: allowed and its intent disagree`);
      if (intent === null) continue;
      const known = waiting.get(intent.intentId);
      const agrees =
        known !== undefined &&
        known.episodeId === draft.episodeId &&
        known.effect === record.effect &&
        known.scope === record.scope &&
        known.cost === record.cost &&
        known.requestRef === record.requestRef;
      if (!agrees) throw invalid(`effect ${id}: no intent in flight matches it`);
      waiting.delete(intent.intentId);
    }
    if (waiting.size > 0) throw invalid(`it leaves out the started effect ${[...waiting.keys()].join(', ')}`);
  }

  /** Takes in an entry that is durable. */
  apply(entry: LogEntry, facts: EntryFacts): void {
    if (facts.kind === 'operator') this.#applyAct(facts.act, entry);
    else this.#applyInvocation(facts, entry);
  }

  #applyInvocation(facts: Extract<EntryFacts, { kind: 'invocation' }>, entry: LogEntry): void {
    const { invocationId, episodeId } = facts.record;
    const counted = (this.#inFlight.get(invocationId) ?? []).length > 0;
    this.#inFlight.delete(invocationId);
    if (!counted) {
      for (const effect of facts.effects) if (effect.allowed) this.#count({ ...effect, episodeId });
    }
    this.#setTree(episodeId, entry);
  }

  save(): SavedState {
    const spent = new Map(this.#spent);
    const effectCounts = new Map(this.#effectCounts);
    for (const intent of this.inFlight()) {
      const key = spendKey(intent.episodeId, intent.effect, intent.scope);
      spent.set(key, (spent.get(key) ?? 0) - intent.cost);
      effectCounts.set(intent.episodeId, (effectCounts.get(intent.episodeId) ?? 0) - 1);
    }
    return {
      sessions: this.sessions(),
      episodes: this.episodes(),
      spent: [...spent],
      effectCounts: [...effectCounts],
      recovered: [...this.#recovered],
      tools: this.#tools,
      redactions: this.#redactions,
    };
  }

  #applyAct(act: OperatorAct, entry: LogEntry): void {
    switch (act.act) {
      case 'genesis':
      case 'tools':
        this.#tools = act;
        return;
      case 'episode-open': {
        const { episode, baseCommit, policy, denyList } = act;
        const tree = this.#episodes.get(episode)?.tree ?? null;
        this.#episodes.set(episode, { episode, baseCommit, policy, denyList, open: true, tree });
        break;
      }
      case 'session-mint': {
        const { credentialId, episode, grants, createdAt, expiresAt } = act;
        this.#sessions.set(credentialId, { credentialId, episode, grants, createdAt, expiresAt, revoked: false });
        return;
      }
      case 'session-revoke':
        for (const session of this.#sessions.values()) {
          if (session.episode === act.episode || act.credentialIds.includes(session.credentialId)) {
            this.#sessions.set(session.credentialId, { ...session, revoked: true });
          }
        }
        return;
      case 'recovery':
        for (const intent of act.intents) this.#recover(intent);
        return;
      case 'redact': {
        const by = { by: entry.index, reason: act.reason };
        this.#redactions = [...this.#redactions, ...act.redactions.map((redaction) => ({ ...redaction, ...by }))];
        return;
      }
      case 'episode-close': {
        const known = this.#episodes.get(act.episode);
        if (known !== undefined) this.#episodes.set(act.episode, { ...known, open: false });
        break;
      }
      case 'drift':
        break;
    }
    this.#setTree(act.episode, entry);
  }

  #recover(intent: EffectIntent): void {
    const { invocationId } = intent;
    const others = (this.#inFlight.get(invocationId) ?? []).filter(({ intentId }) => intentId !== intent.intentId);
    const counted = others.length !== (this.#inFlight.get(invocationId)?.length ?? 0);
    if (others.length === 0) this.#inFlight.delete(invocationId);
    else this.#inFlight.set(invocationId, others);
    this.#recovered.set(invocationId, [...this.recoveredIntents(invocationId), intent]);
    if (!counted) this.#count(intent);
  }

  #count(unit: { episodeId: EpisodeId; effect: string; scope: string; cost: number }): void {
    const key = spendKey(unit.episodeId, unit.effect, unit.scope);
    this.#spent.set(key, (this.#spent.get(key) ?? 0) + unit.cost);
    this.#effectCounts.set(unit.episodeId, (this.#effectCounts.get(unit.episodeId) ?? 0) + 1);
  }

  #setTree(episode: EpisodeId, entry: LogEntry): void {
    const known = this.#episodes.get(episode);
    if (known !== undefined && entry.worktree !== null) {
      this.#episodes.set(episode, { ...known, tree: entry.worktree });
    }
  }
}

function spendKey(episode: EpisodeId, effect: string, scope: string): string {
  return JSON.stringify([episode, effect, scope]);
}
