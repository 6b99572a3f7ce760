import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from '../../git/child.js';
import { readRef } from '../../git/ref.js';
import type { GitOid, Repository } from '../../git/types.js';
import { scanJournal } from '../../log/journal-scan.js';
import { logRef } from '../../log/log-ref.js';
import { setJournalAside } from '../../log/open.js';
import { readStory } from '../../log/recovery.js';
import { takeWriterLock } from '../../log/writer-lock.js';
import { broken, type Finding, note, ok } from './check.js';

/** How the journal stands to the ref. */
export type JournalState =
  | { readonly state: 'absent' | 'damaged' }
  | { readonly state: 'sound'; readonly waiting: number }
  /** The ref is at no place the journal knows; `last` is the newest of those that the repository still has. */
  | { readonly state: 'foreign'; readonly tip: GitOid | null; readonly last: GitOid | null };

/** Reads the journal and the ref; changes nothing. */
export async function examineJournal(repository: Repository): Promise<JournalState> {
  const bytes = await readFile(join(repository.commonDir, 'world', 'journal')).catch(() => null);
  if (bytes === null) return { state: 'absent' };
  const content = scanJournal(bytes);
  if (content.damaged) return { state: 'damaged' };
  const { base, entries } = readStory(repository.objectFormat, content);
  const tip = await readRef(repository, logRef);
  if (base === undefined) return { state: 'sound', waiting: 0 };
  const places = [base, ...entries.map(({ commit }) => commit)];
  const at = places.lastIndexOf(tip);
  if (at >= 0) return { state: 'sound', waiting: entries.length - at };
  const last = await newestPresent(repository, places);
  // The log went on without this journal: it is merely old.
  if (tip !== null && last !== null && (await isAncestor(repository, last, tip))) return { state: 'sound', waiting: 0 };
  return { state: 'foreign', tip, last };
}

export async function checkJournal(repository: Repository): Promise<Finding> {
  const journal = await examineJournal(repository);
  switch (journal.state) {
    case 'absent':
      return ok('journal', 'none yet');
    case 'sound':
      return journal.waiting === 0
        ? ok('journal', 'sound, nothing waits')
        : note(
            'journal',
            `sound; ${journal.waiting} entries wait for the ref`,
            'nothing to do: the next start puts them there',
          );
    case 'damaged':
      return broken(
        'journal',
        'damaged in the middle',
        'set it aside: ailang-worldd doctor --repair (entries in git stay)',
      );
    case 'foreign':
      return broken(
        'journal',
        `something else moved ${logRef} to ${journal.tip ?? 'nothing'}; the journal knows ${journal.last ?? 'no commit'}`,
        `look at: git log ${logRef}; then put it back: ailang-worldd doctor --repair`,
      );
  }
}

/**
 * Puts right what `checkJournal` calls broken, as the one writer. Nothing is deleted: a damaged journal is renamed, and
 * what a foreign move put at the ref is kept at `refs/world/foreign/<commit>`.
 * @returns what was done; undefined when there was nothing to do
 * @throws WorldError `writer-busy` while a daemon runs
 */
export async function repairJournal(repository: Repository): Promise<string | undefined> {
  const now = Math.floor(Date.now() / 1000);
  const journal = await examineJournal(repository);
  if (journal.state === 'damaged') return `the journal is now ${await setJournalAside(repository, now)}`;
  if (journal.state !== 'foreign' || journal.last === null) return undefined;
  const release = await takeWriterLock(repository, now);
  try {
    const cwd = repository.commonDir;
    const { tip, last } = journal;
    if (tip !== null) await git(['update-ref', `refs/world/foreign/${tip}`, tip], { cwd });
    // With the old value, so that a move in between is not lost; all zeros stand for no ref.
    await git(['update-ref', logRef, last, tip ?? '0'.repeat(last.length)], { cwd });
    const kept = tip === null ? '' : `; what was there is kept at refs/world/foreign/${tip}`;
    return `${logRef} is back at ${last}${kept}`;
  } finally {
    await release();
  }
}

async function newestPresent({ commonDir }: Repository, places: readonly (GitOid | null)[]): Promise<GitOid | null> {
  for (const place of [...places].reverse()) {
    if (place === null) continue;
    const found = await git(['cat-file', '-e', `${place}^{commit}`], { cwd: commonDir, okExitCodes: [0, 1, 128] });
    if (found.exitCode === 0) return place;
  }
  return null;
}

async function isAncestor({ commonDir }: Repository, ancestor: GitOid, tip: GitOid): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', ancestor, tip];
  return (await git(args, { cwd: commonDir, okExitCodes: [0, 1, 128] })).exitCode === 0;
}
