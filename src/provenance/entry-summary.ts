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

/** Whose an entry is and what it did. */
export type EntryTopic = Pick<EntrySummary, 'episode' | 'what' | 'call'>;

/** @param record bytes of `record.json`; @param act bytes of `operator.json` */
export function topicOf(record: Buffer | undefined, act: Buffer | undefined): EntryTopic {
  const call = invocationRecordSchema.safeParse(parseJson(record)).data;
  if (call !== undefined) return { episode: call.episodeId, what: call.skillId, call: true };
  const done = operatorRecordSchema.safeParse(parseJson(act)).data;
  const episode = typeof done?.episode === 'string' ? done.episode : null;
  return { episode, what: done?.act ?? 'unreadable', call: false };
}

export function summarize(entry: LogEntry): EntrySummary {
  const { index, entryHash, files, wire } = entry;
  const topic = topicOf(files.get('record.json'), files.get('operator.json'));
  const start = { index, entryHash, writtenBy: wire.header.writtenBy, ...topic };
  if (!topic.call) return { ...start, status: 'ok', effects: [], path: null };
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
