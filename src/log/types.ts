import type { GitObject, GitOid, Identity } from '../git/types.js';

/** `sha256:` and 64 lower-case hex digits. */
export type Sha256Ref = `sha256:${string}` & { readonly __brand: 'Sha256Ref' };
/** `^[a-z0-9][a-z0-9-]{0,63}$`. */
export type EpisodeId = string & { readonly __brand: 'EpisodeId' };
/** 0 for genesis, then without gaps. */
export type EntryIndex = number & { readonly __brand: 'EntryIndex' };
/** SHA-256 over the ASCII hex text of a session token, 64 hex digits. Never the token. */
export type CredentialId = string & { readonly __brand: 'CredentialId' };

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

/** The six frozen fields (world-formats 9.2). */
export interface EntryHeader {
  readonly entryIndex: EntryIndex;
  readonly semanticsEpoch: number;
  readonly transitionFn: Sha256Ref;
  readonly interpreter: Sha256Ref;
  /** '' for genesis only. */
  readonly prevEntryHash: Sha256Ref | '';
  readonly writtenBy: string;
}

/** What `entry.json` and `GET /v1/log/<i>` hold. */
export interface EntryWire {
  readonly header: EntryHeader;
  readonly entryHash: Sha256Ref;
  readonly transitionRef: Sha256Ref;
}

/** `world.json`. */
export interface World {
  readonly revision: number;
  readonly stateRoot: Sha256Ref;
  readonly logHead: Sha256Ref;
}

/** `world/invocation-record/v2`, fields in this order (world-formats 9.4). */
export interface InvocationRecord {
  readonly invocationId: string;
  readonly episodeId: EpisodeId;
  readonly skillId: string;
  readonly transitionFn: Sha256Ref;
  readonly interpreter: Sha256Ref;
  readonly semanticsEpoch: number;
  readonly input: Sha256Ref;
  readonly output: Sha256Ref;
  readonly plan: Sha256Ref;
  readonly effects: readonly Sha256Ref[];
}

export type DenialLabel = 'denied:effect-name' | 'denied:scope' | 'denied:expired' | 'denied:budget';

/** `world/effect-record/v1`, fields in this order (world-formats 7). */
export interface EffectRecord {
  readonly effect: string;
  readonly scope: string;
  readonly cost: number;
  readonly budgetBefore: number;
  readonly budgetAfter: number;
  readonly allowed: boolean;
  readonly failed: boolean;
  readonly denial: DenialLabel | '';
  readonly requestRef: Sha256Ref;
  readonly resultRef: Sha256Ref | '';
}

/** One grant of a session. Times are Unix seconds; a grant is live while `0 <= now < expiresAt`. */
export interface Grant {
  readonly effect: string;
  readonly scope: string;
  readonly budget: number;
  readonly expiresAt: number;
}

/**
 * The episode's files right after a call: the root tree, and those blobs and trees below it that the repository may
 * not hold yet. The log packs them together with the entry.
 */
export interface Snapshot {
  readonly tree: GitOid;
  readonly objects: readonly GitObject[];
}

/** Made by `WorldLog.recordIntent`; names the unit that is spent from then on. */
export interface EffectIntent {
  /** `effect:<episode>:<ordinal>`, ordinal from 1 without gaps. */
  readonly intentId: string;
  readonly invocationId: string;
  readonly episodeId: EpisodeId;
  readonly effect: string;
  readonly scope: string;
  readonly cost: number;
  readonly requestRef: Sha256Ref;
  /** Unix seconds, the one `now` of the call. */
  readonly logicalTime: number;
}

export interface EffectEvidence {
  /** `e1`. */
  readonly id: string;
  /** Length-prefixed request bytes. */
  readonly request: Buffer;
  /** Handler output bytes; null when denied or failed. */
  readonly result: Buffer | null;
  readonly record: EffectRecord;
  /** null when denied. */
  readonly intent: EffectIntent | null;
}

export type EntryStatus = 'ok' | 'refused' | 'failed' | DenialLabel;
export type SurfaceName = 'mcp' | 'a2a';

export interface InvocationDraft {
  readonly kind: 'invocation';
  readonly surface: SurfaceName;
  readonly invocationId: string;
  readonly episodeId: EpisodeId;
  readonly skillId: string;
  readonly transitionFn: Sha256Ref;
  readonly interpreter: Sha256Ref;
  /** Canonical JSON bytes. */
  readonly input: Buffer;
  readonly plan: Buffer;
  readonly output: Buffer;
  readonly effects: readonly EffectEvidence[];
  readonly worktree: Snapshot;
  /** For the commit's subject: `<tool> <status> <detail>`. */
  readonly status: EntryStatus;
  readonly detail: string;
}

export type OperatorVerb =
  | 'genesis'
  | 'tools'
  | 'episode-open'
  | 'session-mint'
  | 'session-revoke'
  | 'drift'
  | 'recovery'
  | 'redact'
  | 'episode-close';

type EffectTriple = { readonly effect: string; readonly scope: string; readonly cost: number };

/** A payload that was taken out of an entry. */
export interface Redaction {
  readonly entry: number;
  /** Where it stood in the entry's tree. */
  readonly path: string;
  readonly ref: Sha256Ref;
  readonly bytes: number;
  /** What later proofs need of it and no one else records: of a request all but its payload, of a plan its effects. */
  readonly kept:
    | null
    | (EffectTriple & { readonly now: number })
    | { readonly effects: readonly (EffectTriple & { readonly id: string })[] };
}

/** A redaction as an act of the log names it. */
export interface RedactionAct extends Redaction {
  /** Entry of the act. */
  readonly by: EntryIndex;
  readonly reason: string;
}

/** Facts of each operator act, as `operator.json` holds them beside `act` and `record`. Times are Unix seconds. */
export type OperatorAct =
  | {
      readonly act: 'genesis' | 'tools';
      readonly formatVersion: 1;
      readonly semanticsEpoch: 1;
      readonly toolchain: { readonly name: string; readonly version: string; readonly sha256: Sha256Ref };
      /** Tool id → descriptor, with the ref of `transitions/<tool>.js`. */
      readonly tools: JsonObject;
      /** What the operator lets runs do beyond IO and FS; absent for nothing. */
      readonly allowance?: {
        readonly caps: readonly string[];
        /** Loopback `IP:PORT` literals a Net run reaches. */
        readonly netAllow: readonly string[];
        readonly netAllowHttp: boolean;
      };
      /** Genesis only, 16 hex digits: two worlds begun in the same second have different ids. */
      readonly nonce?: string;
      readonly time: number;
    }
  | {
      readonly act: 'episode-open';
      readonly episode: EpisodeId;
      readonly baseCommit: string;
      readonly policy: string;
      readonly denyList: readonly string[];
      readonly time: number;
    }
  | {
      readonly act: 'session-mint';
      readonly credentialId: CredentialId;
      readonly episode: EpisodeId;
      readonly grants: readonly Grant[];
      readonly createdAt: number;
      readonly expiresAt: number;
    }
  | {
      readonly act: 'session-revoke';
      readonly credentialIds: readonly CredentialId[];
      readonly episode: EpisodeId | null;
      readonly time: number;
    }
  | { readonly act: 'drift'; readonly episode: EpisodeId; readonly previousTree: string; readonly time: number }
  | { readonly act: 'recovery'; readonly intents: readonly EffectIntent[]; readonly time: number }
  | {
      readonly act: 'redact';
      readonly redactions: readonly Redaction[];
      /** The operator's own words. */
      readonly reason: string;
      readonly time: number;
    }
  | { readonly act: 'episode-close'; readonly episode: EpisodeId; readonly time: number };

export interface OperatorDraft {
  readonly kind: 'operator';
  readonly act: OperatorAct;
  /** The person (or the daemon, for drift and recovery) who acts. */
  readonly author: Identity;
  /** Interpreter ref to put in the header. */
  readonly interpreter: Sha256Ref;
  /** Further files of the entry's tree, such as `transitions/<tool>.js`. */
  readonly files?: ReadonlyMap<string, Buffer>;
  readonly worktree?: Snapshot;
}

export type EntryDraft = InvocationDraft | OperatorDraft;

/** A durable entry. */
export interface CommittedEntry {
  readonly index: EntryIndex;
  readonly entryHash: Sha256Ref;
  readonly worldRef: Sha256Ref;
  readonly commit: GitOid;
}

/** An entry read back: every file but the worktree tree, by its path in the entry's tree. */
export interface LogEntry extends CommittedEntry {
  readonly wire: EntryWire;
  readonly world: World;
  readonly files: ReadonlyMap<string, Buffer>;
  /** Root tree of `worktree`, when the entry has one. */
  readonly worktree: GitOid | null;
}

export interface SessionState {
  readonly credentialId: CredentialId;
  readonly episode: EpisodeId;
  readonly grants: readonly Grant[];
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly revoked: boolean;
}

export interface EpisodeState {
  readonly episode: EpisodeId;
  readonly baseCommit: string;
  readonly policy: string;
  readonly denyList: readonly string[];
  readonly open: boolean;
  /** Worktree tree of the episode's newest entry that has one. */
  readonly tree: GitOid | null;
}

/**
 * What became of an invocation id. `resolved`: committed. `indeterminate`: an effect was started and no entry exists
 * (crash); its unit stays spent and nothing re-runs.
 */
export type Receipt =
  | { readonly state: 'resolved'; readonly index: EntryIndex }
  | { readonly state: 'indeterminate'; readonly intents: readonly EffectIntent[] };

/** Everything derived from the log (and the intents still in the journal). Reads are synchronous. */
export interface LogState {
  session(id: CredentialId): SessionState | undefined;
  sessions(): readonly SessionState[];
  episode(id: EpisodeId): EpisodeState | undefined;
  episodes(): readonly EpisodeState[];
  /** Units spent by the episode for this effect and scope, intents in flight included. */
  spent(episode: EpisodeId, effect: string, scope: string): number;
  receipt(invocationId: string): Receipt | undefined;
  /** Every payload that was taken out, oldest act first. */
  redactions(): readonly RedactionAct[];
  /** The newest genesis or tools act. */
  tools(): Extract<OperatorAct, { act: 'genesis' | 'tools' }> | undefined;
}

/** Where some bytes stand in the log. */
export interface ObjectLocation {
  readonly index: EntryIndex;
  /** Path in the entry's tree, `plan.json`. */
  readonly path: string;
}

/** What the log has of a ref. A popular one stands in very many entries, so none is read before it is asked for. */
export interface FoundRef {
  /** How many entries carry the bytes. */
  readonly entries: number;
  /** Newest entry first. */
  readonly locations: AsyncIterable<ObjectLocation>;
}

/** Reading side; works on any repository or clone that has the ref, without a daemon. */
export interface LogReader {
  /** First 16 hex digits of the genesis entryHash. */
  readonly worldId: string;
  readonly head: CommittedEntry;
  readonly state: LogState;
  entry(index: EntryIndex): Promise<LogEntry | null>;
  /** Headers only, ascending from `from`, at most `limit`. */
  entries(from: EntryIndex, limit: number): Promise<readonly EntryWire[]>;
  /** The entries that carry the bytes of this ref; a world ref or entry hash finds its entry. */
  find(ref: Sha256Ref): FoundRef;
  /** Entry index of an invocation id. */
  invocation(invocationId: string): Promise<EntryIndex | null>;
  redactions(): Promise<readonly RedactionAct[]>;
  close(): Promise<void>;
}

/** The part of a `LogReader` that needs nothing derived from the entries. */
export interface EntryReader extends Omit<LogReader, 'state' | 'entries' | 'find'> {
  find(ref: Sha256Ref): FoundRef | Promise<FoundRef>;
}

/** The one writer of `refs/world/log`. */
export interface WorldLog extends LogReader {
  /**
   * Spends the units at once (synchronously, so two callers cannot share one) and resolves when the intent is durable.
   * The handler may start only then.
   */
  recordIntent(draft: Omit<EffectIntent, 'intentId'>): {
    readonly intent: EffectIntent;
    readonly durable: Promise<void>;
  };
  /**
   * Chains the entry (order of calls = order of entries) and resolves when it is durable.
   * @throws WorldError `log-foreign-move` when something else moved the ref, `log-closed`, `log-write-failed`
   */
  append(draft: EntryDraft): Promise<CommittedEntry>;
  /** Resolves when every entry appended so far is in the repository and the ref points at it. */
  flush(): Promise<void>;
  /** Called after each durable append, in order. Returns the unsubscribe function. */
  onAppend(listener: (entry: CommittedEntry) => void): () => void;
  /** Flushes and releases the writer lock. */
  close(): Promise<void>;
}
