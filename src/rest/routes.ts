import type { ServerResponse } from 'node:http';
import { jsonReply, type Reply, refuse, textReply } from '../http/respond.js';
import type { HttpRequest, Route, SurfaceParts } from '../http/routes.js';
import { badRequest, notFound, READ_FAILURES } from './failures.js';
import { findObject } from './object-view.js';
import { entryIndex, logPage, objectQuery, sha256Ref } from './query.js';

/** The open reads. They go through the log and so see entries that are not sealed into the repository yet. */
export function restRoutes({ context, limits }: SurfaceParts): readonly Route[] {
  const { log, toolchain, repository } = context;

  /** A read's reply, or the envelope that says why there is none. */
  function read(path: string, answer: (req: HttpRequest) => Promise<Reply>): Route {
    const handle = async (req: HttpRequest, res: ServerResponse) => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<Reply>((resolve) => {
        timer = setTimeout(resolve, limits.readMs, READ_FAILURES.timeout);
      });
      const reply = answer(req).catch((cause: unknown) => {
        const text = cause instanceof Error ? cause.message : String(cause);
        context.report(`ailang-worldd: GET ${path} failed: ${JSON.stringify(text)}`);
        return READ_FAILURES.internal;
      });
      refuse(req, res, await Promise.race([reply, late]));
      clearTimeout(timer);
    };
    return { method: 'GET', path, handle };
  }

  return [
    read('/v1/health', async () =>
      jsonReply(200, {
        status: 'ok',
        daemon_version: context.version,
        db_path: repository,
        interpreter_ref: toolchain.ref,
        interpreter_version: toolchain.version,
        repository,
        world_id: log.worldId,
        ref: 'refs/world/log',
      }),
    ),
    read('/v1/head', async () => textReply(200, log.head.worldRef)),
    read('/v1/log', async (req) => {
      const page = logPage.safeParse({ from: req.query.from, limit: req.query.limit });
      if (!page.success) return badRequest(`${page.error.issues[0]?.path.join('.')} must be a non-negative integer`);
      return jsonReply(200, { items: await log.entries(page.data.from, page.data.limit) });
    }),
    read('/v1/log/:index', async (req) => {
      const index = entryIndex.safeParse(req.params.index);
      if (!index.success) return badRequest('log index must be a non-negative integer');
      const [entry] = await log.entries(index.data, 1);
      return entry === undefined ? notFound('log entry not found') : jsonReply(200, entry);
    }),
    read('/v1/objects/:ref', async (req) => {
      const ref = sha256Ref.safeParse(req.params.ref);
      if (!ref.success) return badRequest('ref must be sha256: and 64 lower-case hex digits');
      const query = objectQuery.safeParse({ payload: req.query.payload });
      if (!query.success) return badRequest('payload must be true or false');
      const withPayload = query.data.payload === 'true' || query.data.payload === '1';
      const object = await findObject(log, ref.data, withPayload);
      return object === null ? notFound('object not found') : jsonReply(200, object);
    }),
    read('/v1/worlds/:ref', async (req) => {
      const ref = sha256Ref.safeParse(req.params.ref);
      if (!ref.success) return badRequest('ref must be sha256: and 64 lower-case hex digits');
      for await (const { index } of log.find(ref.data).locations) {
        const entry = await log.entry(index);
        if (entry !== null && entry.worldRef === ref.data) return jsonReply(200, { ref: ref.data, ...entry.world });
      }
      return notFound('world not found');
    }),
  ];
}
