import type { ChangedPath } from './changed-paths.js';
import type { CheckedObjects } from './checked-objects.js';
import type { EpisodeHistory, Origin } from './history.js';
import { alignLines, isBinary, linesOf } from './line-diff.js';
import { type LabelledLines, labelledLines, textOf } from './line-origins.js';
import type { LineRange } from './report.js';
import type { Leaf } from './tree-paths.js';

/** An episode as a trailer names it: its files up to one entry. */
export interface NamedSnapshot {
  readonly history: EpisodeHistory;
  readonly last: number;
}

export type NotMade = 'outside' | 'drift';

/** What is known of one path of a pull request. */
export interface PathVerdict {
  readonly path: string;
  /** Bytes and mode are those of a recorded snapshot, or every line of it is accounted for. */
  readonly how: 'snapshot' | 'line-endings' | 'lines' | 'not-proven';
  /** Added and removed lines; 1 for what has no lines. */
  readonly changed: number;
  readonly proven: number;
  /** Lines at the head that no call wrote. */
  readonly ranges: readonly { readonly lines: LineRange; readonly why: NotMade }[];
  /** Lines of the base that were removed, and not by a call. */
  readonly removedElsewhere: number;
  /** What is not about lines: mode, name, binary content. */
  readonly remarks: readonly string[];
}

/**
 * Compares one changed path with what the calls made, by content only.
 * @throws ObjectFault
 */
export async function judgePath(
  objects: CheckedObjects,
  change: ChangedPath,
  snapshots: readonly NamedSnapshot[],
): Promise<PathVerdict> {
  const made: LabelledLines[] = [];
  for (const { history, last } of snapshots)
    made.push(...(await labelledLines(objects, history, change.path, last, change.after?.oid ?? null)));
  if (change.after === null) return judgeRemoval(objects, change, made);
  if (change.after.mode === '160000') return judgeWhole(change, change.after, made, 'a submodule');
  const head = await objects.read(change.after.oid, 'blob');
  if (change.after.mode === '120000') return judgeWhole(change, change.after, made, 'a link');
  if (isBinary(head)) return judgeWhole(change, change.after, made, 'binary');
  const known = made.some(({ leaf }) => leaf !== null);
  if (!known && change.movedFrom !== null)
    return judgeMoved(objects, change, change.movedFrom, linesOf(head), snapshots);
  return judgeText(change, change.after, linesOf(head), await textOf(objects, change.before), made);
}

async function judgeRemoval(
  objects: CheckedObjects,
  change: ChangedPath,
  made: readonly LabelledLines[],
): Promise<PathVerdict> {
  const lines = Math.max(1, (await textOf(objects, change.before)).length);
  const byCall = made.some(({ leaf, origin }) => leaf === null && isMade(origin));
  if (byCall) return { ...nothing(change.path), how: 'snapshot', changed: lines, proven: lines };
  const drifted = made.some(({ leaf, origin }) => leaf === null && origin.by === 'drift');
  return {
    ...nothing(change.path),
    changed: lines,
    removedElsewhere: lines,
    remarks: [
      drifted ? 'the file was removed in the worktree, outside every call' : 'the file was removed outside World',
    ],
  };
}

/** Content without lines is proven as a whole or not at all. */
function judgeWhole(change: ChangedPath, after: Leaf, made: readonly LabelledLines[], what: string): PathVerdict {
  const same = made.filter(({ leaf }) => leaf?.oid === after.oid && leaf.mode === after.mode);
  if (same.some(({ origin }) => isMade(origin)))
    return { ...nothing(change.path), how: 'snapshot', changed: 1, proven: 1 };
  const why = same.some(({ origin }) => origin.by === 'drift')
    ? 'was changed in the worktree, outside every call'
    : 'is not what any recorded call left behind';
  return { ...nothing(change.path), changed: 1, remarks: [`${what}: its content ${why}`] };
}

/** The file has a name World never saw; its lines are compared with those of the file it came from. */
async function judgeMoved(
  objects: CheckedObjects,
  change: ChangedPath,
  from: { readonly path: string; readonly leaf: Leaf },
  head: readonly string[],
  snapshots: readonly NamedSnapshot[],
): Promise<PathVerdict> {
  const made: LabelledLines[] = [];
  for (const { history, last } of snapshots)
    made.push(...(await labelledLines(objects, history, from.path, last, change.after?.oid ?? null)));
  const after = change.after ?? from.leaf;
  const verdict = judgeText({ ...change, before: from.leaf }, after, head, await textOf(objects, from.leaf), made);
  const changed = Math.max(1, verdict.changed);
  const remarks = [...verdict.remarks, `renamed from ${from.path} outside World`];
  return { ...verdict, changed, proven: Math.min(verdict.proven, changed - 1), how: 'not-proven', remarks };
}

function judgeText(
  change: ChangedPath,
  after: Leaf,
  head: readonly string[],
  base: readonly string[],
  made: readonly LabelledLines[],
): PathVerdict {
  const noReturns = !head.some((line) => line.endsWith('\r\n'));
  const converts = ({ lines }: LabelledLines): boolean => noReturns && lines.some((line) => line.endsWith('\r\n'));
  const versions = made.map((each) => (converts(each) ? withoutReturns(each) : each));
  const { added, removed } = leastUnproven(head, base, versions);
  const remarks = modeRemarks(change, after, made);
  const ranges = rangesOf(added);
  const removedElsewhere = [...removed.values()].filter((why) => why !== null).length;
  const bad = ranges.reduce((sum, { lines }) => sum + lines.last - lines.first + 1, 0) + removedElsewhere;
  // A mode alone is a change, too.
  const changed = Math.max(1, added.size + removed.size);
  const whole = made.some(({ leaf }) => leaf?.oid === after.oid && leaf.mode === after.mode);
  const empty =
    head.length === 0 &&
    base.length === 0 &&
    !made.some(({ leaf, origin }) => leaf?.oid === after.oid && isMade(origin));
  if (empty && change.before === null) remarks.push('an empty file that no call made');
  const proven = changed - Math.min(changed, bad + (bad === 0 ? Math.min(1, remarks.length) : 0));
  const holds = bad === 0 && remarks.length === 0;
  const how = !holds ? 'not-proven' : whole ? 'snapshot' : made.some(converts) ? 'line-endings' : 'lines';
  return { path: change.path, how, changed, proven, ranges, removedElsewhere, remarks };
}

/** Lines of the head that the base has not, and of the base that the head has not; null where a call accounts for it. */
interface LineChanges {
  readonly added: Map<number, NotMade | null>;
  readonly removed: Map<number, NotMade | null>;
}

/**
 * Which line continues which is a guess where lines repeat, and any guess that keeps their order makes a sound proof.
 * Tried are git's way of seeing it, base against head, and the way by World's own versions of the file.
 */
function leastUnproven(head: readonly string[], base: readonly string[], made: readonly LabelledLines[]): LineChanges {
  const guesses = [alignLines(base, head), ...made.map((each) => alignThrough(each, head, base))];
  const judged = guesses.map((continued): LineChanges => {
    const kept = new Set(continued);
    const added = new Map([...continued.entries()].filter(([, old]) => old < 0).map(([at]) => [at, outside]));
    const removed = new Map([...base.keys()].filter((at) => !kept.has(at)).map((at) => [at, outside]));
    for (const each of made) judgeLines(each, head, base, added, removed);
    return { added, removed };
  });
  const unproven = ({ added, removed }: LineChanges): number =>
    [...added.values(), ...removed.values()].filter((why) => why !== null).length;
  return judged.reduce((best, other) => (unproven(other) < unproven(best) ? other : best));
}

const outside = 'outside' as NotMade | null;

/** Base against head by way of a version of World's: its lines know which of the episode's own base they still are. */
function alignThrough(made: LabelledLines, head: readonly string[], base: readonly string[]): Int32Array {
  const opened = alignLines(made.base, base);
  const inBase = new Map([...opened.entries()].filter(([, line]) => line >= 0).map(([at, line]) => [line, at]));
  const continued = alignLines(made.lines, head).map((line) => inBase.get(made.fromBase[line] ?? -1) ?? -1);
  // Lines that neither side of the detour knows are compared directly, between those that are settled.
  let [headFrom, baseFrom] = [0, 0];
  for (let at = 0; at <= head.length; at += 1) {
    const to = at === head.length ? base.length : (continued[at] ?? -1);
    if (to < 0) continue;
    const between = alignLines(base.slice(baseFrom, to), head.slice(headFrom, at));
    for (const [offset, old] of between.entries()) if (old >= 0) continued[headFrom + offset] = baseFrom + old;
    [headFrom, baseFrom] = [at + 1, to + 1];
  }
  return continued;
}

/** Takes from `added` and `removed` what this version of the file accounts for. */
function judgeLines(
  made: LabelledLines,
  head: readonly string[],
  base: readonly string[],
  added: LineChanges['added'],
  removed: LineChanges['removed'],
): void {
  if (added.size > 0) {
    const inMade = alignLines(made.lines, head);
    for (const [at, why] of added) {
      const origin = made.origins[inMade[at] ?? -1];
      // What the episode began with was not made by it: it may have begun with anything.
      if (origin === undefined || origin.by === 'base' || why === null) continue;
      added.set(at, isMade(origin) ? null : 'drift');
    }
  }
  if (removed.size === 0) return;
  const equal = made.lines.length === head.length && made.lines.every((line, at) => line === head[at]);
  const stays = equal ? new Set<number>() : new Set(alignLines(base, made.lines));
  const opened = alignLines(made.base, base);
  for (const [at, why] of removed) {
    const by = made.removedBy[opened[at] ?? -1];
    // Still there in World's version, or never known to it: then it was not World that took it away.
    if (why === null || stays.has(at) || by == null) continue;
    removed.set(at, isMade(by) ? null : 'drift');
  }
}

/** As git stores a text whose line ends it converts. */
function withoutReturns(made: LabelledLines): LabelledLines {
  const convert = (lines: readonly string[]) => lines.map((line) => line.replace(/\r\n$/, '\n'));
  return { ...made, lines: convert(made.lines), base: convert(made.base) };
}

function modeRemarks(change: ChangedPath, after: Leaf, made: readonly LabelledLines[]): string[] {
  const usual = change.before?.mode ?? '100644';
  if (after.mode === usual) return [];
  const byCall = made.some(({ leaf, modeOrigin }) => leaf?.mode === after.mode && isMade(modeOrigin));
  return byCall ? [] : [`its mode was changed from ${usual} to ${after.mode} outside World`];
}

function rangesOf(added: ReadonlyMap<number, NotMade | null>): PathVerdict['ranges'] {
  const ranges: { lines: { first: number; last: number }; why: NotMade }[] = [];
  for (const [at, why] of added) {
    if (why === null) continue;
    const last = ranges.at(-1);
    if (last?.why === why && last.lines.last === at) last.lines.last = at + 1;
    else ranges.push({ lines: { first: at + 1, last: at + 1 }, why });
  }
  return ranges;
}

const isMade = (origin: Origin): boolean => origin.by === 'call' || origin.by === 'program';

function nothing(path: string): PathVerdict {
  return { path, how: 'not-proven', changed: 0, proven: 0, ranges: [], removedElsewhere: 0, remarks: [] };
}
