import { WorldError } from '../../errors.js';

/** One bounded request (world-behaviour 1.1). */
const CLIENT_TIMEOUT_MS = 30_000;

export interface DaemonReply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/**
 * Sends one request to the daemon; any status is an answer.
 * @throws WorldError `daemon-unreachable` when nothing answers, `daemon-timeout` after 30 s
 */
export async function request(
  addr: string,
  path: string,
  options: { token?: string | undefined; body?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<DaemonReply> {
  const headers: Record<string, string> = { ...options.headers };
  if (options.token !== undefined) headers.authorization = `Bearer ${options.token}`;
  try {
    const response = await fetch(`${addr}${path}`, {
      method: options.body === undefined ? 'GET' : 'POST',
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(CLIENT_TIMEOUT_MS),
      ...(options.body === undefined ? {} : { body: options.body }),
    });
    return {
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      body: await response.text(),
    };
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'TimeoutError')
      throw new WorldError('daemon-timeout', `${addr}${path} did not answer within ${CLIENT_TIMEOUT_MS / 1000} s`, {
        cause,
      });
    throw new WorldError('daemon-unreachable', `no daemon answers at ${addr}`, {
      hint: 'start one with: ailang-worldd up (or name another with --addr <url> before the verb)',
      cause,
    });
  }
}

/**
 * GET, with every status but 200 turned into the client's error line.
 * @throws WorldError `http-status`: `<path> returned HTTP <status> <Class>: <message>`
 */
export async function get(addr: string, path: string, token?: string): Promise<string> {
  const reply = await request(addr, path, { token });
  if (reply.status === 200) return reply.body;
  throw statusError(path, reply);
}

export function statusError(path: string, reply: DaemonReply): WorldError {
  return new WorldError('http-status', `${path} returned HTTP ${reply.status} ${errorText(reply.body)}`, {
    data: { status: reply.status },
  });
}

function errorText(body: string): string {
  try {
    const parsed = JSON.parse(body) as {
      error?: { class?: unknown; message?: unknown; observedHead?: unknown; selectedHead?: unknown };
    };
    const error = parsed.error;
    if (typeof error?.class === 'string' && typeof error.message === 'string') {
      const heads =
        error.observedHead === undefined
          ? ''
          : ` (observedHead=${error.observedHead} selectedHead=${error.selectedHead})`;
      return `${error.class}: ${error.message}${heads}`;
    }
  } catch {
    // A plain text body says it in its own words.
  }
  return body.trim().slice(0, 500);
}
