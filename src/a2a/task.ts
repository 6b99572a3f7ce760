import { z } from 'zod';
import type { JsonObject } from '../log/types.js';

/** Handed on as the very same object: its keys keep the caller's order. */
const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** Strings, integers and null are ids; anything else makes the request invalid. */
export const requestId = z.union([z.string(), z.number().int(), z.null()]);
export type RequestId = z.infer<typeof requestId>;

export const requestEnvelope = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: requestId,
  method: z.string(),
});

/** Params of `tasks/send` (world-behaviour 4). */
export const taskParams = z.looseObject({
  id: z.string().regex(/^[A-Za-z0-9._-]{1,128}$/),
  metadata: z.looseObject({ skill_id: z.string().min(1), transition_fn: z.string().min(1).optional() }),
  message: z.looseObject({
    role: z.string().optional(),
    parts: z.tuple([z.looseObject({ type: z.literal('data'), data: jsonObject })]),
  }),
});
