import type { JSONRPCResponse } from '@modelcontextprotocol/sdk/types.js';
import type { Exchange, ExchangeTransport } from './exchange.js';
import { RPC } from './failures.js';
import { anyParams, callParams, IDEMPOTENCY_KEY, initializeParams, paramsProblem, type RpcRequest } from './message.js';

/** What is known of a request before its params are read. */
export type Asking = Omit<Exchange, 'args' | 'idempotencyKey'>;

export interface Answered {
  readonly response: JSONRPCResponse;
  readonly exchange: Exchange;
}

/**
 * Checks a request's params and asks the protocol object. It gets only what a method needs: the arguments go past it,
 * so that no schema copies, reorders or drops their keys, and so do `_meta` and `task`, whose unknown forms it refuses.
 */
export async function answer(request: RpcRequest, asking: Asking, transport: ExchangeTransport): Promise<Answered> {
  const plain: Exchange = { ...asking, args: {}, idempotencyKey: undefined };
  const ask = async (params: Record<string, unknown> | undefined, exchange: Exchange = plain) => ({
    response: await transport.ask(request.method, params, exchange),
    exchange,
  });
  switch (request.method) {
    case 'initialize': {
      const params = initializeParams.safeParse(request.params);
      if (!params.success) return refused(paramsProblem(params.error), plain);
      return ask({ protocolVersion: params.data.protocolVersion });
    }
    case 'tools/call': {
      const params = callParams.safeParse(request.params);
      if (!params.success) return refused(paramsProblem(params.error), plain);
      const { name, arguments: args = {}, _meta: meta } = params.data;
      return ask({ name }, { ...asking, args, idempotencyKey: meta?.[IDEMPOTENCY_KEY] });
    }
    case 'ping':
    case 'tools/list': {
      const params = anyParams.safeParse(request.params);
      return params.success ? ask(undefined) : refused(paramsProblem(params.error), plain);
    }
    default:
      return ask(undefined);
  }
}

function refused(message: string, exchange: Exchange): Answered {
  return { response: { jsonrpc: '2.0', id: 0, error: { code: RPC.invalidParams, message } }, exchange };
}
