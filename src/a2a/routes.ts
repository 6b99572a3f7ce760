import type { ServerResponse } from 'node:http';
import { CHALLENGE, DENIAL_TEXT, type SessionDenial } from '../http/bearer.js';
import { errorReply, jsonReply, refuse, send } from '../http/respond.js';
import type { HttpRequest, Route, SurfaceParts } from '../http/routes.js';
import { agentCard } from './card.js';
import { DEADLINE } from './failures.js';
import { sendTask } from './send-task.js';

const CARD_DENIALS: Readonly<Record<SessionDenial, { readonly status: 400 | 401; readonly class: string }>> = {
  absent: { status: 401, class: 'SessionAbsent' },
  malformed: { status: 400, class: 'InvalidSession' },
  unknown: { status: 401, class: 'SessionUnknown' },
  expired: { status: 401, class: 'SessionExpired' },
};

/** The agent card and `POST /a2a/`, whose errors are JSON-RPC errors on HTTP 200. */
export function a2aRoutes({ context, limits, bodies, refusals }: SurfaceParts): readonly Route[] {
  function card(req: HttpRequest, res: ServerResponse): void {
    const resolution = context.resolveSession(req.headers.authorization);
    if (resolution.outcome === 'live') {
      refuse(req, res, jsonReply(200, agentCard(context, resolution.session, req.headers.host ?? '')));
      return;
    }
    const { outcome } = resolution;
    const denial = CARD_DENIALS[outcome];
    refusals.note('GET /.well-known/agent.json', `${outcome} session credential`);
    const headers = denial.status === 401 ? CHALLENGE : {};
    refuse(req, res, errorReply(denial.status, denial.class, DENIAL_TEXT[outcome], headers));
  }

  async function post(req: HttpRequest, res: ServerResponse): Promise<void> {
    const deadline = context.now() + limits.answerMs;
    const { outcome } = context.resolveSession(req.headers.authorization);
    if (outcome !== 'live') refusals.note('POST /a2a/', `${outcome} session credential`);
    const body = await bodies.read(req, limits.a2aBody);
    if (!body.ok) return body.reply === null ? undefined : refuse(req, res, body.reply);
    const answer = await sendTask(context, body.bytes, req.headers.authorization, deadline);
    const close = 'error' in answer && answer.error === DEADLINE ? { Connection: 'close' } : {};
    send(res, jsonReply(200, { jsonrpc: '2.0', ...answer }, close));
  }

  return [
    { method: 'GET', path: '/.well-known/agent.json', handle: card },
    { method: 'POST', path: '/a2a', handle: post },
  ];
}
