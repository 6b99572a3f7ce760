import { z } from 'zod';
import { encodeCanonical } from './canonical-json.js';
import { isSha256Ref, sha256Ref } from './hash.js';
import { episodeIdSchema, parseCanonicalRecord } from './records.js';
import { redactionSchema } from './redaction.js';
import type { CredentialId, EffectIntent, Grant, JsonObject, OperatorAct, Sha256Ref } from './types.js';

/** `operator.json`, `world/operator-record/v1`: canonical JSON of an operator's act. */

export const operatorRecordId = 'world/operator-record/v1';
/** `header.transitionFn` of every operator entry. */
export const operatorTransitionFn: Sha256Ref = sha256Ref(operatorRecordId);

const ref = z.custom<Sha256Ref>(isSha256Ref);
const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const credentialId = z.custom<CredentialId>((value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value));
const grant: z.ZodType<Grant> = z.strictObject({
  effect: z.string().min(1),
  scope: z.string(),
  budget: count,
  expiresAt: count,
});
const intent: z.ZodType<EffectIntent> = z.strictObject({
  intentId: z.string().regex(/^effect:[a-z0-9-]{1,64}:[1-9][0-9]*$/),
  invocationId: z.string().min(1),
  episodeId: episodeIdSchema,
  effect: z.string().min(1),
  scope: z.string(),
  cost: count,
  requestRef: ref,
  logicalTime: count,
});
export const intentSchema = intent;

const program = {
  formatVersion: z.literal(1),
  semanticsEpoch: z.literal(1),
  toolchain: z.strictObject({ name: z.string(), version: z.string(), sha256: ref }),
  tools: z.record(z.string(), z.json()).transform((tools) => tools as JsonObject),
  allowance: z
    .strictObject({ caps: z.array(z.string()), netAllow: z.array(z.string()), netAllowHttp: z.boolean() })
    .exactOptional(),
  nonce: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .exactOptional(),
  time: count,
};

const act = z.discriminatedUnion('act', [
  z.strictObject({ act: z.enum(['genesis', 'tools']), ...program }),
  z.strictObject({
    act: z.literal('episode-open'),
    episode: episodeIdSchema,
    baseCommit: z.string(),
    policy: z.string(),
    denyList: z.array(z.string()),
    time: count,
  }),
  z.strictObject({
    act: z.literal('session-mint'),
    credentialId,
    episode: episodeIdSchema,
    grants: z.array(grant),
    createdAt: count,
    expiresAt: count,
  }),
  z.strictObject({
    act: z.literal('session-revoke'),
    credentialIds: z.array(credentialId),
    episode: z.nullable(episodeIdSchema),
    time: count,
  }),
  z.strictObject({ act: z.literal('drift'), episode: episodeIdSchema, previousTree: z.string(), time: count }),
  z.strictObject({ act: z.literal('recovery'), intents: z.array(intent), time: count }),
  z.strictObject({
    act: z.literal('redact'),
    redactions: z.array(redactionSchema).min(1),
    reason: z.string().min(1),
    time: count,
  }),
  z.strictObject({ act: z.literal('episode-close'), episode: episodeIdSchema, time: count }),
]);

const record = z.looseObject({ record: z.literal(operatorRecordId) }).transform(({ record: _, ...rest }, context) => {
  const parsed = act.safeParse(rest);
  if (parsed.success) return parsed.data as OperatorAct;
  for (const issue of parsed.error.issues)
    context.addIssue({ code: 'custom', message: issue.message, path: issue.path });
  return z.NEVER;
});

/** @throws WorldError `json-*` when a text in it is not Unicode */
export function encodeOperatorRecord(value: OperatorAct): Buffer {
  return encodeCanonical({ record: operatorRecordId, ...value } as unknown as JsonObject);
}

/** @throws WorldError `record-malformed` */
export function decodeOperatorRecord(bytes: Buffer): OperatorAct {
  return parseCanonicalRecord('operator record', bytes, record);
}
