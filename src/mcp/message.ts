import { z } from 'zod';
import type { JsonObject, JsonValue } from '../log/types.js';

/** Strings and integers that survive a round trip; 0 is an id like any other. */
const requestId = z.union([z.string(), z.number().int()]);
export type RequestId = z.infer<typeof requestId>;

/** A JSON object, handed on as the very same object so that its keys keep the caller's order. */
const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);

const requestEnvelope = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: requestId,
  method: z.string(),
});
const notificationEnvelope = z.looseObject({ jsonrpc: z.literal('2.0'), method: z.string() });
const responseEnvelope = z
  .looseObject({ jsonrpc: z.literal('2.0'), id: requestId.nullable() })
  .refine((message) => 'result' in message || 'error' in message);

export interface RpcRequest {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  /** Unchecked. */
  readonly params: JsonValue | undefined;
}

export type RpcMessage =
  | RpcRequest
  /** Notifications and responses: taken note of with 202. */
  | { readonly kind: 'one-way' }
  | { readonly kind: 'invalid'; readonly id: RequestId | null };

export function readMessage(value: JsonValue): RpcMessage {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { kind: 'invalid', id: null };
  const message = value as JsonObject;
  if ('id' in message && 'method' in message) {
    const request = requestEnvelope.safeParse(message);
    if (request.success) {
      return { kind: 'request', id: request.data.id, method: request.data.method, params: message.params };
    }
  } else if (notificationEnvelope.safeParse(message).success || responseEnvelope.safeParse(message).success) {
    return { kind: 'one-way' };
  }
  const id = requestId.safeParse(message.id);
  return { kind: 'invalid', id: id.success ? id.data : null };
}

/** Our own keys in `_meta`; all others are accepted and ignored. */
export const IDEMPOTENCY_KEY = 'ailang-world/idempotency-key';
export const ENTRY_KEY = 'ailang-world/entry';

const callMeta = z.looseObject({
  [IDEMPOTENCY_KEY]: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,128}$/, 'must be 1 to 128 of A-Z a-z 0-9 . _ -')
    .optional(),
});

export const callParams = z.looseObject({
  name: z.string(),
  arguments: jsonObject.optional(),
  _meta: callMeta.optional(),
});
export const initializeParams = z.looseObject({ protocolVersion: z.string() });
export const anyParams = jsonObject.optional();

/** `invalid params: …` for the first thing wrong. */
export function paramsProblem(error: z.ZodError): string {
  const [issue] = error.issues;
  const path = issue?.path.join('.') ?? '';
  return `invalid params: ${path === '' ? 'params' : path}: ${issue?.message ?? 'not valid'}`;
}
