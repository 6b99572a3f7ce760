import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { WorldError } from '../errors.js';
import { forgetObjects } from '../git/forget.js';
import { hashObject } from '../git/oid.js';
import type { GitOid, Repository } from '../git/types.js';
import { logRef } from '../log/log-ref.js';
import { openLogReader } from '../log/reader.js';
import { payloadsOf, redactionOf } from '../log/redaction.js';
import { checkSignatures, rewriteLog } from '../log/rewrite.js';
import type { EntryIndex, LogReader, ObjectLocation, Redaction, Sha256Ref } from '../log/types.js';
import { openWorld, type WorldOptions } from './open-world.js';
import { openSigner } from './signing.js';

/** What shall go: every payload with one of these bytes, and every payload of these entries. */
export interface RedactRequest {
  readonly refs: readonly Sha256Ref[];
  readonly entries: readonly EntryIndex[];
}

export interface RedactPlan {
  readonly redactions: readonly Redaction[];
  /** Payloads of the same entries that stay, and may say the same. */
  readonly staying: readonly { readonly entry: number; readonly path: string }[];
  /** Payloads whose very bytes stand elsewhere in the log as well, where nobody asked for their removal. */
  readonly elsewhere: readonly {
    readonly ref: Sha256Ref;
    readonly blob: GitOid;
    readonly entries: readonly number[];
  }[];
}

/**
 * Finds what a request means. Changes nothing.
 * @throws WorldError `not-found` when nothing in the log has these bytes, `redact-evidence`
 */
export async function planRedaction(repository: Repository, request: RedactRequest): Promise<RedactPlan> {
  const reader = await openLogReader(repository);
  try {
    const wanted = new Map<string, Redaction>();
    const take = async (index: EntryIndex, path: string): Promise<void> => {
      const entry = await reader.entry(index);
      if (entry !== null) wanted.set(`${index} ${path}`, redactionOf(entry, path));
    };
    for (const ref of request.refs) {
      const { entries, locations } = reader.find(ref);
      if (entries === 0) throw absent(reader, ref);
      for await (const { index, path } of locations) await take(index, path);
    }
    for (const index of request.entries) {
      const entry = await reader.entry(index);
      if (entry === null) throw new WorldError('not-found', `there is no entry ${index}`);
      const paths = payloadsOf(entry);
      if (paths.length === 0) throw new WorldError('not-found', `entry ${index} holds no payload`);
      for (const path of paths) await take(index, path);
    }
    const redactions = [...wanted.values()].sort((a, b) => a.entry - b.entry || (a.path < b.path ? -1 : 1));
    return {
      redactions,
      staying: await staying(reader, redactions),
      elsewhere: await elsewhere(repository, reader, redactions),
    };
  } finally {
    await reader.close();
  }
}

function absent(reader: LogReader, ref: Sha256Ref): WorldError {
  const gone = reader.state.redactions().find((each) => each.ref === ref);
  if (gone === undefined) return new WorldError('not-found', `${ref} not found in the log`);
  return new WorldError('not-found', `${ref} was redacted before, by entry ${gone.by}`);
}

async function staying(reader: LogReader, redactions: readonly Redaction[]): Promise<RedactPlan['staying']> {
  const found: { entry: number; path: string }[] = [];
  for (const index of new Set(redactions.map(({ entry }) => entry as EntryIndex))) {
    const entry = await reader.entry(index);
    for (const path of entry === null ? [] : payloadsOf(entry))
      if (!redactions.some((each) => each.entry === index && each.path === path)) found.push({ entry: index, path });
  }
  return found;
}

async function elsewhere(
  { objectFormat }: Repository,
  reader: LogReader,
  redactions: readonly Redaction[],
): Promise<RedactPlan['elsewhere']> {
  const found: { ref: Sha256Ref; blob: GitOid; entries: number[] }[] = [];
  for (const ref of new Set(redactions.map((each) => each.ref))) {
    const others: ObjectLocation[] = [];
    for await (const place of reader.find(ref).locations)
      if (!redactions.some((each) => each.entry === place.index && each.path === place.path)) others.push(place);
    const [place] = others;
    const bytes = place === undefined ? undefined : (await reader.entry(place.index))?.files.get(place.path);
    if (bytes === undefined) continue;
    const entries = [...new Set(others.map(({ index }) => index as number))];
    found.push({ ref, blob: hashObject(objectFormat, 'blob', bytes), entries });
  }
  return found;
}

export interface Redacted {
  /** Entry of the act. */
  readonly act: EntryIndex;
  readonly before: GitOid;
  readonly after: GitOid;
  /** Objects of the old history that something else than the log still holds here. */
  readonly left: readonly GitOid[];
  /** Damaged journals that were moved aside, which may hold the bytes; they are left to a person. */
  readonly journals: readonly string[];
}

/**
 * Takes the payloads out: the act first, so that the log says it whatever happens then; then the history is written
 * anew without them; then their bytes leave the repository. It may be repeated after a crash.
 * @throws WorldError `writer-busy` while a daemon runs, `redact-signed`, and as `openWorld` and `rewriteLog`
 */
export async function redact(
  repository: Repository,
  { redactions, elsewhere }: RedactPlan,
  reason: string,
  options: WorldOptions,
): Promise<Redacted> {
  const opened = await openWorld(options);
  let act: EntryIndex;
  const signer = await openSigner(repository, options.signKey, opened.places.workspaceRoot);
  try {
    await checkSignatures(repository, Math.min(...redactions.map(({ entry }) => entry)), signer);
    ({ index: act } = await opened.desk.redact(redactions, reason));
  } finally {
    await opened.close();
  }
  const { before, after, dropped } = await rewriteLog(repository, {
    ...{ redactions, signer, now: Math.floor(Date.now() / 1000) },
  });
  const left = await forgetObjects(repository, logRef, dropped);
  const world = join(repository.commonDir, 'world');
  const journals = (await readdir(world))
    .filter((name) => name.startsWith('journal.'))
    .map((name) => join(world, name));
  return { act, before, after, journals, left: left.filter((oid) => !elsewhere.some(({ blob }) => blob === oid)) };
}
