import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { WorldError } from '../errors.js';
import { type Durability, type FileSystem, nodeFileSystem } from '../git/file-system.js';
import type { InstalledPack } from '../git/pack.js';
import { openObjectReader } from '../git/reader.js';
import type { CommitSigner } from '../git/ssh/sign-commit.js';
import { sweepPackLeftovers } from '../git/sweep.js';
import type { Repository } from '../git/types.js';
import { daemonIdentity } from './build-entry.js';
import { defaultJournalBytes, Journal, type JournalFiles, nodeJournalFiles } from './journal.js';
import { LogView, readingCalls, requireHead } from './log-view.js';
import { readStory, resumeRef } from './recovery.js';
import type { SealOptions } from './sealer.js';
import type { EffectIntent, OperatorDraft, WorldLog } from './types.js';
import { LogWriter } from './writer.js';
import { takeWriterLock } from './writer-lock.js';

export interface OpenLogOptions {
  readonly repository: Repository;
  /** Called when there is no log yet, to begin one. Without it an absent log is an error. */
  readonly genesis?: () => OperatorDraft | Promise<OperatorDraft>;
  /** Default `strict`: an entry is acknowledged when it is on stable storage. */
  readonly durability?: Durability;
  /** Unix seconds. */
  readonly now?: () => number;
  /** File operations of packs and refs. */
  readonly fs?: FileSystem;
  /** File operations of the journal. */
  readonly journalFiles?: JournalFiles;
  /** Size of a new journal, bytes. */
  readonly journalBytes?: number;
  /** Told of every pack the log writes, so that they can be merged. */
  readonly packWritten?: (pack: InstalledPack) => void;
  /** Signs every entry written from now on. */
  readonly signer?: CommitSigner | undefined;
}

const journalPath = (repository: Repository) => join(repository.commonDir, 'world', 'journal');

/**
 * Opens the log for writing and puts in order what an earlier writer left: leftovers are swept, acknowledged entries
 * that are not behind the ref are put there, started effects without an entry become one `recovery` entry.
 * @throws WorldError `writer-busy`, `log-absent`, `journal-corrupt`, `log-foreign-move`, `log-ref-lost`,
 * `log-entry-malformed`
 */
export async function openWorldLog(options: OpenLogOptions): Promise<WorldLog> {
  const { repository } = options;
  const now = options.now ?? (() => Math.floor(Date.now() / 1000));
  const seal: SealOptions = {
    fs: options.fs ?? nodeFileSystem,
    durability: options.durability ?? 'strict',
    packWritten: options.packWritten ?? (() => undefined),
  };
  await mkdir(join(repository.commonDir, 'world'), { recursive: true, mode: 0o700 });
  const undo: (() => Promise<void> | void)[] = [];
  /** Every step is taken, whatever fails: a lock or a child process must not outlive the log. */
  const release = async () => {
    const failures: unknown[] = [];
    for (const step of undo.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  try {
    undo.push(await takeWriterLock(repository, now()));
    await sweepPackLeftovers(repository);
    const objects = openObjectReader(repository);
    undo.push(() => objects.close());
    const { journal, content } = await Journal.open(journalPath(repository), {
      files: options.journalFiles ?? nodeJournalFiles,
      durability: seal.durability,
      bytes: options.journalBytes ?? defaultJournalBytes,
    });
    undo.push(() => journal.close());
    const story = readStory(repository.objectFormat, content);
    const sealed = await resumeRef(repository, objects, story, seal);
    if (content.damaged) throw journalCorrupt(repository);
    const view = await LogView.load(repository, objects, sealed, true);
    undo.push(() => view.close());
    const writer = new LogWriter({ ...seal, repository, journal, view, sealed, now, signer: options.signer });
    undo.push(() => writer.close());

    const lost = unsettled(view, story.intents);
    for (const intent of lost) view.state.resumeIntent(intent);
    if (view.head === null) {
      if (options.genesis === undefined) requireHead(view);
      else await writer.append(await options.genesis());
    } else if (lost.length > 0) {
      await writer.append(recoveryDraft(view, lost, now()));
    }
    const { worldId } = requireHead(view);
    let closing: Promise<void> | null = null;
    return {
      worldId,
      get head() {
        return requireHead(view).head;
      },
      state: view.state,
      ...readingCalls(view, async (index) => writer.pendingEntry(index)?.entry ?? (await view.entry(index))),
      recordIntent: (draft) => writer.recordIntent(draft),
      append: (draft) => writer.append(draft),
      flush: () => writer.flush(),
      onAppend: (listener) => writer.onAppend(listener),
      close: () => {
        closing ??= release();
        return closing;
      },
    };
  } catch (error) {
    await release().catch(() => undefined);
    throw error;
  }
}

/**
 * Moves a damaged journal out of the way, so that the log can be opened without it.
 * @returns where it is now
 */
export async function setJournalAside(repository: Repository, now: number): Promise<string> {
  const release = await takeWriterLock(repository, now);
  try {
    const aside = `${journalPath(repository)}.damaged-${now}`;
    await rename(journalPath(repository), aside);
    return aside;
  } finally {
    await release();
  }
}

function unsettled(view: LogView, intents: readonly EffectIntent[]): readonly EffectIntent[] {
  const lost = new Map<string, EffectIntent>();
  for (const intent of intents) {
    const receipt = view.state.receipt(intent.invocationId);
    const recovered = view.state
      .recoveredIntents(intent.invocationId)
      .some((known) => known.intentId === intent.intentId);
    if (receipt?.state !== 'resolved' && !recovered) lost.set(intent.intentId, intent);
  }
  return [...lost.values()];
}

function recoveryDraft(view: LogView, intents: readonly EffectIntent[], time: number): OperatorDraft {
  const program = view.state.tools();
  if (program === undefined) throw new WorldError('log-entry-malformed', 'the log names no toolchain');
  return {
    kind: 'operator',
    act: { act: 'recovery', intents, time },
    author: daemonIdentity,
    interpreter: program.toolchain.sha256,
  };
}

function journalCorrupt(repository: Repository): WorldError {
  const file = journalPath(repository);
  return new WorldError('journal-corrupt', `the journal ${file} is damaged in the middle`, {
    hint:
      'Every entry before the damage is in the log; the file is untouched. To go on without the rest, run: ' +
      `ailang-worldd doctor --repair - or: mv '${file}' '${file}.damaged'`,
    data: { file },
  });
}
