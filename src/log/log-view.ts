import { WorldError } from '../errors.js';
import type { ObjectReader } from '../git/reader.js';
import type { GitOid, Repository } from '../git/types.js';
import { freshLookup, loadCheckpoint, saveCheckpoint } from './checkpoint.js';
import { entryFacts } from './entry-facts.js';
import { sha256Ref } from './hash.js';
import { Lookup } from './lookup.js';
import { entryKeys, invocationKey, refKey } from './lookup-keys.js';
import { listCommits, readEntries, readEntry } from './read-entry.js';
import { LogStateTable, type SavedState } from './state.js';
import type {
  CommittedEntry,
  EntryIndex,
  EntryWire,
  FoundRef,
  LogEntry,
  ObjectLocation,
  RedactionAct,
  Sha256Ref,
} from './types.js';

/** Everything derived from the log up to its newest durable entry: state, index, head. Grows by `add`. */
export class LogView {
  readonly state: LogStateTable;
  #head: CommittedEntry | null;
  #worldId: string | null;

  private constructor(
    private readonly repository: Repository,
    private readonly objects: ObjectReader,
    readonly lookup: Lookup,
    from: { head: CommittedEntry; worldId: string; state: SavedState } | null,
  ) {
    this.#head = from?.head ?? null;
    this.#worldId = from?.worldId ?? null;
    this.state = new LogStateTable((id) => lookup.entriesWith(invocationKey(id))[0] ?? null, from?.state);
  }

  /**
   * Derives the view of the log that ends at `tip`, from the checkpoint where it fits and from the entries after it.
   * @param writable false: files are not touched, what is new stays in memory
   * @throws WorldError `log-entry-malformed`, `record-malformed`
   */
  static async load(
    repository: Repository,
    objects: ObjectReader,
    tip: GitOid | null,
    writable: boolean,
  ): Promise<LogView> {
    const saved = tip === null ? null : await LogView.fromCheckpoint(repository, objects, tip, writable);
    if (saved !== null) return saved;
    const lookup = writable ? freshLookup(repository) : Lookup.inMemory(repository.objectFormat);
    const view = new LogView(repository, objects, lookup, null);
    if (tip !== null) await view.#replay(await listCommits(repository, null, tip));
    if (writable) view.checkpoint();
    return view;
  }

  /**
   * The view from the checkpoint and the entries after it; null when there is none that fits.
   * @throws as `load`
   */
  static async fromCheckpoint(
    repository: Repository,
    objects: ObjectReader,
    tip: GitOid,
    writable: boolean,
  ): Promise<LogView | null> {
    const saved = loadCheckpoint(repository, writable);
    if (saved === null) return null;
    const { checkpoint, lookup } = saved;
    const newer = await commitsSince(repository, objects, checkpoint.head, tip);
    if (newer !== null && lookup.size === checkpoint.head.index + 1) {
      const from = { head: checkpoint.head, worldId: checkpoint.worldId, state: checkpoint.state };
      const view = new LogView(repository, objects, lookup, from);
      await view.#replay(newer);
      return view;
    }
    lookup.close();
    return null;
  }

  get head(): CommittedEntry | null {
    return this.#head;
  }

  get worldId(): string | null {
    return this.#worldId;
  }

  /** Takes in the next durable entry. */
  add(entry: LogEntry): void {
    const facts = entryFacts(entry);
    this.lookup.add(entry.commit, entryKeys(entry, facts));
    this.state.apply(entry, facts);
    this.#worldId ??= worldIdOf(entry.entryHash);
    const { index, entryHash, worldRef, commit } = entry;
    this.#head = { index, entryHash, worldRef, commit };
  }

  checkpoint(): void {
    if (this.#head === null || this.#worldId === null) return;
    saveCheckpoint(this.repository, this.lookup, {
      worldId: this.#worldId,
      head: this.#head,
      state: this.state.save(),
    });
  }

  async entry(index: number): Promise<LogEntry | null> {
    const commit = this.lookup.commit(index);
    return commit === null ? null : readEntry(this.objects, commit);
  }

  close(): void {
    this.lookup.close();
  }

  async #replay(commits: readonly GitOid[]): Promise<void> {
    for await (const entry of readEntries(this.objects, commits, this.lookup.size)) this.add(entry);
  }
}

/** The commits after `head` up to `tip`; null when `head` is not in the chain that ends at `tip`. */
async function commitsSince(
  repository: Repository,
  objects: ObjectReader,
  head: CommittedEntry,
  tip: GitOid,
): Promise<readonly GitOid[] | null> {
  if (head.commit === tip) return [];
  const newest = await readEntry(objects, tip);
  if (newest.index <= head.index || (await objects.read(head.commit)) === null) return null;
  const commits = await listCommits(repository, head.commit, tip);
  return commits.length === newest.index - head.index ? commits : null;
}

const readAhead = 32;

async function* locate(
  ref: Sha256Ref,
  indices: readonly EntryIndex[],
  read: (index: number) => Promise<LogEntry | null>,
): AsyncGenerator<ObjectLocation> {
  for (const index of indices) {
    const entry = await read(index);
    if (entry === null) continue;
    if (entry.entryHash === ref) yield { index, path: 'entry.json' };
    for (const [path, body] of entry.files) if (sha256Ref(body) === ref) yield { index, path };
  }
}

/** The reading calls of `LogReader`, over any way to get one entry. */
export function readingCalls(view: LogView, read: (index: number) => Promise<LogEntry | null>) {
  return {
    entry: (index: EntryIndex): Promise<LogEntry | null> => read(index),

    async entries(from: EntryIndex, limit: number): Promise<readonly EntryWire[]> {
      const end = Math.min(view.lookup.size, from + Math.max(0, limit));
      const found: EntryWire[] = [];
      for (let at = Math.max(0, from); at < end; at += readAhead) {
        const indices = Array.from({ length: Math.min(readAhead, end - at) }, (_, offset) => at + offset);
        for (const entry of await Promise.all(indices.map(read))) if (entry !== null) found.push(entry.wire);
      }
      return found;
    },

    find(ref: Sha256Ref): FoundRef {
      const indices = view.lookup.entriesWith(refKey(ref));
      return { entries: indices.length, locations: locate(ref, indices.toReversed(), read) };
    },

    async invocation(invocationId: string): Promise<EntryIndex | null> {
      return view.lookup.entriesWith(invocationKey(invocationId))[0] ?? null;
    },

    redactions: async (): Promise<readonly RedactionAct[]> => view.state.redactions(),
  };
}

/** @throws WorldError `log-absent` when there is no entry yet */
export function requireHead(view: LogView): { readonly head: CommittedEntry; readonly worldId: string } {
  const { head, worldId } = view;
  if (head !== null && worldId !== null) return { head, worldId };
  throw logAbsent();
}

/** First 16 hex digits of the hash of the genesis entry. */
export function worldIdOf(genesis: Sha256Ref): string {
  return genesis.slice('sha256:'.length, 'sha256:'.length + 16);
}

export function logAbsent(): WorldError {
  return new WorldError('log-absent', 'this repository has no world log yet', {
    hint: 'Start one with: ailang-worldd up',
  });
}
