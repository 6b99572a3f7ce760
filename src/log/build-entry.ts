import { WorldError } from '../errors.js';
import { encodeCommit, makeObject } from '../git/objects.js';
import type { CommitSigner } from '../git/ssh/sign-commit.js';
import type { GitObject, Identity, ObjectFormat } from '../git/types.js';
import { invocationMessage, operatorMessage } from './commit-message.js';
import { buildEntryTree, worktreePath } from './entry-tree.js';
import { isSha256Ref, sha256Ref } from './hash.js';
import { encodeOperatorRecord, operatorTransitionFn } from './operator-record.js';
import {
  computeEntryHash,
  encodeEffectRecord,
  encodeEntry,
  encodeInvocationRecord,
  encodeWorld,
  episodeIdShape,
} from './records.js';
import type {
  CommittedEntry,
  EntryDraft,
  EntryHeader,
  EntryIndex,
  InvocationDraft,
  LogEntry,
  OperatorDraft,
  Sha256Ref,
} from './types.js';

/** An entry with the git objects that hold it, the commit last. */
export interface BuiltEntry {
  readonly entry: LogEntry;
  readonly objects: readonly GitObject[];
}

export interface BuildContext {
  readonly format: ObjectFormat;
  /** The entry to chain to; null for genesis. */
  readonly previous: CommittedEntry | null;
  /** Unix seconds, the commit's time. */
  readonly time: number;
  /** Puts a signature into the commit; no hash of the entry depends on it. */
  readonly signer?: CommitSigner | undefined;
}

/** `header.writtenBy` of invocation entries, for both surfaces. */
export const coordinatorName = 'coordinator:a2a';
/** Committer of every entry, and author of what the daemon does by itself. */
export const daemonIdentity: Identity = { name: 'ailang-worldd', email: 'ailang-worldd@ailang-world.invalid' };
const semanticsEpoch = 1;
const ownPaths = /^(?:entry\.json|world\.json|operator\.json|record\.json|worktree)(?:\/|$)/;

/**
 * Makes the next entry of the chain: every file, hash and git object of it.
 * @throws WorldError `log-draft-invalid` when a draft contradicts itself or carries an empty or malformed ref
 */
export function buildEntry(draft: EntryDraft, context: BuildContext): BuiltEntry {
  const genesis = draft.kind === 'operator' && draft.act.act === 'genesis';
  if (genesis !== (context.previous === null)) {
    throw invalid(genesis ? 'the log has a genesis entry already' : 'the first entry must be genesis');
  }
  const content = draft.kind === 'invocation' ? invocationContent(draft) : operatorContent(draft);
  const index = (context.previous === null ? 0 : context.previous.index + 1) as EntryIndex;
  const header: EntryHeader = {
    entryIndex: index,
    semanticsEpoch,
    transitionFn: content.transitionFn,
    interpreter: requireRef(draft.interpreter, 'interpreter'),
    prevEntryHash: context.previous?.entryHash ?? '',
    writtenBy: content.writtenBy,
  };
  const entryHash = computeEntryHash(header, content.transitionRef);
  const wire = { header, entryHash, transitionRef: content.transitionRef };
  const world = { revision: index, stateRoot: content.stateRoot, logHead: entryHash };
  const worldBytes = encodeWorld(world);
  const files = new Map([['entry.json', encodeEntry(wire)], ['world.json', worldBytes], ...content.files]);
  const tree = buildEntryTree(context.format, files, draft.worktree);
  const body = encodeCommit({
    tree: tree.root,
    parents: context.previous === null ? [] : [context.previous.commit],
    author: draft.kind === 'invocation' ? episodeIdentity(draft) : draft.author,
    authorTime: context.time,
    committer: daemonIdentity,
    committerTime: context.time,
    message:
      draft.kind === 'invocation'
        ? invocationMessage(draft, index, entryHash)
        : operatorMessage(draft.act, index, entryHash),
  });
  const commit = makeObject(context.format, 'commit', context.signer?.(context.format, body) ?? body);
  return {
    entry: {
      index,
      entryHash,
      worldRef: sha256Ref(worldBytes),
      commit: commit.oid,
      wire,
      world,
      files,
      worktree: draft.worktree?.tree ?? null,
    },
    objects: [...tree.objects, commit],
  };
}

interface Content {
  readonly transitionFn: Sha256Ref;
  readonly transitionRef: Sha256Ref;
  readonly stateRoot: Sha256Ref;
  readonly writtenBy: string;
  readonly files: readonly (readonly [string, Buffer])[];
}

function operatorContent(draft: OperatorDraft): Content {
  const record = encodeOperatorRecord(draft.act);
  const more = [...(draft.files ?? [])];
  for (const [path] of more) if (ownPaths.test(path)) throw invalid(`the path ${path} belongs to the entry itself`);
  return {
    transitionFn: operatorTransitionFn,
    transitionRef: sha256Ref(record),
    stateRoot: sha256Ref(record),
    writtenBy: `operator:${draft.act.act}`,
    files: [['operator.json', record], ...more],
  };
}

function invocationContent(draft: InvocationDraft): Content {
  if (draft.invocationId === '') throw invalid('the invocation id is empty');
  if (draft.skillId === '') throw invalid('the skill id is empty');
  if (!episodeIdShape.test(draft.episodeId)) throw invalid(`not an episode id: ${draft.episodeId}`);
  const files: [string, Buffer][] = [];
  const put = (path: string, bytes: Buffer): Sha256Ref => {
    if (bytes.length === 0) throw invalid(`${path} is empty`);
    files.push([path, bytes]);
    return sha256Ref(bytes);
  };
  const input = put('input.json', draft.input);
  const plan = put('plan.json', draft.plan);
  const output = put('output.json', draft.output);
  const ids = new Set<string>();
  const effects = draft.effects.map((effect) => {
    if (!/^[a-z0-9]{1,16}$/.test(effect.id) || ids.has(effect.id))
      throw invalid(`effect id ${effect.id} is malformed or twice`);
    ids.add(effect.id);
    if (put(`effects/${effect.id}/request`, effect.request) !== effect.record.requestRef) {
      throw invalid(`effect ${effect.id}: requestRef is not the request's`);
    }
    const resultRef = effect.result === null ? '' : put(`effects/${effect.id}/result.json`, effect.result);
    if (resultRef !== effect.record.resultRef) throw invalid(`effect ${effect.id}: resultRef is not the result's`);
    return put(`effects/${effect.id}/record.json`, encodeEffectRecord(effect.record));
  });
  const transitionFn = requireRef(draft.transitionFn, 'transitionFn');
  const record = encodeInvocationRecord({
    invocationId: draft.invocationId,
    episodeId: draft.episodeId,
    skillId: draft.skillId,
    transitionFn,
    interpreter: requireRef(draft.interpreter, 'interpreter'),
    semanticsEpoch,
    input,
    output,
    plan,
    effects,
  });
  const transitionRef = put('record.json', record);
  return { transitionFn, transitionRef, stateRoot: output, writtenBy: coordinatorName, files };
}

function episodeIdentity(draft: InvocationDraft): Identity {
  return { name: draft.episodeId, email: `${draft.episodeId}@ailang-world.invalid` };
}

function requireRef(ref: Sha256Ref, what: string): Sha256Ref {
  if (!isSha256Ref(ref)) throw invalid(`${what} is not a ref: ${JSON.stringify(ref)}`);
  return ref;
}

export function invalid(why: string): WorldError {
  return new WorldError('log-draft-invalid', `the entry cannot be logged: ${why}`);
}

/** The path of the worktree in an entry's tree is a tree, which readers of entries do not load. */
export const notAnEntryFile = (path: string): boolean => path === worktreePath;
