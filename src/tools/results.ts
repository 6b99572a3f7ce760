import type { EffectOutcome, Json, JsonRecord } from './types.js';

/** What a finish phase has to reshape: the handler's output, or the result that says why there is none. */
export type HandlerResult =
  | { readonly output: JsonRecord; readonly status: string }
  | { readonly output: null; readonly result: JsonRecord };

export function noResult(status: string, refused: string): JsonRecord {
  return { ok: false, status, refused };
}

/** Takes the one effect result apart (world-formats 5.5). */
export function handlerResult(effect: string, results: readonly EffectOutcome[]): HandlerResult {
  const [outcome, ...more] = results;
  if (outcome === undefined || more.length > 0) {
    return { output: null, result: noResult('failed', 'expected exactly one effect result') };
  }
  if (outcome.status !== 'ok') {
    return { output: null, result: noResult(outcome.status, `the ${effect} effect ended ${outcome.status}`) };
  }
  if (outcome.output === null) {
    return { output: null, result: noResult(outcome.status, 'the effect result carries no output') };
  }
  return { output: outcome.output, status: outcome.status };
}

export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

export const isRecord = (value: Json | undefined): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isInteger = (value: Json | undefined): value is number => Number.isSafeInteger(value);

/** Null when the text is not JSON. */
export function parseJson(source: string): Json {
  try {
    return JSON.parse(source) as Json;
  } catch {
    return null;
  }
}
