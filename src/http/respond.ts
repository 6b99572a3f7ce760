import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** How much of a refused request's body is read and dropped, so that the client gets to read the refusal. */
const LINGER_MS = 500;
/** A body up to this size is dropped by Node and the connection stays usable. */
const SMALL_BODY = 64 * 1024;

export interface Reply {
  readonly status: number;
  readonly type: 'application/json' | 'text/plain; charset=utf-8' | 'text/event-stream';
  readonly body: string;
  readonly headers?: OutgoingHttpHeaders;
}

/** The envelope of every `/v1` route and of the agent card (world-behaviour 2). */
export function errorReply(status: number, errorClass: string, message: string, headers?: OutgoingHttpHeaders): Reply {
  return jsonReply(status, { error: { class: errorClass, message } }, headers);
}

export function jsonReply(status: number, value: unknown, headers?: OutgoingHttpHeaders): Reply {
  const reply: Reply = { status, type: 'application/json', body: JSON.stringify(value) };
  return headers === undefined ? reply : { ...reply, headers };
}

export function textReply(status: number, body: string, headers?: OutgoingHttpHeaders): Reply {
  const reply: Reply = { status, type: 'text/plain; charset=utf-8', body };
  return headers === undefined ? reply : { ...reply, headers };
}

function head(reply: Reply, close: boolean): OutgoingHttpHeaders {
  return {
    'Content-Type': reply.type,
    'Content-Length': Buffer.byteLength(reply.body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(close ? { Connection: 'close' } : {}),
    ...reply.headers,
  };
}

/** Answers once; does nothing when the client is gone or was answered already. */
export function send(res: ServerResponse, reply: Reply): void {
  if (res.headersSent || res.destroyed) return;
  res.writeHead(reply.status, head(reply, false));
  res.end(reply.body);
}

/**
 * Answers a request whose body was not read. A large body is neither awaited nor kept: the connection is closed, after
 * a moment of dropping what arrives, because closing at once would reset the socket before the client reads the answer.
 */
export function refuse(req: IncomingMessage, res: ServerResponse, reply: Reply): void {
  const announced = Number(req.headers['content-length'] ?? 0);
  const small = req.headers['transfer-encoding'] === undefined && announced <= SMALL_BODY;
  const mayGoOn = small && reply.headers?.Connection !== 'close';
  if (req.complete || mayGoOn) {
    send(res, reply);
    return;
  }
  if (res.headersSent || res.destroyed) return;
  res.writeHead(reply.status, head(reply, true));
  res.write(reply.body);
  const timer = setTimeout(end, LINGER_MS);
  function end() {
    clearTimeout(timer);
    req.off('end', end);
    req.off('close', end);
    res.end();
    if (!req.complete) req.destroy();
  }
  req.once('end', end);
  req.once('close', end);
  req.resume();
}
