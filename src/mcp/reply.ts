import type { JSONRPCResponse } from '@modelcontextprotocol/sdk/types.js';
import { jsonReply, type Reply } from '../http/respond.js';
import type { JsonObject } from '../log/types.js';
import type { Exchange } from './exchange.js';
import type { RequestId } from './message.js';

/** One JSON-RPC error as plain JSON: host failures (200) and requests that could not be read (400). */
export function errorReply(
  status: 200 | 400,
  id: RequestId | null,
  error: { readonly code: number; readonly message: string; readonly data?: unknown },
): Reply {
  const { code, message, data } = error;
  return jsonReply(status, { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } });
}

/** Exactly one event; `json` has no line break, because JSON escapes them. */
export function eventReply(json: string): Reply {
  return { status: 200, type: 'text/event-stream', body: `event: message\ndata: ${json}\n\n` };
}

export const ACCEPTED: Reply = { status: 202, type: 'application/json', body: '' };

/** The response under the client's own id. A committed output is not encoded again: the reply carries its bytes. */
export function encodeResponse(response: JSONRPCResponse, id: RequestId, exchange: Exchange): string {
  if ('error' in response || exchange.outputBytes === undefined) return JSON.stringify({ ...response, id });
  const { structuredContent, ...rest } = response.result as JsonObject;
  const bytes = exchange.outputBytes.toString('utf8');
  const output = /[\r\n]/.test(bytes) ? JSON.stringify(structuredContent) : bytes;
  const others = JSON.stringify(rest).slice(1);
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"structuredContent":${output},${others}}`;
}
