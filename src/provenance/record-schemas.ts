import { z } from 'zod';

/** What `why` reads back. Strict: a record with a field more or less is not a record of this format. */
const ref = z.string().regex(/^sha256:[0-9a-f]{64}$/);

export const invocationRecordSchema = z.strictObject({
  invocationId: z.string(),
  episodeId: z.string(),
  skillId: z.string(),
  transitionFn: ref,
  interpreter: ref,
  semanticsEpoch: z.number().int(),
  input: ref,
  output: ref,
  plan: ref,
  effects: z.array(ref),
});
export type ReadInvocationRecord = z.infer<typeof invocationRecordSchema>;

export const effectRecordSchema = z.strictObject({
  effect: z.string(),
  scope: z.string(),
  cost: z.number().int(),
  budgetBefore: z.number().int(),
  budgetAfter: z.number().int(),
  allowed: z.boolean(),
  failed: z.boolean(),
  denial: z.enum(['', 'denied:effect-name', 'denied:scope', 'denied:expired', 'denied:budget']),
  requestRef: ref,
  resultRef: ref.or(z.literal('')),
});
export type ReadEffectRecord = z.infer<typeof effectRecordSchema>;

export const planSchema = z.looseObject({
  effects: z.array(z.looseObject({ id: z.string(), effect: z.string(), scope: z.string(), cost: z.number() })),
  result: z.looseObject({ refused: z.string().optional() }).nullable(),
});

export const outputWorldSchema = z.looseObject({
  world: z.looseObject({
    plan: ref,
    effects: z.array(z.looseObject({ record: ref })),
  }),
});

export const operatorRecordSchema = z.looseObject({ act: z.string() });
