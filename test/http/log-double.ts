import { createHash } from 'node:crypto';
import type {
  CommittedEntry,
  EntryIndex,
  EntryWire,
  FoundRef,
  LogEntry,
  LogState,
  ObjectLocation,
  Sha256Ref,
  WorldLog,
} from '../../src/log/types.js';

export const refOf = (bytes: Buffer | string) =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}` as Sha256Ref;

/** A readable log of entries made by `add`; it writes nothing. */
export class LogDouble implements WorldLog {
  readonly worldId = '0123456789abcdef';
  readonly state = {} as LogState;
  readonly #entries: LogEntry[] = [];
  /** Thrown (or awaited) by every read when set. */
  fault: (() => Promise<never>) | null = null;

  add(files: Readonly<Record<string, string>>): LogEntry {
    const index = this.#entries.length as EntryIndex;
    const world = { revision: index, stateRoot: refOf(files['output.json'] ?? ''), logHead: refOf(`entry ${index}`) };
    const wire: EntryWire = {
      header: {
        entryIndex: index,
        semanticsEpoch: 1,
        transitionFn: refOf('tool'),
        interpreter: refOf('interpreter'),
        prevEntryHash: this.#entries.at(-1)?.entryHash ?? '',
        writtenBy: 'coordinator:a2a',
      },
      entryHash: world.logHead,
      transitionRef: refOf(files['record.json'] ?? ''),
    };
    const all = { ...files, 'world.json': JSON.stringify(world), 'entry.json': JSON.stringify(wire) };
    const entry: LogEntry = {
      index,
      entryHash: wire.entryHash,
      worldRef: refOf(all['world.json']),
      commit: '2'.repeat(40) as LogEntry['commit'],
      wire,
      world,
      files: new Map(Object.entries(all).map(([path, text]) => [path, Buffer.from(text)])),
      worktree: null,
    };
    this.#entries.push(entry);
    return entry;
  }

  get head(): CommittedEntry {
    const last = this.#entries.at(-1);
    if (last === undefined) throw new Error('empty');
    return last;
  }

  async entry(index: EntryIndex): Promise<LogEntry | null> {
    await this.fault?.();
    return this.#entries[index] ?? null;
  }

  async entries(from: EntryIndex, limit: number): Promise<readonly EntryWire[]> {
    await this.fault?.();
    return this.#entries.slice(from, from + limit).map(({ wire }) => wire);
  }

  find(ref: Sha256Ref): FoundRef {
    const found = this.#entries
      .toReversed()
      .map(({ index, entryHash, files }) => [
        ...(entryHash === ref ? [{ index, path: 'entry.json' }] : []),
        ...[...files].filter(([, bytes]) => refOf(bytes) === ref).map(([path]) => ({ index, path })),
      ]);
    const { fault } = this;
    async function* locations(): AsyncGenerator<ObjectLocation> {
      await fault?.();
      yield* found.flat();
    }
    return { entries: found.filter((places) => places.length > 0).length, locations: locations() };
  }

  async redactions() {
    return [];
  }

  async invocation(): Promise<EntryIndex | null> {
    return null;
  }

  recordIntent(): never {
    throw new Error('not writable');
  }

  append(): never {
    throw new Error('not writable');
  }

  async flush(): Promise<void> {}

  onAppend(): () => void {
    return () => {};
  }

  async close(): Promise<void> {}
}
