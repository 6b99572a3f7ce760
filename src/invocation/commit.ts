import type { EffectEvidence, EntryStatus, JsonObject, Snapshot } from '../log/types.js';
import type { Composed } from './compose.js';
import type { Invocation, InvokerDeps } from './context.js';
import type { Planned } from './plan.js';
import type { Completed } from './types.js';

/** Everything an entry is made of. */
export interface Commit {
  readonly planned: Planned;
  readonly composed: Composed;
  readonly effects: readonly EffectEvidence[];
  readonly worktree: Snapshot;
}

/** Appends the entry and waits until it is durable. */
export async function commit(deps: InvokerDeps, invocation: Invocation, made: Commit): Promise<Completed> {
  const { call, invocationId, loaded, input } = invocation;
  const { planned, composed, effects, worktree } = made;
  const entry = await deps.log.append({
    kind: 'invocation',
    surface: call.surface,
    invocationId,
    episodeId: call.session.episode,
    skillId: call.tool,
    transitionFn: loaded.transitionFn,
    interpreter: deps.interpreter,
    input,
    plan: planned.bytes,
    output: composed.bytes,
    effects,
    worktree,
    status: statusOf(effects, composed.output),
    detail: detailOf(call.args),
  });
  return { output: composed.output, outputBytes: composed.bytes, invocationId, entry, reconciled: false };
}

function statusOf(effects: readonly EffectEvidence[], output: JsonObject): EntryStatus {
  const record = effects[0]?.record;
  if (record !== undefined && record.denial !== '') return record.denial;
  if (record?.failed) return 'failed';
  return output.ok === false && typeof output.refused === 'string' ? 'refused' : 'ok';
}

/** What the call was about, for the commit's subject. */
function detailOf(args: JsonObject): string {
  return ['op', 'path', 'module', 'query']
    .map((name) => (Object.hasOwn(args, name) ? args[name] : undefined))
    .filter((value) => typeof value === 'string')
    .join(' ');
}
