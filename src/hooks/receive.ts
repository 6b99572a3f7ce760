import { WorldError } from '../errors.js';
import { relate } from '../git/ancestry.js';
import { git } from '../git/child.js';
import { readRef } from '../git/ref.js';
import type { GitOid, Repository } from '../git/types.js';
import type { Finding, LevelName } from '../provenance/verify/report.js';
import { findTrailers } from '../provenance/verify/trailer-text.js';
import { verify } from '../provenance/verify/verify.js';
import { proveChain, UNSOUND } from '../sharing/admit.js';
import { worldOf } from '../sharing/shared-ref.js';

/** One line of what git gives a pre-receive hook; null where there is no such object. */
export interface PushedRef {
  readonly ref: string;
  readonly from: GitOid | null;
  readonly to: GitOid | null;
}

/** How strict a server is (git config of the repository pushed to). */
export interface ReceivePolicy {
  /** `lines`: every changed line of a push with trailers is proven. `trailer`: trailers are true, other lines are free. */
  readonly proven: 'lines' | 'trailer';
  /** Whether every push to a branch needs a trailer. */
  readonly trailerRequired: boolean;
}

export interface Receipt {
  /** Why the push is refused; empty when it may come in. */
  readonly refusals: readonly string[];
  readonly remarks: readonly string[];
}

const LEVELS: readonly LevelName[] = ['chain', 'authority', 'trees', 'pr'];
const SHOWN = 5;

/**
 * Judges a push before anything of it is taken in. Logs first: a branch's trailer may rest on a log of the same push.
 * @throws WorldError what reading the repository raises; the caller refuses then
 */
export async function judgePush(
  repository: Repository,
  pushed: readonly PushedRef[],
  policy: ReceivePolicy,
): Promise<Receipt> {
  const refusals: string[] = [];
  const remarks: string[] = [];
  const incoming: { ref: string; tip: GitOid }[] = [];
  for (const { ref, to } of pushed.filter(({ ref }) => ref.startsWith('refs/world/'))) {
    const objection = await objectionToLog(repository, ref, to);
    if (objection !== null) refusals.push(`${ref}: ${objection}`);
    else if (to !== null) incoming.push({ ref, tip: to });
  }
  if (refusals.length > 0) return { refusals, remarks };
  for (const { ref, from, to } of pushed.filter(({ ref }) => ref.startsWith('refs/heads/'))) {
    if (to === null) continue;
    const base = from ?? (await forkPoint(repository, to));
    if (base === null) {
      remarks.push(`${ref}: the first commits of this repository; there is nothing to compare them with`);
      continue;
    }
    if (!(await hasNewCommits(repository, base, to))) continue;
    if (!(await hasTrailer(repository, base, to))) {
      if (policy.trailerRequired) refusals.push(`${ref}: no commit carries a World-Provenance trailer`);
      continue;
    }
    refusals.push(...(await objectionsToBranch(repository, { ref, base, to }, incoming, policy)));
  }
  return { refusals, remarks };
}

async function objectionToLog(repository: Repository, ref: string, to: GitOid | null): Promise<string | null> {
  const world = worldOf(ref);
  if (world === null) return 'logs are shared as refs/world/logs/<world id>';
  if (to === null) return 'a log cannot be deleted';
  const held = await readRef(repository, ref);
  if (held !== null && !['same', 'behind'].includes(await relate(repository, held, to)))
    return 'it does not follow the log that is here';
  try {
    await proveChain(repository, world, to);
    return null;
  } catch (error) {
    if (error instanceof WorldError && UNSOUND.has(error.code)) return error.message;
    throw error;
  }
}

/** Where a new branch left the ones that are here: what it shares with the default branch. Null when there is none. */
async function forkPoint(repository: Repository, tip: GitOid): Promise<GitOid | null> {
  const answer = await git(['merge-base', 'HEAD', tip], { cwd: repository.commonDir, okExitCodes: [0, 1, 128] });
  return answer.exitCode === 0 ? (answer.stdout.toString().trim() as GitOid) : null;
}

async function hasNewCommits(repository: Repository, base: GitOid, tip: GitOid): Promise<boolean> {
  const listed = await git(['rev-list', '--max-count=1', tip, `^${base}`], { cwd: repository.commonDir });
  return listed.stdout.length > 0;
}

async function hasTrailer(repository: Repository, base: GitOid, tip: GitOid): Promise<boolean> {
  const messages = await git(['log', '--format=%B', `${base}..${tip}`], { cwd: repository.commonDir });
  return findTrailers(messages.stdout.toString(), 'the push').length > 0;
}

async function objectionsToBranch(
  repository: Repository,
  { ref, base, to }: { readonly ref: string; readonly base: GitOid; readonly to: GitOid },
  incoming: readonly { readonly ref: string; readonly tip: GitOid }[],
  policy: ReceivePolicy,
): Promise<readonly string[]> {
  const verdict = await verify({
    ...{ repository, ref: undefined, range: undefined, texts: [], required: LEVELS, tools: new Map(), incoming },
    pullRequest: `${base}..${to}`,
  });
  const reports = [
    ...verdict.logs.flatMap(({ levels }) => levels.filter(({ level }) => LEVELS.includes(level))),
    ...(verdict.pullRequest === null ? [] : [verdict.pullRequest.report]),
  ];
  const about = (finding: Finding): boolean => policy.proven === 'lines' || finding.file === null;
  const findings = reports.flatMap((report) => report.findings).filter(about);
  const said = findings.slice(0, SHOWN).map(({ level, where, what }) => `${ref}: ${level}: ${where}: ${what}`);
  return findings.length > SHOWN ? [...said, `${ref}: and ${findings.length - SHOWN} more`] : said;
}
