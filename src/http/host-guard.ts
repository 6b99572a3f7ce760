import type { IncomingMessage } from 'node:http';
import { errorReply, type Reply } from './respond.js';

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** True when `authority` (`host[:port]`) names this machine's loopback and the port the socket arrived on. */
function isOurs(authority: string, localPort: number): boolean {
  const match = /^(\[[0-9a-fA-F:]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(authority);
  if (match === null) return false;
  const [, name = '', port = '80'] = match;
  return LOOPBACK_NAMES.has(name.toLowerCase()) && Number(port) === localPort;
}

/**
 * Refuses what a web page could send: a name that DNS rebinding made point here, or another page's origin. Applies to
 * every route, the open reads included. Returns null when the request may pass.
 */
export function guardHost(req: IncomingMessage): Reply | null {
  const port = req.socket.localPort ?? 0;
  const { host, origin } = req.headers;
  // Node keeps the first of several; what stands between may have judged the last.
  if (host === undefined || (req.headersDistinct.host ?? []).length > 1 || !isOurs(host, port)) {
    return errorReply(403, 'Forbidden', 'Host must be a loopback name with the port of this daemon');
  }
  if (origin !== undefined && !(origin.startsWith('http://') && isOurs(origin.slice('http://'.length), port))) {
    return errorReply(403, 'Forbidden', 'Origin must be absent or this daemon itself');
  }
  return null;
}
