import type { LogEntry } from '../log/types.js';
import { parseJson } from './parse-json.js';
import { effectRecordSchema, invocationRecordSchema, operatorRecordSchema, planSchema } from './record-schemas.js';

export interface EffectSummary {
  readonly effect: string;
  /** `ok`, `failed` or the denial. */
  readonly status: string;
}

/** What one line says of an entry; nothing about it is verified. */
export interface EntrySummary {
  readonly index: number;
  readonly entryHash: string;
  readonly writtenBy: string;
  readonly episode: string | null;
  /** The tool called, or the operator's act. */
  readonly what: string;
  readonly call: boolean;
  /** `ok`, `refused`, `failed` or the denial; of an act always `ok`. */
  readonly status: string;
  readonly effects: readonly EffectSummary[];
  /** `path` argument of the call. */
  readonly path: string | null;
}

export function summarize(entry: LogEntry): EntrySummary {
  const { index, entryHash, files, wire } = entry;
  const start = { index, entryHash, writtenBy: wire.header.writtenBy };
  const record = invocationRecordSchema.safeParse(parseJson(files.get('record.json'))).data;
  if (record === undefined) {
    const act = operatorRecordSchema.safeParse(parseJson(files.get('operator.json'))).data;
    const episode = typeof act?.episode === 'string' ? act.episode : null;
    return { ...start, episode, what: act?.act ?? 'unreadable', call: false, status: 'ok', effects: [], path: null };
  }
  const plan = planSchema.safeParse(parseJson(files.get('plan.json'))).data;
  const effects = (plan?.effects ?? []).flatMap(({ id }) => {
    const effect = effectRecordSchema.safeParse(parseJson(files.get(`effects/${id}/record.json`))).data;
    return effect === undefined ? [] : [effectSummary(effect)];
  });
  const output = parseJson(files.get('output.json')) as
    | { readonly ok?: unknown; readonly refused?: unknown }
    | undefined;
  const refused = output?.ok === false && typeof output.refused === 'string';
  const input = parseJson(files.get('input.json')) as { readonly path?: unknown } | undefined;
  return {
    ...start,
    episode: record.episodeId,
    what: record.skillId,
    call: true,
    status: effects.find(({ status }) => status !== 'ok')?.status ?? (refused ? 'refused' : 'ok'),
    effects,
    path: typeof input?.path === 'string' ? input.path : null,
  };
}

export function effectSummary(record: {
  readonly effect: string;
  readonly allowed: boolean;
  readonly failed: boolean;
  readonly denial: string;
}): EffectSummary {
  return { effect: record.effect, status: record.allowed ? (record.failed ? 'failed' : 'ok') : record.denial };
}

/** `#<index> <8 hex> <writtenBy> <episode> <tool> [<Effect> <status>]`, as `log tail` prints it (world-behaviour 1.9). */
export function summaryLine(
  summary: Pick<EntrySummary, 'index' | 'entryHash' | 'writtenBy' | 'episode' | 'what' | 'call' | 'effects'>,
): string {
  const { index, entryHash, writtenBy, episode, what, call, effects } = summary;
  const start = `#${index} ${entryHash.slice('sha256:'.length, 15)} ${writtenBy}`;
  if (!call) return episode === null ? start : `${start} ${episode}`;
  const done = effects.map(({ effect, status }) => `${effect} ${status}`).join(', ') || 'no effects';
  return `${start} ${episode} ${what} [${done}]`;
}
