import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type HttpRequest, httpRequest } from '../../../../src/ailang/cli/run/net/http-client.js';
import { atEnd } from '../../../cleanup.js';

/** Listens on the loopback until the test is over; counts connections. */
async function listening(t: TestContext, server: Server): Promise<{ pair: string; connections: () => number }> {
  let count = 0;
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    count += 1;
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(t, () => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const address = server.address();
  return { pair: `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, connections: () => count };
}

const web = (t: TestContext, answer: RequestListener) => listening(t, createServer(answer));
const raw = (t: TestContext, answer: (socket: Socket) => void) =>
  listening(
    t,
    createTcpServer((socket) => {
      socket.once('data', () => answer(socket));
    }),
  );
const ask = (pair: string, more: Partial<HttpRequest> = {}, limits = { timeoutMs: 5000, bodyBytes: 1000 }) =>
  httpRequest(
    { method: 'GET', url: `http://${pair}/`, headers: [], body: Buffer.alloc(0), ...more },
    { netAllow: [pair], netAllowHttp: true },
    limits,
  );

test('method, path, headers and body arrive, and so do status, headers and body of the answer', async (t) => {
  const { pair } = await web(t, async (request, response) => {
    const body = (await request.toArray()).join('');
    response.writeHead(
      404,
      [
        ['x-two', 'a'],
        ['X-Two', 'b'],
      ].flat(),
    );
    response.end(JSON.stringify([request.method, request.url, request.headers['x-a'], request.headers.host, body]));
  });
  const headers = [
    { name: 'X-A', value: '1' },
    { name: 'x-a', value: '2' },
  ];
  const answer = await ask(pair, { method: 'put', url: `http://${pair}/p?q`, headers, body: Buffer.from('hi') });
  assert.equal(answer.status, 404);
  assert.deepEqual(JSON.parse(Buffer.from(answer.body).toString()), ['PUT', '/p?q', '1, 2', pair, 'hi']);
  assert.deepEqual(
    answer.headers.filter(({ name }) => name === 'X-Two').map(({ value }) => value),
    ['a', 'b'],
  );
});

for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
  test(`${method} is sent`, async (t) => {
    const { pair } = await web(
      t,
      (request, response) => void response.writeHead(200, { 'x-saw': request.method }).end(),
    );
    const answer = await ask(pair, { method });
    assert.equal(answer.headers.find(({ name }) => name === 'X-Saw')?.value, method);
  });

for (const method of ['CONNECT', 'TRACE', '', 'GET / HTTP/1.1\r\n', 'PURGE'])
  test(`${JSON.stringify(method)} is not`, async (t) => {
    const { pair, connections } = await web(t, (_, response) => void response.end());
    await assert.rejects(ask(pair, { method }), /^NetFailure: E_NET_REQUEST_FAILED: method .* is not supported$/);
    assert.equal(connections(), 0);
  });

for (const [name, value] of [
  ['Host', 'evil'],
  ['content-length', '5'],
  ['Transfer-Encoding', 'chunked'],
  ['Connection', 'upgrade'],
  ['Proxy-Authorization', 'x'],
  ['a b', 'x'],
  ['', 'x'],
  ['X', 'a\r\nHost: evil'],
  ['X', 'a\0'],
  ['X', 'x'.repeat(70_000)],
] as const)
  test(`a header ${JSON.stringify(name)} of ${JSON.stringify(value.slice(0, 20))} is refused before connecting`, async (t) => {
    const { pair, connections } = await web(t, (_, response) => void response.end());
    await assert.rejects(ask(pair, { headers: [{ name, value }] }), { kind: 'InvalidHeader', subject: name });
    assert.equal(connections(), 0);
  });

for (const status of [301, 302, 303, 307, 308])
  test(`a ${status} is not followed, neither elsewhere nor to the granted pair`, async (t) => {
    const other = await web(t, (_, response) => void response.end());
    const targets = [`http://${other.pair}/`, '/again', `http://localhost:${other.pair.split(':')[1]}/`];
    for (const location of targets) {
      const { pair, connections } = await web(t, (_, response) => void response.writeHead(status, { location }).end());
      await assert.rejects(ask(pair), { kind: 'DisallowedHost' });
      assert.equal(connections(), 1);
    }
    assert.equal(other.connections(), 0);
  });

test('a 302 without a location, and a location without a redirect, are answers', async (t) => {
  const bare = await web(t, (_, response) => void response.writeHead(302).end('x'));
  assert.equal((await ask(bare.pair)).status, 302);
  const created = await web(t, (_, response) => void response.writeHead(201, { location: 'http://x/' }).end());
  assert.equal((await ask(created.pair)).status, 201);
});

test('a body up to the limit is whole, one byte more is refused, whatever the server announces', async (t) => {
  const sized = (bytes: number, announced: boolean) =>
    web(t, (_, response) => {
      if (announced) response.setHeader('content-length', bytes);
      response.end(Buffer.alloc(bytes, 'x'));
    });
  for (const announced of [true, false]) {
    assert.equal((await ask((await sized(1000, announced)).pair)).body.length, 1000);
    await assert.rejects(ask((await sized(1001, announced)).pair), {
      message: 'E_NET_BODY_TOO_LARGE: response exceeds 1000 bytes',
      kind: 'BodyTooLarge',
      subject: '1000',
    });
  }
});

test('a server that never answers, or never ends, is left at the time limit', async (t) => {
  const silent = await raw(t, () => {});
  const endless = await raw(t, (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc'));
  for (const { pair } of [silent, endless])
    await assert.rejects(ask(pair, {}, { timeoutMs: 100, bodyBytes: 1000 }), {
      message: 'E_NET_REQUEST_FAILED: no complete answer within 100 ms',
    });
});

for (const [what, text] of [
  ['switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
  ['speaks something else', '220 mail ready\r\n'],
  ['ends in the middle', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc'],
  ['sends endless headers', `HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(20_000)}\r\n`],
] as const)
  test(`a server that ${what} is a failed request`, async (t) => {
    const { pair } = await raw(t, (socket) => socket.end(text));
    await assert.rejects(ask(pair), { kind: 'Transport', message: /^E_NET_REQUEST_FAILED: / });
  });

test('nobody listening is a failed request', async (t) => {
  const { pair } = await raw(t, (socket) => socket.end());
  const closed = pair.replace(/:\d+$/, ':1');
  await assert.rejects(ask(closed), { message: 'E_NET_REQUEST_FAILED: connect ECONNREFUSED 127.0.0.1:1' });
});

test('proxies of the environment are not asked', async (t) => {
  const proxy = await web(t, (_, response) => void response.end('proxy'));
  const { pair } = await web(t, (_, response) => void response.end('direct'));
  for (const name of ['http_proxy', 'HTTP_PROXY', 'ALL_PROXY']) {
    process.env[name] = `http://${proxy.pair}`;
    atEnd(t, () => delete process.env[name]);
  }
  assert.equal(Buffer.from((await ask(pair)).body).toString(), 'direct');
  assert.equal(proxy.connections(), 0);
});
