import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { WorldError } from '../errors.js';
import { type ControlFile, type ControlRequest, controlRequestSchema } from './control-protocol.js';

const MAX_LINE_BYTES = 64 * 1024;

export interface ControlServer {
  /** Stops listening, ends open connections, removes socket and control file. */
  close(): Promise<void>;
}

/**
 * Listens on a Unix socket in an owner-only directory: whoever can connect is the owner. Answers each request line
 * with `handle`'s result or its error.
 * @throws WorldError `control-listen`
 */
export async function listenForControl(options: {
  readonly socket: string;
  readonly controlFile: string;
  readonly url: string;
  readonly handle: (request: ControlRequest) => Promise<unknown>;
  readonly report: (line: string) => void;
}): Promise<ControlServer> {
  // The caller holds the writer lock of the repository: a socket left here belongs to a daemon that is gone.
  await rm(options.socket, { force: true });
  const connections = new Set<Socket>();
  const server = createServer((socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
    socket.on('error', () => socket.destroy());
    void serve(socket, options).catch(() => socket.destroy());
  });
  await listening(server, options.socket);
  const content: ControlFile = { socket: options.socket, pid: process.pid, url: options.url };
  await mkdir(dirname(options.controlFile), { recursive: true });
  await rm(options.controlFile, { force: true });
  await writeFile(options.controlFile, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  return {
    async close() {
      await rm(options.controlFile, { force: true });
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of connections) socket.destroy();
      await closed;
      await rm(options.socket, { force: true });
    },
  };
}

async function listening(server: Server, socket: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new WorldError('control-listen', `cannot listen on ${socket}`, { hint: 'set XDG_RUNTIME_DIR', cause })),
    );
    server.listen(socket, resolve);
  });
}

async function serve(
  socket: Socket,
  { handle, report }: { handle: (request: ControlRequest) => Promise<unknown>; report: (line: string) => void },
): Promise<void> {
  let pending = 0;
  socket.on('data', (chunk: Buffer) => {
    const newline = chunk.lastIndexOf(0x0a);
    pending = newline === -1 ? pending + chunk.length : chunk.length - newline - 1;
    if (pending > MAX_LINE_BYTES) socket.destroy();
  });
  for await (const line of createInterface({ input: socket })) {
    const reply = await answer(line, handle, report);
    if (!socket.writable) return;
    socket.write(`${JSON.stringify(reply)}\n`);
  }
}

async function answer(
  line: string,
  handle: (request: ControlRequest) => Promise<unknown>,
  report: (line: string) => void,
): Promise<unknown> {
  const request = controlRequestSchema.safeParse(parse(line));
  if (!request.success) return failure('control-request', 'not a control request');
  try {
    return { ok: true, result: await handle(request.data) };
  } catch (error) {
    if (error instanceof WorldError) return failure(error.code, error.message, error.hint);
    report(`ailang-worldd: control ${request.data.op}: ${error instanceof Error ? error.message : String(error)}`);
    return failure('internal', `${request.data.op} failed; the cause is on the daemon's stderr`);
  }
}

function failure(code: string, message: string, hint?: string) {
  return { ok: false, error: { code, message, ...(hint === undefined ? {} : { hint }) } };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
