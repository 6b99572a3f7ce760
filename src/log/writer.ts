import { WorldError } from '../errors.js';
import type { CommitSigner } from '../git/ssh/sign-commit.js';
import type { GitOid, Repository } from '../git/types.js';
import { type BuiltEntry, buildEntry } from './build-entry.js';
import type { Journal } from './journal.js';
import type { JournalRecord } from './journal-frame.js';
import { entryRecord, intentRecord, tipRecord } from './journal-records.js';
import type { LogView } from './log-view.js';
import { foreignMove, groupSize, type SealOptions, sealGroup } from './sealer.js';
import type { CommittedEntry, EffectIntent, EntryDraft } from './types.js';

export interface WriterOptions extends SealOptions {
  readonly repository: Repository;
  readonly journal: Journal;
  readonly view: LogView;
  /** Commit the ref points at. */
  readonly sealed: GitOid | null;
  /** Unix seconds. */
  readonly now: () => number;
  readonly signer?: CommitSigner | undefined;
}

interface Waiting {
  readonly record: JournalRecord;
  readonly built: BuiltEntry | null;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Longest time an acknowledged entry waits for its pack under load, ms. */
const sealWithinMs = 50;
/** Rest after a pack could not be written, ms. */
const sealAgainMs = 1000;
const checkpointEvery = 1000;

/**
 * Chains entries in memory, makes them durable in the journal (one sync for all that wait), answers, and moves them
 * into packs behind the ref.
 */
export class LogWriter {
  readonly #options: WriterOptions;
  readonly #listeners = new Set<(entry: CommittedEntry) => void>();
  #waiting: Waiting[] = [];
  #pumping: Promise<void> | null = null;
  /** Durable in the journal, not yet behind the ref, oldest first. */
  #pending: BuiltEntry[] = [];
  #sealing: Promise<void> | null = null;
  #sealTimer: NodeJS.Timeout | null = null;
  #sealStarted = Number.NEGATIVE_INFINITY;
  #sealFailure: unknown = null;
  #sealed: GitOid | null;
  /** End of the chain, entries that are not durable yet included. */
  #tail: CommittedEntry | null;
  /** Why nothing can be written any more. */
  #stopped: WorldError | null = null;
  #sinceCheckpoint = 0;
  #closed = false;
  /** The newest write to the journal, or the newest failure of one. */
  #newestWrite: Promise<void> = Promise.resolve();

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#sealed = options.sealed;
    this.#tail = options.view.head;
  }

  append(draft: EntryDraft): Promise<CommittedEntry> {
    let built: BuiltEntry;
    try {
      if (this.#stopped !== null) throw this.#stopped;
      const { view, repository, now, signer } = this.#options;
      if (draft.kind === 'invocation') view.state.checkIntents(draft);
      built = buildEntry(draft, { format: repository.objectFormat, previous: this.#tail, time: now(), signer });
    } catch (error) {
      return Promise.reject(error);
    }
    const { index, entryHash, worldRef, commit } = built.entry;
    const committed = { index, entryHash, worldRef, commit };
    this.#tail = committed;
    return this.#enqueue(entryRecord(built.objects), built).then(() => committed);
  }

  recordIntent(draft: Omit<EffectIntent, 'intentId'>): {
    readonly intent: EffectIntent;
    readonly durable: Promise<void>;
  } {
    if (this.#stopped !== null) throw this.#stopped;
    if (this.#sealFailure !== null) throw writeFailed('entries cannot be moved into the repository', this.#sealFailure);
    const intent = this.#options.view.state.startIntent(draft);
    const durable = this.#enqueue(intentRecord(intent), null);
    // Whoever does not look must not bring the process down; whoever awaits it still sees the failure.
    durable.catch(() => undefined);
    return { intent, durable };
  }

  onAppend(listener: (entry: CommittedEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The entry while it is not behind the ref. */
  pendingEntry(index: number): BuiltEntry | undefined {
    const first = this.#pending[0];
    return first === undefined ? undefined : this.#pending[index - first.entry.index];
  }

  async flush(): Promise<void> {
    const last = this.#tail?.index ?? -1;
    await this.#newestWrite;
    const waits = () => (this.#pending[0]?.entry.index ?? Number.POSITIVE_INFINITY) <= last;
    if (this.#sealing !== null) await this.#sealing.catch(() => undefined);
    while (waits()) await this.#seal();
    if (this.#stopped !== null && this.#stopped.code !== 'log-closed') throw this.#stopped;
  }

  async close(): Promise<void> {
    if (this.#stopped === null) this.#stopped = new WorldError('log-closed', 'the log is closed');
    while (this.#pumping !== null) await this.#pumping;
    try {
      if (this.#stopped.code !== 'log-foreign-move') await this.#sealAll();
      this.#options.view.checkpoint();
    } finally {
      this.#closed = true;
      if (this.#sealTimer !== null) clearTimeout(this.#sealTimer);
    }
  }

  #enqueue(record: JournalRecord, built: BuiltEntry | null): Promise<void> {
    const written = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ record, built, resolve, reject });
      this.#pumping ??= this.#pump();
    });
    this.#newestWrite = written.catch(() => undefined);
    return written;
  }

  async #pump(): Promise<void> {
    // Callers of the same turn share the first sync too.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup();
      try {
        if (this.#stopped !== null && this.#stopped.code !== 'log-closed') throw this.#stopped;
        await this.#makeDurable(group);
      } catch (error) {
        this.#stopped ??= writeFailed('the journal could not be written', error);
        if (this.#stopped.code === 'log-closed') this.#stopped = writeFailed('the journal could not be written', error);
        for (const { reject } of [...group, ...this.#waiting.splice(0)]) reject(this.#stopped);
        break;
      }
      for (const { built, resolve } of group) {
        if (built !== null) this.#acknowledge(built);
        resolve();
      }
      this.#sealSoon();
    }
    this.#pumping = null;
    this.#sealSoon();
  }

  #takeGroup(): readonly Waiting[] {
    const { journal } = this.#options;
    let size = 1;
    const records = () => this.#waiting.slice(0, size + 1).map(({ record }) => record);
    while (size < groupSize && size < this.#waiting.length && journal.fitsEmpty(records())) size++;
    return this.#waiting.splice(0, size);
  }

  async #makeDurable(group: readonly Waiting[]): Promise<void> {
    const { journal } = this.#options;
    const records = group.map(({ record }) => record);
    if (!journal.fitsEmpty(records)) return this.#makeDurableInPack(group);
    if (!journal.fits(records)) await this.#turnOver();
    await journal.append(records);
    for (const { built } of group) if (built !== null) this.#pending.push(built);
  }

  /** An entry too large for the journal goes into its pack before it is acknowledged. */
  async #makeDurableInPack(group: readonly Waiting[]): Promise<void> {
    for (const { built } of group) {
      if (built === null) throw new WorldError('log-draft-invalid', 'the effect intent is larger than the journal');
      this.#pending.push(built);
    }
    try {
      await this.#sealAll();
    } catch (error) {
      this.#pending = this.#pending.filter((entry) => !group.some(({ built }) => built === entry));
      throw error;
    }
    await this.#turnOver();
  }

  async #turnOver(): Promise<void> {
    await this.#sealAll();
    if (this.#stopped !== null && this.#stopped.code !== 'log-closed') throw this.#stopped;
    const intents = this.#options.view.state.inFlight().map(intentRecord);
    await this.#options.journal.turnOver([tipRecord(this.#sealed), ...intents]);
  }

  #acknowledge(built: BuiltEntry): void {
    const { view } = this.#options;
    view.add(built.entry);
    if (++this.#sinceCheckpoint >= checkpointEvery) {
      this.#sinceCheckpoint = 0;
      view.checkpoint();
    }
    const { index, entryHash, worldRef, commit } = built.entry;
    for (const listener of this.#listeners) {
      try {
        listener({ index, entryHash, worldRef, commit });
      } catch (error) {
        process.emitWarning(`a listener of the log failed at entry ${index}: ${String(error)}`);
      }
    }
  }

  #sealSoon(): void {
    if (this.#pending.length === 0 || this.#sealing !== null || this.#sealTimer !== null) return;
    if (this.#closed || this.#stopped?.code === 'log-foreign-move') return;
    const rest = this.#sealFailure === null ? sealWithinMs : sealAgainMs;
    const wait = this.#sealStarted + rest - performance.now();
    if (wait <= 0) {
      this.#startSeal();
      return;
    }
    this.#sealTimer = setTimeout(() => {
      this.#sealTimer = null;
      this.#startSeal();
    }, wait);
  }

  #startSeal(): void {
    if (this.#sealing !== null || this.#pending.length === 0) return;
    this.#seal().catch(() => undefined);
  }

  /** Resolves when nothing is pending; rejects with what prevents it. */
  async #sealAll(): Promise<void> {
    if (this.#sealing !== null) await this.#sealing.catch(() => undefined);
    while (this.#pending.length > 0) await this.#seal();
  }

  #seal(): Promise<void> {
    this.#sealing ??= this.#sealPending().finally(() => {
      this.#sealing = null;
      this.#sealSoon();
    });
    return this.#sealing;
  }

  async #sealPending(): Promise<void> {
    if (this.#stopped?.code === 'log-foreign-move') throw this.#stopped;
    this.#sealStarted = performance.now();
    const group = this.#pending.slice(0, groupSize).map(({ entry, objects }) => ({ commit: entry.commit, objects }));
    try {
      this.#sealed = await sealGroup(this.#options.repository, group, this.#sealed, this.#options);
      this.#pending.splice(0, group.length);
      this.#sealFailure = null;
    } catch (error) {
      const landed = sealedAlready(error, group);
      if (landed > 0) {
        // An attempt that was reported as failed had moved the ref all the same.
        this.#sealed = group[landed - 1]?.commit ?? this.#sealed;
        this.#pending.splice(0, landed);
        this.#sealFailure = null;
        return;
      }
      if (error instanceof WorldError && (error.code === 'ref-moved' || error.code === 'ref-corrupt')) {
        this.#stopped = foreignMove(error);
        throw this.#stopped;
      }
      this.#sealFailure = error;
      throw writeFailed('entries cannot be moved into the repository', error);
    }
  }
}

/** How many entries of the group the ref is found to hold already. */
function sealedAlready(error: unknown, group: readonly { readonly commit: GitOid }[]): number {
  if (!(error instanceof WorldError) || error.code !== 'ref-moved') return 0;
  return group.findIndex(({ commit }) => commit === error.data.found) + 1;
}

function writeFailed(what: string, cause: unknown): WorldError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : null;
  return new WorldError('log-write-failed', `the log cannot be written: ${what}`, {
    hint: 'Check disk space and disk health, then restart the daemon. What it acknowledged is in the journal.',
    data: { cause: code },
    cause,
  });
}
