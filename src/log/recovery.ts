import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { WorldError } from '../errors.js';
import { decodeCommit } from '../git/objects.js';
import type { ObjectReader } from '../git/reader.js';
import { readRef, removeStaleRefLock, repairCorruptRef } from '../git/ref.js';
import type { GitOid, ObjectFormat, Repository } from '../git/types.js';
import { decodeEntryRecord, decodeIntentRecord, decodeTipRecord } from './journal-records.js';
import type { JournalContent } from './journal-scan.js';
import { logRef } from './log-ref.js';
import { listCommits } from './read-entry.js';
import { type ChainedCommit, foreignMove, groupSize, type SealOptions, sealGroup, staleLockMs } from './sealer.js';
import type { EffectIntent } from './types.js';

/** What a journal says about the log. */
export interface JournalStory {
  /** Where the ref stood when the generation began; undefined for an empty journal. */
  readonly base: GitOid | null | undefined;
  /** Entries acknowledged since, each following the one before. */
  readonly entries: readonly ChainedCommit[];
  readonly intents: readonly EffectIntent[];
}

export function readStory(format: ObjectFormat, content: JournalContent): JournalStory {
  let base: GitOid | null | undefined;
  const entries: ChainedCommit[] = [];
  const intents: EffectIntent[] = [];
  for (const { kind, body } of content.records) {
    if (kind === 'tip') base = decodeTipRecord(body);
    else if (kind === 'intent') intents.push(decodeIntentRecord(body));
    else {
      const objects = decodeEntryRecord(format, body);
      const commit = objects.at(-1);
      if (commit === undefined) continue;
      const parent = decodeCommit(commit.body).parents[0] ?? null;
      const before = entries.at(-1)?.commit ?? base;
      if (parent !== before) {
        throw new WorldError('journal-corrupt', `the journal's entry ${commit.oid} does not follow the one before it`);
      }
      entries.push({ commit: commit.oid, objects });
    }
  }
  return { base, entries, intents };
}

/**
 * Brings the ref to where the journal's acknowledged entries end.
 * @returns the commit the ref points at now
 * @throws WorldError `log-foreign-move` when the ref is somewhere the journal does not know of, `log-ref-lost`
 */
export async function resumeRef(
  repository: Repository,
  objects: ObjectReader,
  story: JournalStory,
  options: SealOptions,
): Promise<GitOid | null> {
  await removeStaleRefLock(repository, logRef, staleLockMs);
  const tip = await readOrRepairRef(repository, objects, story);
  if (story.base === undefined) return tip;
  const places = [story.base, ...story.entries.map(({ commit }) => commit)];
  await removeOwnLock(repository, new Set(places));
  const at = places.lastIndexOf(tip);
  if (at < 0)
    return (await contains(repository, objects, tip, places.at(-1) ?? null)) ? tip : refuse(tip, places.at(-1));
  let sealed = tip;
  const missing = story.entries.slice(at);
  for (let from = 0; from < missing.length; from += groupSize) {
    sealed = await sealGroup(repository, missing.slice(from, from + groupSize), sealed, options);
  }
  return sealed;
}

/**
 * A lock that holds a commit of our journal was ours, and its process is dead, for the writer lock is ours now. One
 * that is still empty may be anybody's: it only goes when it is old.
 */
async function removeOwnLock(repository: Repository, own: ReadonlySet<GitOid | null>): Promise<void> {
  const lock = join(repository.commonDir, `${logRef}.lock`);
  const text = await readFile(lock, 'latin1').catch(() => '');
  if (own.has(text.trim() as GitOid)) await rm(lock, { force: true });
}

/** A ref that is empty after a power cut is put back to the newest place the journal proves. */
async function readOrRepairRef(
  repository: Repository,
  objects: ObjectReader,
  story: JournalStory,
): Promise<GitOid | null> {
  try {
    return await readRef(repository, logRef);
  } catch (error) {
    if (!(error instanceof WorldError) || error.code !== 'ref-corrupt') throw error;
    const places = [story.base ?? null, ...story.entries.map(({ commit }) => commit)].reverse();
    for (const place of places) {
      if (place === null || (await objects.read(place)) === null) continue;
      await repairCorruptRef(repository, logRef, place);
      return place;
    }
    throw new WorldError('log-ref-lost', `${logRef} is damaged and the journal does not say where it stood`, {
      hint: `Find the newest entry with: git fsck --lost-found - then: git update-ref ${logRef} <commit>`,
      data: error.data,
      cause: error,
    });
  }
}

/** True when `tip`'s history holds `commit`: then the log went on elsewhere and the journal is merely old. */
async function contains(
  repository: Repository,
  objects: ObjectReader,
  tip: GitOid | null,
  commit: GitOid | null,
): Promise<boolean> {
  if (tip === null) return false;
  if (commit === null) return true;
  if ((await objects.read(commit)) === null) return false;
  return (await listCommits(repository, null, tip)).includes(commit);
}

function refuse(tip: GitOid | null, last: GitOid | null | undefined): never {
  throw foreignMove(
    new WorldError('ref-moved', `${logRef} is ${tip ?? 'absent'}, the journal ends at ${last ?? 'nothing'}`, {
      data: { ref: logRef, found: tip, expected: last ?? null },
    }),
  );
}
