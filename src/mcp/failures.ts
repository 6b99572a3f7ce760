import { InvocationFailure } from '../invocation/failure.js';
import type { InvocationFailureKind } from '../invocation/types.js';
import type { JsonObject } from '../log/types.js';

export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  /** A host failure; answers the whole POST as plain JSON. */
  hostFailure: -32603,
} as const;

export type HostFailureText =
  | 'host callback failed'
  | 'host callback timed out'
  | 'host callback canceled'
  | 'host callback capacity exceeded';

/** An error whose code, message and data are meant for the client. The protocol object sends it as it is. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: JsonObject | undefined;

  constructor(code: number, message: string, data?: JsonObject) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const invalidParams = (message: string) => new RpcError(RPC.invalidParams, message);
export const unknownTool = (name: string) =>
  new RpcError(RPC.invalidParams, `unknown tool ${JSON.stringify(name.slice(0, 200))}`);
export const unknownMethod = (method: string) =>
  new RpcError(RPC.methodNotFound, `method not found: ${JSON.stringify(method.slice(0, 200))}`);
export const hostFailure = (message: HostFailureText, data?: JsonObject) =>
  new RpcError(RPC.hostFailure, message, data);

/** What each way for a call to end without a committed result is called on the wire (world-behaviour 3). */
const ANSWERS: Readonly<
  Record<InvocationFailureKind, HostFailureText | 'unknown tool' | { readonly refused: string }>
> = {
  'unknown-tool': 'unknown tool',
  'invalid-call': { refused: 'invalid params: arguments must be an object of at most 1 MiB' },
  'id-used': { refused: 'invalid params: the idempotency key belongs to another call' },
  'in-flight': { refused: 'invalid params: a call with this idempotency key is still running' },
  'transition-mismatch': 'host callback failed',
  'not-committed': 'host callback failed',
  unconfirmed: 'host callback failed',
  'world-absent': 'host callback failed',
  'unsupported-effect': 'host callback failed',
  execution: 'host callback failed',
  output: 'host callback failed',
  'effects-unrecorded': 'host callback failed',
  deadline: 'host callback timed out',
  capacity: 'host callback capacity exceeded',
};

/** `data` names the kind, the call and the effects that ran; never a cause. */
export function answerTo(failure: unknown, tool: string): RpcError {
  if (!(failure instanceof InvocationFailure)) return hostFailure('host callback failed');
  const { kind, invocationId, effectRecords } = failure;
  const answer = ANSWERS[kind];
  // An effect that ran outweighs every other reason: the caller must learn its record.
  if (typeof answer === 'string' && answer !== 'unknown tool') {
    return hostFailure(answer, { reason: kind, invocationId, effectRecords });
  }
  if (effectRecords.length > 0) {
    return hostFailure('host callback failed', { reason: kind, invocationId, effectRecords });
  }
  return answer === 'unknown tool' ? unknownTool(tool) : invalidParams(answer.refused);
}
