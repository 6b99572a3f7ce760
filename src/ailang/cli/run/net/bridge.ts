import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { EffectHost } from '../../../interfaces.js';
import { type NetErrorKind, NetFailure } from '../../../std/net-failure.js';
import type { NetRules } from './authorize.js';
import { type HttpRequest, type HttpResponse, httpRequest } from './http-client.js';

interface Question {
  readonly request: HttpRequest;
  /** Set to 1 and notified when the answer lies in the port. */
  readonly answered: Int32Array;
}

type Answer =
  | { readonly response: HttpResponse }
  | { readonly failure: { readonly message: string; readonly kind: NetErrorKind; readonly subject: string } };

/**
 * The Net effect of the interpreting thread. Each request is carried out by the child's other thread, whose event loop
 * is free; this one sleeps until the answer is there. The other thread alone decides what may be reached.
 * @param handOver passes one end of the channel to the other thread, before the first request
 */
export function netEffect(handOver: (port: MessagePort) => void): NonNullable<EffectHost['net']> {
  let channel: MessagePort | null = null;
  const connect = (): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    handOver(port2);
    channel = port1;
    return port1;
  };
  return {
    request(request) {
      const port = channel ?? connect();
      const answered = new Int32Array(new SharedArrayBuffer(4));
      port.postMessage({ request, answered } satisfies Question);
      Atomics.wait(answered, 0, 0);
      const { message } = receiveMessageOnPort(port) as { message: Answer };
      if ('failure' in message) {
        const { failure } = message;
        throw new NetFailure(failure.message, failure.kind, failure.subject);
      }
      return { ...message.response, body: Buffer.from(message.response.body) };
    },
  };
}

/** The thread that carries requests out, under the rules of the policy of this run. */
export function serveNet(port: MessagePort, rules: NetRules): void {
  port.on('message', async ({ request, answered }: Question) => {
    port.postMessage(await answer(request, rules));
    Atomics.store(answered, 0, 1);
    Atomics.notify(answered, 0);
  });
}

async function answer(request: HttpRequest, rules: NetRules): Promise<Answer> {
  try {
    return { response: await httpRequest(request, rules) };
  } catch (error) {
    const { message, kind, subject } = error instanceof NetFailure ? error : new NetFailure('E_NET_REQUEST_FAILED');
    return { failure: { message, kind, subject } };
  }
}
