import type { SurfaceContext } from '../daemon/types.js';
import type { HttpLimits } from '../http/limits.js';
import type { Reply } from '../http/respond.js';
import { parseStrictJson } from '../http/strict-json.js';
import type { JsonValue, SessionState } from '../log/types.js';
import type { Turn } from './arrival-order.js';
import type { ExchangeTransport } from './exchange.js';
import { hostFailure, RPC } from './failures.js';
import { type RequestId, type RpcRequest, readMessage } from './message.js';
import { allowsBatches, headerVersion } from './protocol-version.js';
import { ACCEPTED, encodeResponse, errorReply, eventReply } from './reply.js';
import { type Answered, type Asking, answer } from './requests.js';

export interface Posted {
  readonly session: SessionState;
  readonly turn: Turn;
  readonly arrivedAt: number;
  /** The `MCP-Protocol-Version` header. */
  readonly version: string | undefined;
  readonly authorization: string | undefined;
}

const INVALID = { code: RPC.invalidRequest, message: 'invalid JSON-RPC request' } as const;

/** Turns the body of one admitted POST into its reply. */
export class PostAnswerer {
  readonly #context: SurfaceContext;
  readonly #limits: HttpLimits;
  readonly #transport: ExchangeTransport;

  constructor(context: SurfaceContext, limits: HttpLimits, transport: ExchangeTransport) {
    this.#context = context;
    this.#limits = limits;
    this.#transport = transport;
  }

  async answer(body: Buffer, posted: Posted): Promise<Reply> {
    const json = parseStrictJson(body);
    if (!json.ok) return errorReply(400, null, { code: RPC.parseError, message: `parse error: ${json.message}` });
    const { value, flaw } = json;
    const single = Array.isArray(value) ? null : readMessage(value);
    const id = single === null || single.kind === 'one-way' ? null : single.id;
    const version = headerVersion(posted.version);
    if (version === null)
      return errorReply(400, id, unsupportedVersion(single?.kind === 'request' ? single.method : ''));
    if (flaw !== null) {
      return errorReply(single?.kind === 'request' ? 200 : 400, id, {
        code: RPC.invalidParams,
        message: `invalid params: ${flaw}`,
      });
    }
    if (Array.isArray(value)) {
      if (!allowsBatches(version)) {
        return errorReply(400, null, { ...INVALID, message: `batches are not part of protocol version ${version}` });
      }
      return this.#batch(value, posted);
    }
    if (single === null || single.kind === 'invalid') return errorReply(400, id, INVALID);
    if (single.kind === 'one-way') return ACCEPTED;
    const answered = await this.#inTime(single, { ...posted, leavesOnStart: true });
    return (
      hostFailed(answered, single.id) ?? eventReply(encodeResponse(answered.response, single.id, answered.exchange))
    );
  }

  /** One after the other, each with an admission and a commit of its own; a host failure answers for all. */
  async #batch(items: readonly JsonValue[], posted: Posted): Promise<Reply> {
    if (items.length === 0) return errorReply(400, null, INVALID);
    const responses: string[] = [];
    for (const item of items) {
      const message = readMessage(item);
      if (message.kind === 'one-way') continue;
      if (message.kind === 'invalid') {
        responses.push(JSON.stringify({ jsonrpc: '2.0', id: message.id, error: INVALID }));
        continue;
      }
      const resolution = this.#context.resolveSession(posted.authorization);
      if (resolution.outcome !== 'live') return errorReply(200, null, hostFailure('host callback failed'));
      const { session } = resolution;
      const answered = await this.#inTime(message, { ...posted, session, leavesOnStart: false });
      const failed = hostFailed(answered, null);
      if (failed !== null) return failed;
      responses.push(encodeResponse(answered.response, message.id, answered.exchange));
    }
    return responses.length === 0 ? ACCEPTED : eventReply(`[${responses.join(',')}]`);
  }

  /** Answers when the POST's time is up, though a started call goes on to its commit. */
  async #inTime(request: RpcRequest, asking: Asking): Promise<Answered> {
    const left = Math.max(0, asking.arrivedAt + this.#limits.answerMs - this.#context.now());
    if (left === 0) return timedOut(asking);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Answered>((resolve) => {
      timer = setTimeout(resolve, left, timedOut(asking));
    });
    const answered = await Promise.race([answer(request, asking, this.#transport), late]);
    clearTimeout(timer);
    return answered;
  }
}

function timedOut(asking: Asking): Answered {
  const { code, message } = hostFailure('host callback timed out');
  const error = { code, message, data: { reason: 'deadline' } };
  return { response: { jsonrpc: '2.0', id: 0, error }, exchange: { ...asking, args: {}, idempotencyKey: undefined } };
}

function hostFailed({ response }: Answered, id: RequestId | null): Reply | null {
  return 'error' in response && response.error.code === RPC.hostFailure ? errorReply(200, id, response.error) : null;
}

/** Clients of later revisions open with `server/discover` and fall back on any answer that comes at once. */
function unsupportedVersion(method: string) {
  return method === 'server/discover'
    ? { code: RPC.methodNotFound, message: 'method not found: "server/discover"' }
    : {
        code: RPC.invalidRequest,
        message: 'unsupported MCP-Protocol-Version; served: 2025-11-25, 2025-06-18, 2025-03-26',
      };
}
