import type { IncomingMessage, ServerResponse } from 'node:http';
import polka, { type Polka } from 'polka';
import { a2aRoutes } from '../a2a/routes.js';
import type { SurfaceContext } from '../daemon/types.js';
import { mcpRoutes } from '../mcp/routes.js';
import { restRoutes } from '../rest/routes.js';
import { BodyReader } from './body.js';
import { guardHost } from './host-guard.js';
import { HTTP_LIMITS, type HttpLimits } from './limits.js';
import { RefusalLog } from './refusal-log.js';
import { errorReply, refuse } from './respond.js';
import type { HttpRequest, Route } from './routes.js';

export interface App {
  readonly handler: (req: IncomingMessage, res: ServerResponse) => void;
}

/** The routes of all surfaces behind the guards. Unknown paths are 404, known paths with a wrong method 405; all JSON. */
export function createApp(context: SurfaceContext, limits: HttpLimits = HTTP_LIMITS): App {
  const refusals = new RefusalLog((line) => context.report(line), context.now);
  const bodies = new BodyReader(limits.bodiesTotal, limits.requestMs);
  const parts = { context, limits, bodies, refusals };
  const routes = [...mcpRoutes(parts), ...a2aRoutes(parts), ...restRoutes(parts)];
  const app: Polka = polka({
    onNoMatch: (req, res) => refuse(req, res, noMatch(app, req)),
    onError: (error, req, res) => {
      context.report(`ailang-worldd: ${req.method} failed: ${JSON.stringify(String(error))}`);
      refuse(req, res, errorReply(500, 'Internal', 'internal store failure'));
    },
  });
  for (const route of routes) app.add(route.method, route.path, route.handle);
  return {
    handler: (req, res) => {
      const refusal = guardHost(req);
      if (refusal !== null) {
        refusals.note('connect', 'Host or Origin is not this daemon on loopback');
        return refuse(req, res, refusal);
      }
      // Polka reads and writes its own fields of the request it is handed.
      void app.handler(req as HttpRequest, res, undefined as never);
    },
  };
}

const METHODS: readonly Route['method'][] = ['GET', 'POST', 'DELETE'];

function noMatch(app: Polka, req: HttpRequest) {
  const allowed = METHODS.filter((method) => app.find(method, req.path).handlers.length > 0);
  if (allowed.length === 0) return errorReply(404, 'NotFound', 'no such route');
  return errorReply(405, 'MethodNotAllowed', 'method not allowed', { Allow: allowed.join(', ') });
}
