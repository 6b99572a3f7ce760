import { WorldError } from '../../errors.js';
import type { Repository } from '../../git/types.js';
import type { AllowedSigner } from './allowed-signers.js';
import { type PullRequestRange, readHistory, resolveRange } from './changed-paths.js';
import { type CheckedObjects, openCheckedObjects } from './checked-objects.js';
import { findLogs, type LogPlace } from './find-logs.js';
import { type Coverage, trailersOf, verifyPullRequest } from './pull-request-level.js';
import type { ReplayTool } from './replay-level.js';
import type { LevelName, LevelReport } from './report.js';
import { type VerifiedLog, verifyLog } from './verify-log.js';

export interface VerifyRequest {
  readonly repository: Repository;
  readonly ref: string | undefined;
  readonly range: { readonly first: number; readonly last: number } | undefined;
  /** `base..head`. */
  readonly pullRequest: string | undefined;
  /** Texts beside the commits that may hold trailers, such as a pull request's body. */
  readonly texts: readonly { readonly from: string; readonly text: string }[];
  /** World ids that count, when given: a log of any other world proves nothing. */
  readonly worlds?: readonly string[] | undefined;
  /** Levels that must hold. */
  readonly required: readonly LevelName[];
  readonly tools: ReadonlyMap<string, ReplayTool>;
  /** Who may sign entries; without it signatures are only counted. */
  readonly allowedSigners?: readonly AllowedSigner[] | undefined;
  /** Logs of a push that is being judged: they stand for the refs they would become. */
  readonly incoming?: readonly LogPlace[];
}

export interface LogVerdict {
  readonly ref: string;
  readonly world: string | null;
  readonly entries: number;
  readonly levels: readonly LevelReport[];
  /** How many entries carry one, and how many of these were checked: all when the allowed signers are known. */
  readonly signatures: { readonly present: number; readonly checked: number };
}

export interface Verdict {
  /** Every required level holds. */
  readonly ok: boolean;
  readonly required: readonly LevelName[];
  readonly logs: readonly LogVerdict[];
  readonly pullRequest: (PullRequestRange & { readonly report: LevelReport; readonly coverage: Coverage }) | null;
}

/**
 * Verifies a log, and a pull request by it. Reads only the repository: no daemon, no lock, no network, no secret.
 * @throws WorldError `log-absent`, `not-found`, `usage`
 */
export async function verify(request: VerifyRequest): Promise<Verdict> {
  const objects = openCheckedObjects(request.repository);
  try {
    return await verifyWith(objects, request);
  } finally {
    await objects.close();
  }
}

async function verifyWith(objects: CheckedObjects, request: VerifyRequest): Promise<Verdict> {
  const { repository, ref, required, tools } = request;
  const pr = request.pullRequest === undefined ? null : await resolveRange(repository, request.pullRequest);
  const history = pr === null ? null : await readHistory(repository, objects, pr);
  const trailers = trailersOf(history?.messages ?? [], request.texts);
  const named = [...new Set(trailers.flatMap((found) => (found.ok ? [found.trailer.world] : [])))];
  // A pull request without any trailer has no log to name; that is a finding about it, not a mistake of the caller.
  const places =
    pr !== null && ref === undefined && named.length === 0
      ? []
      : await findLogs(repository, { ref, worlds: named, incoming: request.incoming ?? [] });
  const logs: LogVerdict[] = [];
  const byWorld = new Map<string, VerifiedLog>();
  for (const place of places) {
    const log = await verifyLog({
      ...{ repository, objects, tools, tip: place.tip, worlds: request.worlds ?? [] },
      allowedSigners: request.allowedSigners,
      ...(request.range === undefined ? {} : { range: request.range }),
    });
    if (request.range !== undefined && log.entries <= request.range.first)
      throw new WorldError('not-found', `the log at ${place.ref} has only the entries 0 to ${log.entries - 1}`);
    const { worldId, entries, levels, signed } = log;
    const checked = request.allowedSigners === undefined ? 0 : signed;
    logs.push({ ref: place.ref, world: worldId, entries, levels, signatures: { present: signed, checked } });
    if (worldId !== null && !byWorld.has(worldId)) byWorld.set(worldId, log);
  }
  const pullRequest =
    pr === null
      ? null
      : {
          ...pr,
          ...(await verifyPullRequest({
            ...{ repository, objects, range: pr, trailers, logs: byWorld, worlds: request.worlds ?? [] },
            faults: history?.faults ?? [],
          })),
        };
  const reports = [...logs.flatMap((log) => log.levels), ...(pullRequest === null ? [] : [pullRequest.report])];
  const ok = reports.every((report) => report.holds || !required.includes(report.level));
  return { ok, required, logs, pullRequest };
}
