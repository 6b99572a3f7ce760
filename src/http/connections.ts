import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Knows which connections have a request in flight. Node counts a connection that never sent one as busy, so a client
 * that merely connected would hold up every shutdown.
 */
export class Connections {
  readonly #requests = new Map<Socket, number>();
  #draining = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#requests.set(socket, 0);
      socket.once('close', () => this.#requests.delete(socket));
    });
    server.on('request', (req: IncomingMessage, res: ServerResponse) => {
      const { socket } = req;
      this.#count(socket, 1);
      res.once('close', () => this.#count(socket, -1));
    });
  }

  /** Closes idle connections now and each other one after its response. */
  drain(): void {
    this.#draining = true;
    for (const [socket, requests] of this.#requests) if (requests === 0) socket.destroy();
  }

  #count(socket: Socket, by: 1 | -1): void {
    const before = this.#requests.get(socket);
    if (before === undefined) return;
    this.#requests.set(socket, before + by);
    if (this.#draining && before + by === 0) socket.destroySoon();
  }
}
