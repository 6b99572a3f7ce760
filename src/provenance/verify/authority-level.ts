import type { EffectIntent, OperatorAct } from '../../log/types.js';
import { verdictOf } from './authority-law.js';
import {
  type AskedEffect,
  type AuthorityRow,
  authorityRow,
  EpisodeLedger,
  ordinalOf,
  type Session,
} from './authority-rows.js';
import type { EntryFacts } from './entry-facts.js';
import { type LevelBook, shown } from './report.js';
import { beyondAllowance } from './run-allowance.js';

type CallRow = Extract<AuthorityRow, { kind: 'call' }>;
type Triple = { readonly effect?: unknown; readonly scope?: unknown; readonly cost?: unknown };

const UNGRANTED = 'the call had an authority that no operator gave it, or its record is not true';
const MISCOUNTED =
  'units were given back, taken twice or made up: the budget the operator set was not what bound the agent';

/** Seconds: a revocation takes its time just before it takes effect. */
const CLOCK_SLACK = 1;

/**
 * Derives every grant, budget step and denial anew, from the acts and calls alone. It needs the whole log before it can
 * judge: which effects a crash cut off is written down only after the next start.
 */
export class AuthorityLevel {
  readonly #rows: AuthorityRow[] = [];
  readonly #episodes = new Map<string, EpisodeLedger>();
  readonly #invocations = new Map<string, number>();
  #tools: Extract<OperatorAct, { act: 'genesis' | 'tools' }> | null = null;

  constructor(private readonly book: LevelBook) {}

  take(facts: EntryFacts): void {
    const row = authorityRow(facts);
    if (row !== null) this.#rows.push(row);
  }

  finish(): void {
    const recovered = this.#recoveredEffects();
    for (const row of this.#rows) {
      if (row.kind === 'call') this.#call(row);
      else this.#act(row.index, row.act, recovered);
    }
  }

  #recoveredEffects(): ReadonlyMap<string, ReadonlyMap<number, EffectIntent>> {
    const found = new Map<string, Map<number, EffectIntent>>();
    for (const row of this.#rows) {
      if (row.kind !== 'act' || row.act.act !== 'recovery') continue;
      for (const intent of row.act.intents) {
        const episode = found.get(intent.episodeId) ?? new Map<number, EffectIntent>();
        found.set(intent.episodeId, episode);
        if (episode.has(ordinalOf(intent)) || intent.intentId !== `effect:${intent.episodeId}:${ordinalOf(intent)}`) {
          this.#fail(
            row.index,
            'a cut-off effect is named twice or wrongly',
            'each intent once',
            intent.intentId,
            MISCOUNTED,
          );
        } else episode.set(ordinalOf(intent), intent);
      }
    }
    return found;
  }

  #act(index: number, act: OperatorAct, recovered: ReadonlyMap<string, ReadonlyMap<number, EffectIntent>>): void {
    this.book.count('acts');
    switch (act.act) {
      case 'genesis':
      case 'tools':
        this.#tools = act;
        return;
      case 'episode-open':
        if (this.#episodes.has(act.episode))
          this.#fail(index, 'the episode was opened before', 'a new episode', act.episode, UNGRANTED);
        else this.#episodes.set(act.episode, new EpisodeLedger(recovered.get(act.episode) ?? new Map()));
        return;
      case 'session-mint': {
        const episode = this.#known(index, act.episode);
        if (episode?.closedAt != null)
          this.#fail(index, 'a session was made for a closed episode', 'an open episode', act.episode, UNGRANTED);
        if (act.grants.some((grant) => grant.expiresAt > act.expiresAt))
          this.#fail(index, 'a grant outlives its session', `at most ${act.expiresAt}`, shown(act.grants), UNGRANTED);
        if (episode !== undefined) episode.lastTime = Math.max(episode.lastTime, act.createdAt);
        episode?.sessions.push({ grants: act.grants, credentialId: act.credentialId, minted: index, revokedAt: null });
        this.book.count('sessions');
        return;
      }
      case 'session-revoke':
        for (const [name, episode] of this.#episodes)
          for (const session of episode.sessions)
            if (act.episode === name || act.credentialIds.includes(session.credentialId as never))
              session.revokedAt ??= { index, time: act.time };
        return;
      case 'recovery':
        for (const intent of act.intents) this.#recovery(index, intent);
        return;
      case 'redact':
        this.book.count('redactions', act.redactions.length);
        return;
      case 'episode-close': {
        const episode = this.#known(index, act.episode);
        if (episode != null) episode.closedAt = index;
        return;
      }
      case 'drift':
        this.#known(index, act.episode);
    }
  }

  #recovery(index: number, intent: EffectIntent): void {
    this.book.count('cut-off effects');
    const episode = this.#known(index, intent.episodeId);
    if (episode === undefined) return;
    episode.recoveredSeen += 1;
    episode.spendRecovered();
    const started = episode.allowedSeen + episode.recoveredSeen;
    if (ordinalOf(intent) > started) {
      this.#fail(
        index,
        `${intent.intentId} comes after an effect that has no entry`,
        `at most ${started} effects of this episode so far`,
        `effect ${ordinalOf(intent)}`,
        'an effect ran and its entry is not in the log',
      );
    }
    const { effect, scope } = intent;
    const granted = episode.sessions.some(({ grants }) =>
      grants.some((grant) => grant.effect === effect && grant.scope === scope && intent.logicalTime < grant.expiresAt),
    );
    if (!granted)
      this.#fail(index, `${intent.intentId} was never granted`, 'a live grant', `${effect}@${scope}`, UNGRANTED);
  }

  #call(row: CallRow): void {
    this.book.count('calls');
    const { index } = row;
    const twice = this.#invocations.get(row.invocationId);
    if (twice !== undefined)
      this.#fail(
        index,
        'its invocation id was used before',
        'a new id',
        `${row.invocationId} (entry ${twice})`,
        'one call stands in the log twice',
      );
    this.#invocations.set(row.invocationId, index);
    const prefix = new RegExp(`^(?:a2a|mcp):${row.episode}:`);
    if (!prefix.test(row.invocationId))
      this.#fail(index, 'its invocation id is of another episode', `…:${row.episode}:…`, row.invocationId, UNGRANTED);
    const descriptor = this.#program(row);
    const episode = this.#known(index, row.episode);
    if (episode === undefined) return;
    // A call that was running when the episode was closed may be logged just after: at most one, for its calls queue.
    if (episode.closedAt !== null && episode.lastCall > episode.closedAt)
      this.#fail(
        index,
        'the episode was closed before',
        'no further calls',
        `closed at entry ${episode.closedAt}`,
        UNGRANTED,
      );
    episode.lastCall = index;
    const access = (descriptor?.access ?? []) as readonly Triple[];
    const sessions = episode.sessions.filter(({ grants }) =>
      grants.some((grant) => access.some(({ effect, scope }) => effect === grant.effect && scope === grant.scope)),
    );
    if (sessions.length === 0) {
      this.#fail(
        index,
        'no session of its episode could see the tool',
        `a session with a grant for ${row.tool}`,
        `${episode.sessions.length} session(s) without`,
        UNGRANTED,
      );
    }
    if (row.effects.length === 0) this.book.count('refused plans');
    for (const effect of row.effects) this.#effect(row, effect, episode, sessions, descriptor);
  }

  /** The tool and interpreter are those the newest genesis or tools act names. */
  #program(row: CallRow) {
    const tools = (this.#tools?.tools ?? {}) as unknown as Record<
      string,
      { transitionFn?: string; access?: readonly Triple[]; declaredEffects?: readonly Triple[] } | undefined
    >;
    const descriptor = Object.hasOwn(tools, row.tool) ? tools[row.tool] : undefined;
    const meaning = 'the call ran code that the operator’s acts do not name';
    if (descriptor?.transitionFn !== row.transitionFn)
      this.#fail(
        row.index,
        `${row.tool} had another source`,
        descriptor?.transitionFn ?? 'a recorded tool',
        row.transitionFn,
        meaning,
      );
    const interpreter = this.#tools?.toolchain.sha256;
    if (interpreter !== row.interpreter)
      this.#fail(
        row.index,
        'another toolchain ran it',
        interpreter ?? 'a recorded toolchain',
        row.interpreter,
        meaning,
      );
    return descriptor;
  }

  #effect(
    row: CallRow,
    effect: AskedEffect,
    episode: EpisodeLedger,
    sessions: readonly Session[],
    descriptor: { declaredEffects?: readonly Triple[] } | undefined,
  ): void {
    const { index } = row;
    if (effect.disagreement !== null)
      this.#fail(
        index,
        'plan, request and record disagree',
        'one and the same effect',
        effect.disagreement,
        'what ran is not what was planned or decided',
      );
    const declared = (descriptor?.declaredEffects ?? []).some(
      (triple) => triple.effect === effect.effect && triple.scope === effect.scope && triple.cost === effect.cost,
    );
    if (!declared)
      this.#fail(
        index,
        `${row.tool} does not declare the effect`,
        'a declared effect',
        `${effect.effect}@${effect.scope} cost ${effect.cost}`,
        UNGRANTED,
      );
    const beyond = effect.run === null ? null : beyondAllowance(effect.run, this.#tools?.allowance);
    if (beyond !== null)
      this.#fail(index, 'a program had more than the operator allowed', beyond.expected, beyond.found, UNGRANTED);
    episode.spendRecovered();
    // An effect decided just before a revocation may be logged just after it: at most one, for an episode's calls queue.
    const usable = sessions.filter(
      ({ revokedAt }) =>
        revokedAt === null || (episode.lastEffect < revokedAt.index && effect.now <= revokedAt.time + CLOCK_SLACK),
    );
    // Calls of an episode follow one another: one that claims to be older than what came before may not outlive a grant so.
    const now = Math.max(effect.now, episode.lastTime - CLOCK_SLACK);
    episode.lastTime = Math.max(episode.lastTime, effect.now);
    const asked = { ...effect, now };
    const verdicts = usable.map(({ grants }) => verdictOf(asked, grants, (name, scope) => episode.units(name, scope)));
    const holds = verdicts.some(
      ({ label, budgetBefore }) => label === effect.label && budgetBefore === effect.budgetBefore,
    );
    const after = effect.allowed ? effect.budgetBefore - effect.cost : effect.budgetBefore;
    this.book.count(effect.allowed ? 'budget steps' : 'denials');
    const found = `${effect.label || 'allowed'} with budget ${effect.budgetBefore}→${effect.budgetAfter}`;
    const expected = [
      ...new Set(verdicts.map(({ label, budgetBefore }) => `${label || 'allowed'} with budget ${budgetBefore}`)),
    ];
    if (!holds || effect.budgetAfter !== after) {
      const what = `the decision on ${effect.effect}@${effect.scope} does not follow from grants and spending`;
      const [first] = verdicts;
      const less = first !== undefined && first.label === effect.label && first.budgetBefore > effect.budgetBefore;
      const meaning = less
        ? 'units are gone that no entry accounts for: an effect without an entry (the daemon’s next start records it), an entry that was taken out, or a false record'
        : verdicts.length === 0
          ? UNGRANTED
          : MISCOUNTED;
      this.#fail(index, what, expected.join(' or ') || 'no session that was minted and not revoked', found, meaning);
    }
    if (effect.allowed) {
      episode.allowedSeen += 1;
      episode.spend(effect);
    }
    episode.lastEffect = index;
  }

  #known(index: number, name: string): EpisodeLedger | undefined {
    const episode = this.#episodes.get(name);
    if (episode === undefined)
      this.#fail(index, `episode ${name} was never opened`, 'an episode-open act before', 'none', UNGRANTED);
    return episode;
  }

  #fail(entry: number, what: string, expected: string, found: string, meaning: string): void {
    this.book.fail({ entry, what, expected, found, meaning });
  }
}
