import { readFile } from 'node:fs/promises';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { WorldError } from '../errors.js';
import {
  type ControlFile,
  type ControlRequest,
  type ControlResult,
  controlFileSchema,
  controlReplySchema,
  controlResultSchemas,
} from './control-protocol.js';

const ANSWER_TIMEOUT_MS = 30_000;

/** `<commonDir>/world/control.json`. */
export function controlFilePath(commonDir: string): string {
  return join(commonDir, 'world', 'control.json');
}

/** What the running daemon wrote about itself; undefined when there is nothing readable. */
export async function readControlFile(commonDir: string): Promise<ControlFile | undefined> {
  try {
    return controlFileSchema.parse(JSON.parse(await readFile(controlFilePath(commonDir), 'utf8')));
  } catch {
    return undefined;
  }
}

/**
 * Asks the daemon that serves this repository. Resolves with undefined when none runs (no control file, or nobody
 * listens there), so that the caller can act on the log itself.
 * @throws WorldError with the daemon's own code, message and hint; `control-timeout`; `control-lost`
 */
export async function askDaemon<R extends ControlRequest>(
  commonDir: string,
  request: R,
): Promise<ControlResult<R['op']> | undefined> {
  const file = await readControlFile(commonDir);
  const socket = file === undefined ? undefined : await connect(file.socket);
  if (socket === undefined) return undefined;
  try {
    const reply = controlReplySchema.parse(JSON.parse(await exchange(socket, JSON.stringify(request))));
    if (reply.ok) return controlResultSchemas[request.op].parse(reply.result) as ControlResult<R['op']>;
    const { code, message, hint } = reply.error;
    throw new WorldError(code, message, hint === undefined ? {} : { hint });
  } finally {
    socket.destroy();
  }
}

async function connect(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(undefined));
  });
}

async function exchange(socket: Socket, line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new WorldError('control-timeout', 'the daemon did not answer on its control channel')),
      ANSWER_TIMEOUT_MS,
    );
    const lines = createInterface({ input: socket });
    lines.once('line', (answer) => {
      clearTimeout(timer);
      resolve(answer);
    });
    lines.once('close', () => {
      clearTimeout(timer);
      reject(new WorldError('control-lost', 'the daemon closed its control channel before it answered'));
    });
    socket.once('error', () => lines.close());
    socket.write(`${line}\n`);
  });
}
