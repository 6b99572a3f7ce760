import type { ServerResponse } from 'node:http';
import { errorReply as httpError, refuse, send } from '../http/respond.js';
import type { HttpRequest, Route, SurfaceParts } from '../http/routes.js';
import { badHeaders, deniedSession } from './admission.js';
import { ArrivalOrder } from './arrival-order.js';
import { PostAnswerer } from './post.js';
import { createProtocol } from './protocol.js';

/** `POST /mcp/`, stateless: no handshake is needed, no session id is issued, every request is admitted afresh. */
export function mcpRoutes({ context, limits, bodies, refusals }: SurfaceParts): readonly Route[] {
  const order = new ArrivalOrder();
  const answerer = createProtocol(context, limits).then((transport) => new PostAnswerer(context, limits, transport));

  async function post(req: HttpRequest, res: ServerResponse): Promise<void> {
    const resolution = context.resolveSession(req.headers.authorization);
    if (resolution.outcome !== 'live') {
      refusals.note('POST /mcp/', `${resolution.outcome} session credential`);
      return refuse(req, res, deniedSession(resolution.outcome));
    }
    const { session } = resolution;
    const wrong = badHeaders(req);
    if (wrong !== null) {
      refusals.note('POST /mcp/', wrong.body);
      return refuse(req, res, wrong);
    }
    const arrivedAt = context.now();
    const turn = order.enter(session.credentialId);
    const bodyLate = setTimeout(turn.leave, limits.bodyTurnMs);
    try {
      const body = await bodies.read(req, limits.mcpBody);
      clearTimeout(bodyLate);
      if (!body.ok) return body.reply === null ? undefined : refuse(req, res, body.reply);
      const version = req.headers['mcp-protocol-version'];
      const posted = {
        session,
        turn,
        arrivedAt,
        version: version?.toString(),
        authorization: req.headers.authorization,
      };
      send(res, await (await answerer).answer(body.bytes, posted));
    } finally {
      clearTimeout(bodyLate);
      turn.leave();
    }
  }

  /** There is no stream to open and no session to end; the bearer is judged first all the same. */
  function notAllowed(req: HttpRequest, res: ServerResponse): void {
    const { outcome } = context.resolveSession(req.headers.authorization);
    if (outcome === 'live') {
      refuse(req, res, httpError(405, 'MethodNotAllowed', 'method not allowed', { Allow: 'POST' }));
      return;
    }
    refusals.note(`${req.method === 'DELETE' ? 'DELETE' : 'GET'} /mcp/`, `${outcome} session credential`);
    refuse(req, res, deniedSession(outcome));
  }

  return [
    { method: 'POST', path: '/mcp', handle: post },
    { method: 'GET', path: '/mcp', handle: notAllowed },
    { method: 'DELETE', path: '/mcp', handle: notAllowed },
  ];
}
