import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { atEnd } from '../cleanup.js';

/** Serves the repositories below a folder by git's own http-backend, to whoever gives this user and password. */
export async function serveHttp(
  t: TestContext,
  folder: string,
  login: { readonly user: string; readonly password: string },
): Promise<string> {
  const expected = `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`;
  const server = createServer((request, response) => {
    if (request.headers.authorization !== expected) {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="test"' }).end();
      return;
    }
    answer(request, response, folder, login.user);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** One request as a CGI program takes it (RFC 3875). */
function answer(request: IncomingMessage, response: ServerResponse, folder: string, user: string): void {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const { headers } = request;
  const optional = (name: string, value: string | undefined) => (value === undefined ? {} : { [name]: value });
  const child = spawn('git', ['http-backend'], {
    env: {
      ...{ PATH: process.env.PATH, GIT_PROJECT_ROOT: folder, GIT_HTTP_EXPORT_ALL: '1', GIT_CONFIG_NOSYSTEM: '1' },
      ...{ REQUEST_METHOD: request.method, PATH_INFO: url.pathname, QUERY_STRING: url.search.slice(1) },
      ...{ REMOTE_USER: user, CONTENT_TYPE: headers['content-type'] ?? '' },
      ...optional('CONTENT_LENGTH', headers['content-length']),
      ...optional('HTTP_CONTENT_ENCODING', headers['content-encoding']),
      ...optional('GIT_PROTOCOL', headers['git-protocol'] as string | undefined),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.pipe(child.stdin);
  child.stdin.on('error', () => undefined);
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  child.once('close', () => {
    const whole = Buffer.concat(pieces);
    const split = whole.indexOf('\r\n\r\n');
    const lines = whole.toString('latin1', 0, split).split('\r\n');
    const fields = lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 2),
    ]);
    const status = Number(fields.find(([name]) => name === 'Status')?.[1]?.slice(0, 3) ?? 200);
    response.writeHead(status, Object.fromEntries(fields.filter(([name]) => name !== 'Status')));
    response.end(whole.subarray(split + 4));
  });
}
