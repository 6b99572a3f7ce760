import type { GitOid, Repository } from '../../git/types.js';
import type { AllowedSigner } from './allowed-signers.js';
import { AuthorityLevel } from './authority-level.js';
import { ChainLevel } from './chain-level.js';
import type { CheckedObjects } from './checked-objects.js';
import { type EntryFacts, entryFacts } from './entry-facts.js';
import type { EntryPoint, EpisodeHistory } from './history.js';
import { listLog, readLog } from './read-log.js';
import { ReplayLevel, type ReplayTool } from './replay-level.js';
import { LevelBook, type LevelReport } from './report.js';
import { SignatureLevel } from './signature-level.js';
import { TreesLevel } from './trees-level.js';

export interface VerifyLogOptions {
  readonly repository: Repository;
  readonly objects: CheckedObjects;
  /** Newest commit of the log. */
  readonly tip: GitOid;
  readonly tools: ReadonlyMap<string, ReplayTool>;
  /** World ids that count; empty for any. */
  readonly worlds: readonly string[];
  /** Who may sign; without it signatures are only counted. */
  readonly allowedSigners?: readonly AllowedSigner[] | undefined;
  /** Entries to report on; those before are read all the same, for authority begins at genesis. */
  readonly range?: { readonly first: number; readonly last: number };
}

/** A whole log looked at once, with what a pull request is compared with. */
export interface VerifiedLog {
  /** First 16 hex digits of the genesis entry's hash; null when there is no readable genesis. */
  readonly worldId: string | null;
  readonly entries: number;
  readonly levels: readonly LevelReport[];
  readonly signed: number;
  readonly histories: ReadonlyMap<string, EpisodeHistory>;
  /** By index. */
  readonly points: readonly EntryPoint[];
}

/** Verifies chain, authority, trees and replay in one pass over the log. */
export async function verifyLog(options: VerifyLogOptions): Promise<VerifiedLog> {
  const { repository, objects, tip, tools, worlds, range } = options;
  const book = (level: LevelReport['level']) => new LevelBook(level, range?.first ?? 0);
  const books = { chain: book('chain'), authority: book('authority'), trees: book('trees'), replay: book('replay') };
  const chain = new ChainLevel(books.chain, worlds);
  const authority = new AuthorityLevel(books.authority);
  const trees = new TreesLevel(objects, repository.objectFormat, books.trees);
  const replay = new ReplayLevel(tools, books.replay);
  const signatureBook = book('signatures');
  const signatures = new SignatureLevel(repository.objectFormat, options.allowedSigners ?? [], signatureBook);
  const points: EntryPoint[] = [];
  const commits = await listLog(repository, tip);
  const wanted = range === undefined ? commits : commits.slice(0, range.last + 1);
  for await (const raw of readLog(objects, wanted)) {
    const facts = entryFacts(raw);
    chain.take(facts);
    authority.take(facts);
    await trees.take(facts);
    replay.take(facts);
    if (options.allowedSigners !== undefined) signatures.take(raw);
    points.push(pointOf(facts));
  }
  const whole = wanted.length === commits.length;
  chain.finish(whole);
  authority.finish();
  replay.finish();
  if (options.allowedSigners !== undefined) signatures.finish(whole);
  return {
    worldId: chain.worldId,
    entries: wanted.length,
    levels: [...Object.values(books), ...(options.allowedSigners === undefined ? [] : [signatureBook])].map((each) =>
      each.report(),
    ),
    signed: chain.signed,
    histories: trees.histories,
    points,
  };
}

function pointOf({ raw, wire, body }: EntryFacts): EntryPoint {
  const act = body?.kind === 'act' ? body.act : null;
  const episode = body?.kind === 'call' ? body.record.episodeId : act !== null && 'episode' in act ? act.episode : null;
  return { entryHash: wire?.entryHash ?? '', episode, call: body?.kind === 'call', tree: raw.worktree };
}
