import type { EpisodeWorktree } from '../../src/episode/types.js';
import type { GitOid } from '../../src/git/types.js';
import { sha256Ref } from '../../src/log/hash.js';
import { encodeInvocationRecord } from '../../src/log/records.js';
import type {
  CommittedEntry,
  EffectIntent,
  EntryDraft,
  EntryIndex,
  EpisodeId,
  EpisodeState,
  Grant,
  LogEntry,
  Receipt,
  SessionState,
  Sha256Ref,
  Snapshot,
  WorldLog,
} from '../../src/log/types.js';
import type {
  PolicyToolRequest,
  PolicyToolResponse,
  RunPolicy,
  RunRequest,
  RunResult,
  Toolchain,
} from '../../src/toolchain/types.js';

export const EPISODE = 'ep1' as EpisodeId;
export const TREE = 'a'.repeat(40) as GitOid;
export const OTHER_TREE = 'b'.repeat(40) as GitOid;

export function grant(effect: string, budget: number, extra: Partial<Grant> = {}): Grant {
  return { effect, scope: 'worktree', budget, expiresAt: 2_000_000_000, ...extra };
}

const unused = (): never => {
  throw new Error('not part of this double');
};

/** A log in memory: what was appended, what was intended, and hooks to make either fail or wait. */
export class MemoryLog implements WorldLog {
  readonly worldId = '0'.repeat(16);
  readonly drafts: EntryDraft[] = [];
  readonly intents: EffectIntent[] = [];
  readonly receipts = new Map<string, Receipt>();
  readonly committed: LogEntry[] = [];
  tree: GitOid | null = TREE;
  open = true;
  session: SessionState | undefined;
  onAppend = () => () => undefined;
  beforeAppend: () => Promise<void> = async () => undefined;
  beforeDurable: () => Promise<void> = async () => undefined;
  find = unused;
  entries = unused;
  invocation = unused;

  get head(): CommittedEntry {
    return unused();
  }

  readonly state: WorldLog['state'] = {
    session: () => this.session,
    sessions: unused,
    episodes: unused,
    episode: (id): EpisodeState => ({
      episode: id,
      baseCommit: '',
      policy: '',
      denyList: [],
      open: this.open,
      tree: this.tree,
    }),
    spent: (episode, effect, scope) =>
      this.intents
        .filter((intent) => intent.episodeId === episode && intent.effect === effect && intent.scope === scope)
        .reduce((sum, intent) => sum + intent.cost, 0),
    receipt: (id) => this.receipts.get(id),
    redactions: () => [],
    tools: () => ({
      act: 'genesis',
      formatVersion: 1,
      semanticsEpoch: 1,
      toolchain: { name: 'embedded', version: 'v0', sha256: sha256Ref('') },
      tools: {},
      time: 0,
    }),
  };

  recordIntent(draft: Omit<EffectIntent, 'intentId'>) {
    const intent = { ...draft, intentId: `effect:${draft.episodeId}:${this.intents.length + 1}` };
    this.intents.push(intent);
    this.receipts.set(draft.invocationId, { state: 'indeterminate', intents: [intent] });
    return { intent, durable: this.beforeDurable() };
  }

  async redactions() {
    return [];
  }

  async append(draft: EntryDraft): Promise<CommittedEntry> {
    await this.beforeAppend();
    this.drafts.push(draft);
    const index = this.drafts.length as EntryIndex;
    const entry = { index, entryHash: sha256Ref(`e${index}`), worldRef: sha256Ref(`w${index}`), commit: TREE };
    if (draft.worktree !== undefined) this.tree = draft.worktree.tree;
    if (draft.kind === 'invocation') this.keep(draft, entry);
    return entry;
  }

  private keep(draft: Extract<EntryDraft, { kind: 'invocation' }>, entry: CommittedEntry): void {
    const { invocationId, episodeId, skillId, transitionFn, interpreter } = draft;
    const output = sha256Ref(draft.output);
    const record = encodeInvocationRecord({
      invocationId,
      episodeId,
      skillId,
      transitionFn,
      interpreter,
      semanticsEpoch: 1,
      input: sha256Ref(draft.input),
      output,
      plan: sha256Ref(draft.plan),
      effects: [],
    });
    const header = {
      entryIndex: entry.index,
      semanticsEpoch: 1,
      transitionFn,
      interpreter,
      prevEntryHash: sha256Ref('prev'),
      writtenBy: 'coordinator:a2a',
    };
    this.receipts.set(invocationId, { state: 'resolved', index: entry.index });
    this.committed[entry.index] = {
      ...entry,
      wire: { header, entryHash: entry.entryHash, transitionRef: sha256Ref(record) },
      world: { revision: entry.index, stateRoot: output, logHead: entry.entryHash },
      files: new Map([
        ['record.json', record],
        ['output.json', draft.output],
      ]),
      worktree: TREE,
    };
  }

  async entry(index: EntryIndex): Promise<LogEntry | null> {
    return this.committed[index] ?? null;
  }

  async flush(): Promise<void> {}
  async close(): Promise<void> {}
}

/** A toolchain that answers as told and remembers what it was asked. */
export class ScriptedToolchain implements Toolchain {
  readonly identity = { name: 'embedded', version: 'v0.52.1', ref: sha256Ref('tool') } as const;
  readonly requests: PolicyToolRequest[] = [];
  readonly runs: RunRequest[] = [];
  answer: (request: PolicyToolRequest) => Promise<PolicyToolResponse> = async () => ({ ok: true });
  ended: (request: RunRequest) => Promise<RunResult> = async () => ({ exitCode: null, stdout: '', stderr: '' });

  async openEpisode(): Promise<void> {}
  async closeEpisode(): Promise<void> {}
  async close(): Promise<void> {}
  policyTool(_policy: unknown, request: PolicyToolRequest): Promise<PolicyToolResponse> {
    this.requests.push(request);
    return this.answer(request);
  }
  run(_policy: unknown, request: RunRequest): Promise<RunResult> {
    this.runs.push(request);
    return this.ended(request);
  }
}

export const POLICY: RunPolicy = {
  episode: EPISODE,
  file: '/state/ep1.toml',
  digest: 'd'.repeat(64),
  sandbox: '/w/ep1',
  securityMode: 'restricted',
  caps: ['FS', 'IO'],
  netAllow: [],
};

/** A worktree whose tree is set by the test; it counts locks and snapshots. */
export class MemoryWorktree implements EpisodeWorktree {
  readonly episode = EPISODE;
  readonly root = '/w/ep1';
  readonly policy = POLICY;
  readonly stored: Snapshot[] = [];
  tree: GitOid = TREE;
  locked = 0;
  snapshots = 0;
  runPolicy: EpisodeWorktree['runPolicy'] = async () => POLICY;

  async lock(): Promise<() => Promise<void>> {
    this.locked += 1;
    return async () => {
      this.locked -= 1;
    };
  }
  async snapshot(): Promise<Snapshot> {
    this.snapshots += 1;
    return { tree: this.tree, objects: [] };
  }
  persisted(snapshot: Snapshot): void {
    this.stored.push(snapshot);
  }
}

export const INTERPRETER: Sha256Ref = sha256Ref('tool');

/** Time that passes only when told to. */
export class FakeTime {
  now = 1_791_024_750_000;
  private alarms: { at: number; action: () => void }[] = [];

  readonly after = (milliseconds: number, action: () => void): (() => void) => {
    const alarm = { at: this.now + milliseconds, action };
    this.alarms.push(alarm);
    return () => {
      this.alarms = this.alarms.filter((other) => other !== alarm);
    };
  };

  async pass(milliseconds: number): Promise<void> {
    this.now += milliseconds;
    const due = this.alarms.filter((alarm) => alarm.at <= this.now);
    this.alarms = this.alarms.filter((alarm) => alarm.at > this.now);
    for (const alarm of due) alarm.action();
    await settle();
  }
}

/** Lets everything that can run now run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** A promise that the test resolves. */
export function gate<T = void>(): { promise: Promise<T>; open: (value: T) => void; fail: (error: Error) => void } {
  let open: (value: T) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { promise, open, fail };
}
