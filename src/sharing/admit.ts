import { WorldError } from '../errors.js';
import { relate } from '../git/ancestry.js';
import { compareAndSwapRef, readRef } from '../git/ref.js';
import type { GitOid, Repository } from '../git/types.js';
import { ChainLevel } from '../provenance/verify/chain-level.js';
import { openCheckedObjects } from '../provenance/verify/checked-objects.js';
import { entryFacts } from '../provenance/verify/entry-facts.js';
import { listLog, readLog } from '../provenance/verify/read-log.js';
import { LevelBook } from '../provenance/verify/report.js';
import type { OwnLog } from './own-log.js';
import { sharedRef } from './shared-ref.js';

/** What became of a log that came from elsewhere. */
export type Admission =
  | { readonly outcome: 'new' | 'longer'; readonly entries: number; readonly added: number }
  | { readonly outcome: 'known' }
  /** It is the log this repository writes, and nothing in it is new. */
  | { readonly outcome: 'own' };

/** Codes of errors that say a log is not what it claims to be. */
export const UNSOUND: ReadonlySet<string> = new Set(['log-not-proven', 'log-foreign']);

/**
 * Whether a log that ends at `tip` may stand for the world here; its commits need not be here yet when the answer is
 * that it is known.
 * @throws WorldError `log-shorter`, `log-diverged`, `log-continued`: nothing is ever overwritten
 */
export async function admit(
  repository: Repository,
  world: string,
  tip: GitOid,
  own: OwnLog | null,
): Promise<Admission> {
  const ref = sharedRef(world);
  if (own?.world === world) return admitOwn(repository, tip, own);
  const held = await readRef(repository, ref);
  if (held === tip) return { outcome: 'known' };
  const relation = held === null ? 'ahead' : await relate(repository, tip, held);
  if (relation === 'behind')
    throw new WorldError('log-shorter', `the log of world ${world} that came is shorter than the one here`, {
      hint: `Kept is the longer one, at ${ref}. Someone set the other back, or it is an old copy.`,
      data: { ref, here: held, found: tip },
    });
  if (relation !== 'ahead')
    throw new WorldError('log-diverged', `the log of world ${world} that came is another history than the one here`, {
      hint: `Kept is what was here. It was rewritten (redact does that), or two repositories continued it. When you trust the new one: git update-ref -d ${ref} - then fetch or import again.`,
      data: { ref, here: held, found: tip },
    });
  const entries = await proveChain(repository, world, tip);
  const before = held === null ? 0 : (await listLog(repository, held)).length;
  await compareAndSwapRef(repository, ref, held, tip);
  return { outcome: held === null ? 'new' : 'longer', entries, added: entries - before };
}

async function admitOwn(repository: Repository, tip: GitOid, own: OwnLog): Promise<Admission> {
  const relation = await relate(repository, tip, own.tip);
  if (relation === 'same' || relation === 'behind') return { outcome: 'own' };
  const [code, what] =
    relation === 'diverged' ? ['log-diverged', 'another history of'] : ['log-continued', 'more entries of'];
  throw new WorldError(code ?? '', `what came holds ${what} the world this repository writes (${own.world})`, {
    hint: 'Another repository continued this log, or one of the two was rewritten. A log has one writer; nothing here was changed.',
    data: { here: own.tip, found: tip },
  });
}

/**
 * Recomputes the whole chain of a log that came from elsewhere.
 * @returns how many entries it has
 * @throws WorldError `log-not-proven` with the first thing that does not hold, `log-foreign` when it is another world's
 */
export async function proveChain(repository: Repository, world: string, tip: GitOid): Promise<number> {
  const objects = openCheckedObjects(repository);
  try {
    const book = new LevelBook('chain', 0);
    const chain = new ChainLevel(book);
    const commits = await listLog(repository, tip);
    for await (const raw of readLog(objects, commits)) chain.take(entryFacts(raw));
    chain.finish(true);
    const { failures, findings } = book.report();
    const first = findings[0];
    if (first !== undefined)
      throw new WorldError('log-not-proven', `the log of world ${world} does not hold: ${first.where}: ${first.what}`, {
        hint: `${first.meaning}. It was not taken in.`,
        data: { failures, expected: first.expected, found: first.found },
      });
    if (chain.worldId !== world)
      throw new WorldError('log-foreign', `this is the log of world ${chain.worldId ?? 'none'}, not of ${world}`, {
        hint: 'It stands under a wrong name and was not taken in.',
      });
    return commits.length;
  } finally {
    await objects.close();
  }
}
