import { WorldError } from '../../errors.js';
import type { GitOid, Repository } from '../../git/types.js';
import { type BranchHistory, changedPaths, type PullRequestRange } from './changed-paths.js';
import type { CheckedObjects } from './checked-objects.js';
import { judgePath, type NamedSnapshot, type PathVerdict } from './judge-path.js';
import { LevelBook, type LevelReport, shown } from './report.js';
import { type FoundTrailer, findTrailers } from './trailer-text.js';
import type { VerifiedLog } from './verify-log.js';

/** What a pull request's proof covers, path by path. */
export interface Coverage {
  readonly paths: readonly PathVerdict[];
  readonly changedLines: number;
  readonly provenLines: number;
  /** 0 to 100, cut to one decimal place; 100 only when everything is proven. */
  readonly percent: number;
}

/** Every trailer in the messages of the pull request's commits and in the text given beside them. */
export function trailersOf(
  messages: BranchHistory['messages'],
  texts: readonly { readonly from: string; readonly text: string }[],
): readonly FoundTrailer[] {
  return [
    ...messages.flatMap(({ commit, message }) => findTrailers(message, `commit ${commit.slice(0, 12)}`)),
    ...texts.flatMap(({ from, text }) => findTrailers(text, from)),
  ];
}

const UNCLAIMED = 'nothing says which recorded calls these changes came from';
const FALSE_CLAIM = 'the trailer names something that is not in the log: it was altered, or belongs to another log';
const NOT_MADE = 'this is not made through World';

/** Judges every path changed between the two commits by the snapshots the trailers name. */
export async function verifyPullRequest(options: {
  readonly repository: Repository;
  readonly objects: CheckedObjects;
  readonly range: PullRequestRange;
  readonly trailers: readonly FoundTrailer[];
  /** By world id. */
  readonly logs: ReadonlyMap<string, VerifiedLog>;
  /** World ids the asker trusts; empty for any. */
  readonly worlds: readonly string[];
  /** What is wrong with the commits between the two sides. */
  readonly faults: readonly string[];
}): Promise<{ readonly report: LevelReport; readonly coverage: Coverage }> {
  const { repository, objects, range } = options;
  const book = new LevelBook('pr', 0);
  for (const fault of options.faults) unsound(book, 'the commits', fault);
  const snapshots = await namedSnapshots(book, options);
  const paths: PathVerdict[] = [];
  for (const change of await changesIn(book, repository, objects, range)) {
    try {
      paths.push(await judgePath(objects, change, snapshots));
    } catch (error) {
      if (!(error instanceof WorldError)) throw error;
      const remarks = [`cannot be compared: ${error.message}`];
      paths.push({
        path: change.path,
        how: 'not-proven',
        changed: 1,
        proven: 0,
        ranges: [],
        removedElsewhere: 0,
        remarks,
      });
    }
  }
  for (const verdict of paths) addPath(book, verdict);
  const changedLines = paths.reduce((sum, { changed }) => sum + changed, 0);
  const provenLines = paths.reduce((sum, { proven }) => sum + proven, 0);
  const percent = changedLines === 0 ? 100 : Math.floor((provenLines / changedLines) * 1000) / 10;
  return { report: book.report(), coverage: { paths, changedLines, provenLines, percent } };
}

/** None when the trees themselves cannot be read: then there is no saying what changed. */
async function changesIn(book: LevelBook, repository: Repository, objects: CheckedObjects, range: PullRequestRange) {
  try {
    return await changedPaths(repository, objects, range);
  } catch (error) {
    if (!(error instanceof WorldError)) throw error;
    unsound(book, 'the files', error.message);
    return [];
  }
}

async function namedSnapshots(
  book: LevelBook,
  { objects, trailers, logs, worlds }: Parameters<typeof verifyPullRequest>[0],
): Promise<readonly NamedSnapshot[]> {
  const named = new Map<string, NamedSnapshot>();
  if (trailers.length === 0)
    fail(
      book,
      'the commits and the text',
      'there is no World-Provenance trailer',
      'one trailer per episode',
      'none',
      UNCLAIMED,
    );
  for (const found of trailers) {
    book.count('trailers');
    if (!found.ok) {
      fail(
        book,
        found.from,
        'its trailer is malformed',
        'store= world= episode= entries= head= tree=',
        found.why,
        FALSE_CLAIM,
      );
      continue;
    }
    const { trailer, from } = found;
    const log = logs.get(trailer.world);
    if (worlds.length > 0 && !worlds.includes(trailer.world)) {
      const meaning = 'anyone can begin a log of their own; this one is not among those that count here';
      fail(book, from, 'its log is not a trusted one', worlds.join(' or '), trailer.world, meaning);
      continue;
    }
    if (log === undefined) {
      const meaning = 'its claims cannot be checked without the log: fetch refs/world/logs/* or refs/world/log';
      fail(
        book,
        from,
        `the log of world ${trailer.world} is not here`,
        trailer.world,
        [...logs.keys()].join(', ') || 'no log',
        meaning,
      );
      continue;
    }
    const claims: readonly (readonly [string, unknown, unknown])[] = [
      ['the episode of entry', trailer.episode, log.points[trailer.first]?.episode ?? 'no such entry'],
      ['the episode of entry', trailer.episode, log.points[trailer.last]?.episode ?? 'no such entry'],
      ['the hash of entry', trailer.head, log.points[trailer.last]?.entryHash ?? 'no such entry'],
      ['the tree of entry', trailer.tree, log.points[trailer.last]?.tree ?? 'none'],
    ];
    const wrong = claims.find(([, said, is]) => said !== is);
    if (wrong !== undefined) {
      const [what, said, is] = wrong;
      fail(book, from, `its trailer is wrong about ${what} ${trailer.last}`, shown(is), shown(said), FALSE_CLAIM);
      continue;
    }
    if (log.levels.some(({ level, holds }) => level === 'chain' && !holds)) {
      const meaning = 'what the trailer points at was altered, so nothing can be proven from it';
      fail(
        book,
        from,
        'it rests on a log whose chain does not hold',
        'a log whose chain holds',
        `world ${trailer.world}`,
        meaning,
      );
      continue;
    }
    const history = log.histories.get(trailer.episode);
    if (history === undefined) continue;
    const begun = await objects.read(history.baseCommit as GitOid, 'commit').catch(() => null);
    if (begun === null)
      book.note(
        `episode ${trailer.episode} of world ${trailer.world} began at a commit that is not in this repository`,
      );
    const key = `${trailer.world} ${trailer.episode} ${trailer.last}`;
    named.set(key, { history, last: trailer.last });
  }
  // The newest first: most of a pull request is as the last call left it.
  return [...named.values()].sort((a, b) => b.last - a.last);
}

function addPath(book: LevelBook, verdict: PathVerdict): void {
  const { path, how, changed, proven, ranges, removedElsewhere, remarks } = verdict;
  book.count('paths');
  book.count('changed lines', changed);
  book.count('proven lines', proven);
  if (how !== 'not-proven') {
    book.count('proven paths');
    if (how === 'line-endings') book.note(`${path}: equal to the snapshot but for line ends, as git converts them`);
    if (how === 'lines')
      book.note(`${path}: not a recorded snapshot as a whole; each changed line is one that calls made`);
    return;
  }
  for (const { lines, why } of ranges) {
    const what = lines.first === lines.last ? `line ${lines.first}` : `lines ${lines.first} to ${lines.last}`;
    const found =
      why === 'drift' ? 'changed in the worktree while no call ran' : 'in no recorded snapshot of this file';
    book.fail({
      where: path,
      file: path,
      lines,
      what: `${what} not made through World`,
      expected: 'lines that a recorded call wrote',
      found,
      meaning: NOT_MADE,
    });
  }
  const first = { first: 1, last: 1 };
  if (removedElsewhere > 0 && remarks.length === 0)
    book.fail({
      where: path,
      file: path,
      lines: first,
      what: `${removedElsewhere} line(s) of the base removed, and not through World`,
      expected: 'removals that a recorded call made',
      found: 'lines that World’s version keeps, or never had',
      meaning: NOT_MADE,
    });
  for (const remark of remarks)
    book.fail({
      where: path,
      file: path,
      lines: first,
      what: remark,
      expected: 'what a recorded call left behind',
      found: 'something else',
      meaning: NOT_MADE,
    });
}

function unsound(book: LevelBook, where: string, found: string): void {
  const meaning = 'what the pull request changes cannot be told from these objects';
  fail(
    book,
    where,
    'git’s own objects are not sound or not all here',
    'commits and trees as their ids say',
    found,
    meaning,
  );
}

function fail(book: LevelBook, where: string, what: string, expected: string, found: string, meaning: string): void {
  book.fail({ where, what, expected, found, meaning });
}
