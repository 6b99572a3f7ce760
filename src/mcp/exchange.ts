import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, JSONRPCResponse } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject, SessionState } from '../log/types.js';
import type { Turn } from './arrival-order.js';

/** What a request carries beside the protocol: who asks, and for a tools/call the untouched arguments. */
export interface Exchange {
  readonly session: SessionState;
  readonly turn: Turn;
  /** True when the turn ends once the call is started; a batch keeps its turn to its end. */
  readonly leavesOnStart: boolean;
  /** When the POST arrived, Unix milliseconds. */
  readonly arrivedAt: number;
  readonly args: JsonObject;
  readonly idempotencyKey: string | undefined;
  /** The committed output, set by a call that ends well; the reply carries these bytes. */
  outputBytes?: Buffer;
}

interface Open {
  readonly exchange: Exchange;
  readonly resolve: (response: JSONRPCResponse) => void;
}

/**
 * Feeds one long-lived protocol object from many clients. Their ids collide (most begin with 0), so every request gets
 * an id of ours while it is open. Replies find their request by it, handlers the exchange.
 */
export class ExchangeTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly #open = new Map<number, Open>();
  #lastId = 0;

  async start(): Promise<void> {}

  async close(): Promise<void> {
    this.onclose?.();
  }

  /** Asks the protocol object. `params` must be what its schemas accept, or it never answers. */
  ask(method: string, params: Record<string, unknown> | undefined, exchange: Exchange): Promise<JSONRPCResponse> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#open.set(id, { exchange, resolve });
      this.onmessage?.({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
    });
  }

  /** @throws Error for an id that is not open, which would be a defect of ours */
  exchangeOf(id: string | number): Exchange {
    const open = this.#open.get(Number(id));
    if (open === undefined) throw new Error(`no open request ${id}`);
    return open.exchange;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!('id' in message) || 'method' in message) return;
    const id = Number(message.id);
    const open = this.#open.get(id);
    this.#open.delete(id);
    open?.resolve(message);
  }
}
