import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SurfaceContext } from '../daemon/types.js';
import { WorldError } from '../errors.js';
import { createApp } from './app.js';
import { Connections } from './connections.js';
import { HTTP_LIMITS, type HttpLimits } from './limits.js';

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

export interface Listening {
  /** `http://127.0.0.1:7644`, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /**
   * Takes no new connections, lets requests in flight end for at most `drainMs`, then cuts what is left. Calls already
   * started go on in the invoker: drain that too before closing the log.
   */
  close(drainMs: number): Promise<void>;
}

/**
 * Serves all surfaces on a loopback address.
 * @throws WorldError `bind-refused` for any other address, `listen-failed` when the port cannot be had
 */
export async function listen(
  context: SurfaceContext,
  address: { readonly host: string; readonly port: number },
  limits: HttpLimits = HTTP_LIMITS,
): Promise<Listening> {
  if (!LOOPBACK_HOSTS.has(address.host)) {
    throw new WorldError('bind-refused', `bind host ${JSON.stringify(address.host)} is not loopback`, {
      hint: 'use 127.0.0.1, ::1 or localhost',
    });
  }
  const app = createApp(context, limits);
  // Node looks for overdue connections only every 30 s unless told otherwise.
  const server = createServer({ connectionsCheckingInterval: 1_000, maxHeaderSize: 16 * 1024 });
  server.maxConnections = limits.connections;
  server.headersTimeout = limits.headerMs;
  server.requestTimeout = limits.requestMs;
  server.timeout = limits.responseMs;
  server.keepAliveTimeout = limits.idleMs;
  const connections = new Connections(server);
  server.on('request', app.handler);
  await bind(server, address);
  const { port } = server.address() as AddressInfo;
  const name = address.host === '::1' ? '[::1]' : address.host;
  return {
    url: `http://${name}:${port}`,
    port,
    close: (drainMs) => drain(server, connections, drainMs),
  };
}

function bind(server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) => {
      const message = `cannot listen on ${host}:${port}`;
      reject(new WorldError('listen-failed', message, { hint: 'is another daemon running on this port?', cause }));
    };
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      resolve();
    });
  });
}

async function drain(server: Server, connections: Connections, drainMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  connections.drain();
  const cut = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearTimeout(cut);
}
