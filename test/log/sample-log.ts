import { encodeTree, makeObject } from '../../src/git/objects.js';
import type { ObjectFormat, Repository } from '../../src/git/types.js';
import { sha256Ref } from '../../src/log/hash.js';
import { type OpenLogOptions, openWorldLog } from '../../src/log/open.js';
import { encodeRequest } from '../../src/log/request-framing.js';
import type {
  CommittedEntry,
  EffectIntent,
  EpisodeId,
  InvocationDraft,
  OperatorAct,
  OperatorDraft,
  Snapshot,
  WorldLog,
} from '../../src/log/types.js';

/** Made-up entries for tests. */

export const ep1 = 'ep1' as EpisodeId;
export const operator = { name: 'Ada', email: 'ada@example.org' };
export const time = 1_791_024_750;
export const interpreter = sha256Ref('interpreter');
export const source = Buffer.from('export const plan = 1;\n');

export function act(value: OperatorAct): OperatorDraft {
  return { kind: 'operator', act: value, author: operator, interpreter };
}

export function genesis(): OperatorDraft {
  return {
    ...act({
      act: 'genesis',
      formatVersion: 1,
      semanticsEpoch: 1,
      toolchain: { name: 'embedded', version: '1', sha256: sha256Ref('interpreter') },
      tools: { 'ailang-read': { transitionFn: sha256Ref(source) } },
      time,
    }),
    files: new Map([['transitions/ailang-read.js', source]]),
  };
}

export const openEpisode = act({
  act: 'episode-open',
  episode: ep1,
  baseCommit: 'abc',
  policy: 'p',
  denyList: [],
  time,
});

/** Small and unsynced, for tests that are not about the disk. */
export function openSample(repository: Repository, options: Partial<OpenLogOptions> = {}): Promise<WorldLog> {
  return openWorldLog({
    repository,
    genesis,
    durability: 'process',
    journalBytes: 256 * 1024,
    now: () => time,
    ...options,
  });
}

export function snapshot(format: ObjectFormat, text: string): Snapshot {
  const blob = makeObject(format, 'blob', Buffer.from(text));
  const tree = makeObject(format, 'tree', encodeTree(format, [{ mode: '100644', name: 'a.txt', oid: blob.oid }]));
  return { tree: tree.oid, objects: [blob, tree] };
}

export function request(id: string): Buffer {
  return encodeRequest({
    effect: 'Workspace.Write',
    scope: 'worktree',
    cost: 1,
    now: time,
    payload: Buffer.from(`{"id":"${id}"}`),
  });
}

export function intentFor(id: string, episode: EpisodeId = ep1): Omit<EffectIntent, 'intentId'> {
  return {
    invocationId: id,
    episodeId: episode,
    effect: 'Workspace.Write',
    scope: 'worktree',
    cost: 1,
    requestRef: sha256Ref(request(id)),
    logicalTime: time,
  };
}

/** An invocation that did its effect (`intent`), or was refused by the plan (null). */
export function invocation(
  format: ObjectFormat,
  id: string,
  intent: EffectIntent | null,
  more: Partial<InvocationDraft> = {},
): InvocationDraft {
  const result = Buffer.from('{"ok":true}');
  const evidence = intent && {
    id: 'e1',
    request: request(id),
    result,
    intent,
    record: {
      effect: intent.effect,
      scope: intent.scope,
      cost: 1,
      budgetBefore: 50,
      budgetAfter: 49,
      allowed: true,
      failed: false,
      denial: '',
      requestRef: intent.requestRef,
      resultRef: sha256Ref(result),
    } as const,
  };
  return {
    kind: 'invocation',
    surface: 'mcp',
    invocationId: id,
    episodeId: ep1,
    skillId: 'ailang-write',
    transitionFn: sha256Ref(source),
    interpreter,
    input: Buffer.from(`{"path":"${id}"}`),
    plan: Buffer.from('{"plan":"p"}'),
    output: Buffer.from(`{"ok":true,"path":"${id}"}`),
    effects: evidence ? [evidence] : [],
    worktree: snapshot(format, id),
    status: intent ? 'ok' : 'refused',
    detail: id,
    ...more,
  };
}

/** One whole call: intent, then entry. */
export async function call(log: WorldLog, format: ObjectFormat, id: string): Promise<CommittedEntry> {
  const { intent, durable } = log.recordIntent(intentFor(id));
  await durable;
  return log.append(invocation(format, id, intent));
}
