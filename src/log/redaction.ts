import { z } from 'zod';
import { WorldError } from '../errors.js';
import { encodeCanonical } from './canonical-json.js';
import { isSha256Ref, sha256Ref } from './hash.js';
import { parseCanonicalRecord } from './records.js';
import { decodeRequest } from './request-framing.js';
import type { JsonObject, LogEntry, Redaction, Sha256Ref } from './types.js';

/**
 * A payload taken out of an entry. In its place stands `<path>.redacted`, `world/redaction/v1`: the ref the chain still
 * names, and what proofs need that is no payload. The act that took it out says the same.
 */

const redactionRecordId = 'world/redaction/v1';
const suffix = '.redacted';
/** Files of an entry that hold what callers sent and received. All others are evidence. */
const payloads = /^(?:input\.json|plan\.json|output\.json|effects\/[a-z0-9]{1,16}\/(?:request|result\.json))$/;

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const triple = { effect: z.string(), scope: z.string(), cost: count };

export const redactionSchema: z.ZodType<Redaction> = z.strictObject({
  entry: count,
  path: z.string().regex(payloads),
  ref: z.custom<Sha256Ref>(isSha256Ref),
  bytes: count,
  kept: z.union([
    z.null(),
    z.strictObject({ ...triple, now: count }),
    z.strictObject({ effects: z.array(z.strictObject({ id: z.string(), ...triple })) }),
  ]),
});

const marker = z.looseObject({ record: z.literal(redactionRecordId) }).transform(({ record: _, ...rest }, context) => {
  const parsed = redactionSchema.safeParse(rest);
  if (parsed.success) return parsed.data;
  context.addIssue({ code: 'custom', message: 'not a redaction' });
  return z.NEVER;
});

/** Where the marker of a payload stands. */
export const markerPath = (path: string): string => `${path}${suffix}`;

/** The payload a marker stands for; null for any other file. */
export function redactedPath(path: string): string | null {
  if (!path.endsWith(suffix)) return null;
  const payload = path.slice(0, -suffix.length);
  return payloads.test(payload) ? payload : null;
}

export function encodeMarker(redaction: Redaction): Buffer {
  return encodeCanonical({ record: redactionRecordId, ...redaction } as unknown as JsonObject);
}

/** @throws WorldError `record-malformed` */
export function decodeMarker(bytes: Buffer): Redaction {
  return parseCanonicalRecord('redaction', bytes, marker);
}

/** The payloads of an entry that are still there, by path. */
export function payloadsOf(entry: LogEntry): readonly string[] {
  return [...entry.files.keys()].filter((path) => payloads.test(path));
}

/**
 * What taking one file out of an entry leaves behind.
 * @throws WorldError `redact-evidence` for a file that proofs rest on, `redact-shape` for one that is not what it should be
 */
export function redactionOf(entry: LogEntry, path: string): Redaction {
  const bytes = entry.files.get(path);
  if (bytes === undefined || !payloads.test(path))
    throw new WorldError('redact-evidence', `${path} of entry ${entry.index} is evidence, not a payload`, {
      hint: 'Only what callers sent and received can be redacted: input, plan, output, and the requests and results of effects.',
    });
  return { entry: entry.index, path, ref: sha256Ref(bytes), bytes: bytes.length, kept: kept(path, bytes) };
}

function kept(path: string, bytes: Buffer): Redaction['kept'] {
  if (path.endsWith('/request')) {
    const { effect, scope, cost, now } = decodeRequest(bytes);
    return { effect, scope, cost, now };
  }
  if (path !== 'plan.json') return null;
  const effects = z.array(z.looseObject({ id: z.string(), ...triple }));
  const plan = z.looseObject({ effects }).safeParse(JSON.parse(bytes.toString()));
  if (!plan.success) throw new WorldError('redact-shape', 'plan.json is not an effect plan');
  return { effects: plan.data.effects.map(({ id, effect, scope, cost }) => ({ id, effect, scope, cost })) };
}
