import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { packageRoot } from '../ailang/package-root.js';
import { WorldError } from '../errors.js';
import { nodeFileSystem } from './file-system.js';
import type { MergeResult } from './merge-step.js';
import type { MergeReply, MergeTask } from './merge-worker.js';
import type { InstalledPack } from './pack.js';
import { type OwnPack, readOwnPacks } from './pack-manifest.js';
import { packDirectory } from './repository.js';
import type { Repository } from './types.js';

/** Keeps the number of our packs flat while the log grows. */
export interface PackMerger {
  /** Tells of a pack just written. Call it after the pack's `release`: a pack with a `.keep` is passed over until the next call. */
  notify(pack: Pick<InstalledPack, 'name' | 'bytes'>): void;
  /** Resolves when no merge runs or is due. */
  idle(): Promise<void>;
  /** Waits for a running merge and ends the worker. */
  close(): Promise<void>;
}

export interface MergerOptions {
  /** Told of a merge that failed: the log is whole, only more packs stay than need be. */
  readonly onError?: (error: WorldError) => void;
}

/** Level 0 fills by one pack a group of entries, so it waits for more. */
const fanIn = (level: number) => (level === 0 ? 16 : 8);
/** Bytes of a merged pack beyond which copying costs more than a pack more does. */
const largestMerge = 1 << 30;
/** Merges that fail one after the other until the merger rests for good: a full disk is not helped by trying. */
const patience = 3;

/** Starts from the packs written by earlier runs. Only under the writer's lock. */
export function startPackMerger(repository: Repository, options: MergerOptions = {}): PackMerger {
  return new Merger(repository, options.onError ?? (() => undefined));
}

class Merger implements PackMerger {
  /** Every pack of ours that may be merged, by name. */
  readonly #packs = new Map<string, OwnPack>();
  /** Seen with a `.keep`; they wait for the next `notify`. */
  readonly #kept = new Set<string>();
  #worker: Worker | undefined;
  #running: Promise<void>;
  #closed = false;
  #failures = 0;

  constructor(
    private readonly repository: Repository,
    private readonly onError: (error: WorldError) => void,
  ) {
    this.#running = this.#loadEarlier().catch((error: unknown) => this.#failed(error));
    this.#run();
  }

  notify(pack: Pick<InstalledPack, 'name' | 'bytes'>): void {
    this.#packs.set(pack.name, { name: pack.name, level: 0, bytes: pack.bytes });
    this.#kept.clear();
    this.#run();
  }

  async idle(): Promise<void> {
    let waited: Promise<void>;
    do {
      waited = this.#running;
      await waited;
    } while (waited !== this.#running);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.idle();
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  async #loadEarlier(): Promise<void> {
    const recorded = await readOwnPacks(nodeFileSystem, this.repository);
    if (recorded.size === 0) return;
    const names = new Set(await nodeFileSystem.readdir(packDirectory(this.repository)));
    for (const pack of recorded.values()) {
      if (names.has(`${pack.name}.idx`) && !this.#packs.has(pack.name)) this.#packs.set(pack.name, pack);
    }
  }

  #run(): void {
    this.#running = this.#running.then(async () => {
      for (let batch = this.#due(); batch !== undefined; batch = this.#due()) {
        await this.#merge(batch.packs, batch.level).catch((error: unknown) => this.#failed(error));
      }
    });
  }

  /** The lowest level that is full. */
  #due(): { packs: OwnPack[]; level: number } | undefined {
    if (this.#closed || this.#failures >= patience) return undefined;
    const levels = new Map<number, OwnPack[]>();
    for (const pack of this.#packs.values()) {
      if (this.#kept.has(pack.name)) continue;
      const level = levels.get(pack.level);
      if (level === undefined) levels.set(pack.level, [pack]);
      else level.push(pack);
    }
    for (const [level, packs] of [...levels].sort(([a], [b]) => a - b)) {
      const batch = packs.slice(0, fanIn(level));
      const bytes = batch.reduce((sum, pack) => sum + pack.bytes, 0);
      if (batch.length === fanIn(level) && bytes <= largestMerge) return { packs: batch, level };
    }
    return undefined;
  }

  async #merge(packs: readonly OwnPack[], level: number): Promise<void> {
    const names = packs.map((pack) => pack.name);
    const result = await this.#ask({ repository: this.repository, names, level: level + 1 });
    this.#failures = 0;
    this.#settle(result, level + 1);
  }

  #settle(result: MergeResult, level: number): void {
    for (const name of [...result.gone, ...result.damaged]) this.#packs.delete(name);
    for (const name of result.kept) this.#kept.add(name);
    const { merged } = result;
    if (merged !== null) this.#packs.set(merged.name, { name: merged.name, level, bytes: merged.bytes });
    for (const name of result.damaged) {
      this.onError(
        new WorldError('pack-damaged', `${name} is damaged`, { hint: 'Run: git fsck', data: { pack: name } }),
      );
    }
  }

  #ask(task: MergeTask): Promise<MergeResult> {
    this.#worker ??= new Worker(join(packageRoot(), 'dist', 'workers', 'merge-packs.js'));
    const worker = this.#worker;
    // Held only while it works: an idle worker must not keep a program alive.
    worker.ref();
    return new Promise<MergeResult>((resolve, reject) => {
      const settle = (end: () => void) => {
        worker.off('message', onReply).off('error', onEnd).off('exit', onEnd);
        worker.unref();
        end();
      };
      const onReply = (reply: MergeReply) =>
        settle(() => (reply.ok ? resolve(reply.result) : reject(new Error(reply.message))));
      const onEnd = (why: unknown) => {
        this.#worker = undefined;
        settle(() => reject(why instanceof Error ? why : new Error(`the merge worker ended with ${why}`)));
      };
      worker.on('message', onReply).on('error', onEnd).on('exit', onEnd);
      worker.postMessage(task);
    });
  }

  #failed(cause: unknown): void {
    this.#failures += 1;
    const why = cause instanceof Error ? cause.message : String(cause);
    this.onError(
      new WorldError('pack-merge-failed', `small packs could not be merged: ${why}`, {
        hint: 'The log is not affected. Check disk space; git gc merges packs, too.',
        cause,
      }),
    );
  }
}
