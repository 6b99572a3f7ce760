import type { ClientRequest, IncomingMessage } from 'node:http';
import { NetFailure } from '../../../std/net-failure.js';
import { authorize, type NetRules, refuseRedirect } from './authorize.js';
import { type Header, incomingHeaders, outgoingHeaders } from './headers.js';

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
}

export interface HttpLimits {
  /** Milliseconds from the first byte sent to the last received. */
  readonly timeoutMs: number;
  /** Bytes of a response's body. */
  readonly bodyBytes: number;
}

/** ailang-cli 4.5. */
export const httpLimits: HttpLimits = { timeoutMs: 30_000, bodyBytes: 5 * 1024 * 1024 };

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const redirects = [301, 302, 303, 307, 308];

/**
 * One request on a connection of its own, to an address the policy grants: no proxy, no name look-up, no pool, no
 * redirect. @throws NetFailure
 */
export async function httpRequest(
  { method: given, url, headers, body }: HttpRequest,
  rules: NetRules,
  { timeoutMs, bodyBytes }: HttpLimits = httpLimits,
): Promise<HttpResponse> {
  const method = given.toUpperCase();
  if (!methods.includes(method))
    throw new NetFailure(`E_NET_REQUEST_FAILED: method ${JSON.stringify(given.slice(0, 40))} is not supported`);
  const { address, port, path, authority, secure: tls } = authorize(url, rules);
  const outgoing = outgoingHeaders(headers);
  // Loaded by the few runs that need it: every other child starts without.
  const { request: start } = await import(tls ? 'node:https' : 'node:http');
  const request: ClientRequest = start({
    host: address,
    port,
    path,
    method,
    agent: false,
    setHost: false,
    headers: { ...outgoing, host: authority, ...contentLength(method, body) },
    lookup: () => {
      throw new Error('an address needs no look-up');
    },
  });
  let expired = false;
  const timer = setTimeout(() => {
    expired = true;
    request.destroy(new Error('timed out'));
  }, timeoutMs);
  try {
    const response = await responseTo(request, body);
    const location = response.headers.location;
    if (redirects.includes(response.statusCode ?? 0) && location !== undefined) refuseRedirect(location, url, rules);
    return {
      status: response.statusCode ?? 0,
      headers: incomingHeaders(response.rawHeaders),
      body: await bodyOf(response, bodyBytes),
    };
  } catch (error) {
    if (error instanceof NetFailure) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new NetFailure(`E_NET_REQUEST_FAILED: ${expired ? `no complete answer within ${timeoutMs} ms` : reason}`);
  } finally {
    clearTimeout(timer);
    request.destroy();
  }
}

const contentLength = (method: string, body: Uint8Array): Record<string, string> =>
  body.length > 0 || ['POST', 'PUT', 'PATCH'].includes(method) ? { 'content-length': String(body.length) } : {};

function responseTo(request: ClientRequest, body: Uint8Array): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', reject);
    // Without a listener Node would leave the socket of a switched protocol open.
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Error('the server switched protocols'));
    });
    request.end(body);
  });
}

async function bodyOf(response: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    total += chunk.length;
    if (total > limit)
      throw new NetFailure(`E_NET_BODY_TOO_LARGE: response exceeds ${limit} bytes`, 'BodyTooLarge', String(limit));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
