import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { SurfaceContext } from '../../src/daemon/types.js';
import { listen } from '../../src/http/server.js';
import { atEnd } from '../cleanup.js';
import { ask, BROKEN, gate, MCP_HEADERS, postMcp, startSurface, TOKEN, toolCall, until } from './surface-double.js';

const ROUTES = [
  ['GET', '/v1/health'],
  ['GET', '/v1/log'],
  ['GET', '/.well-known/agent.json'],
  ['POST', '/a2a/'],
  ['POST', '/mcp/'],
  ['GET', '/mcp/'],
  ['GET', '/nothing-here'],
] as const;

for (const [method, path] of ROUTES) {
  test(`${method} ${path} refuses a Host that is not this daemon on loopback`, async (t) => {
    const surface = await startSurface(t);
    for (const host of [
      'evil.example',
      `evil.example:${surface.port}`,
      '127.0.0.1:1',
      '127.0.0.1',
      'localhost.evil:1',
    ]) {
      const answer = await ask(surface, path, { method, headers: { ...MCP_HEADERS, Host: host } });
      assert.equal(answer.status, 403, host);
      assert.equal(JSON.parse(answer.text).error.class, 'Forbidden');
    }
  });

  test(`${method} ${path} refuses the origin of another page`, async (t) => {
    const surface = await startSurface(t);
    const { port } = surface;
    for (const origin of [
      'http://evil.example',
      'null',
      `https://localhost:${port}`,
      'http://localhost:1',
      'file://',
    ]) {
      const answer = await ask(surface, path, { method, headers: { ...MCP_HEADERS, Origin: origin } });
      assert.equal(answer.status, 403, origin);
    }
  });
}

test('loopback names in any case and the own origin pass', async (t) => {
  const surface = await startSurface(t);
  for (const name of ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]']) {
    const authority = `${name}:${surface.port}`;
    const headers = { Host: authority, Origin: `http://${authority}` };
    assert.equal((await ask(surface, '/v1/health', { headers })).status, 200, name);
  }
});

test('a token in the query string opens nothing', async (t) => {
  const surface = await startSurface(t);
  const answer = await ask(surface, `/mcp/?token=${TOKEN}&access_token=${TOKEN}`, { method: 'POST', body: '{}' });
  assert.equal(answer.status, 401);
  assert.ok(!surface.reports.join('\n').includes(TOKEN));
});

test('unknown routes, discovery probes included, are 404 JSON', async (t) => {
  const surface = await startSurface(t);
  const probes = [
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/mcp',
    '/.well-known/openid-configuration',
    '/mcp/.well-known/openid-configuration',
    '/.well-known/agent-card.json',
    '/v2/health',
    '/',
  ];
  for (const path of probes) {
    const answer = await ask(surface, path, { headers: { Authorization: `Bearer ${TOKEN}` } });
    assert.equal(answer.status, 404, path);
    assert.equal(answer.headers['content-type'], 'application/json');
    assert.equal(JSON.parse(answer.text).error.class, 'NotFound');
  }
  assert.equal((await ask(surface, '/register', { method: 'POST', body: '{}' })).status, 404);
});

test('a wrong method is 405 and names the right one', async (t) => {
  const surface = await startSurface(t);
  const cases = [
    ['POST', '/v1/health', 'GET'],
    ['DELETE', '/v1/log/3', 'GET'],
    ['GET', '/a2a/', 'POST'],
    ['PUT', '/.well-known/agent.json', 'GET'],
    ['OPTIONS', '/v1/head', 'GET'],
  ] as const;
  for (const [method, path, allowed] of cases) {
    const answer = await ask(surface, path, { method });
    assert.equal(answer.status, 405, path);
    assert.equal(answer.headers.allow, allowed);
  }
});

test('a session that cannot be looked up never authenticates; the cause goes to the operator only', async (t) => {
  const surface = await startSurface(t);
  for (const [method, path] of [
    ['POST', '/mcp/'],
    ['GET', '/mcp/'],
    ['POST', '/a2a/'],
    ['GET', '/.well-known/agent.json'],
  ] as const) {
    const answer = await ask(surface, path, { method, headers: { Authorization: BROKEN } });
    const error = { class: 'Internal', message: 'internal store failure' };
    assert.deepEqual([answer.status, JSON.parse(answer.text)], [500, { error }], path);
  }
  assert.equal(surface.reports.length, 4);
  assert.match(surface.reports[0] ?? '', /POST failed: ".*the store is gone"/);
});

test('HEAD is served where GET is, without a body', async (t) => {
  const surface = await startSurface(t);
  const answer = await ask(surface, '/v1/health', { method: 'HEAD' });
  assert.deepEqual([answer.status, answer.text], [200, '']);
});

test('only loopback can be bound, and a port in use is a clear error', async (t) => {
  const { port } = await startSurface(t);
  const context = { report() {}, now: () => 0 } as unknown as SurfaceContext;
  await assert.rejects(listen(context, { host: '0.0.0.0', port: 0 }), /bind host "0.0.0.0" is not loopback/);
  await assert.rejects(listen(context, { host: '127.0.0.1', port }), { code: 'listen-failed' });
});

test('refused connects are told to the operator, five times a minute per kind', async (t) => {
  const surface = await startSurface(t);
  surface.clock.now = 1_000_000;
  for (let i = 0; i < 9; i++) await postMcp(surface, '{}', { Authorization: `Bearer ${'0'.repeat(64)}` });
  await postMcp(surface, '{}', { Authorization: undefined });
  assert.deepEqual(surface.reports, [
    ...Array(5).fill('ailang-worldd: refused POST /mcp/: unknown session credential'),
    'ailang-worldd: refused POST /mcp/: absent session credential',
  ]);
  surface.clock.now += 60_000;
  await postMcp(surface, '{}', { Authorization: `Bearer ${'0'.repeat(64)}` });
  assert.equal(
    surface.reports.at(-1),
    'ailang-worldd: refused POST /mcp/: unknown session credential (and 4 more since the last line)',
  );
});

test('one connection too many is cut; the others go on', async (t) => {
  const surface = await startSurface(t, { connections: 3 });
  const held = [1, 2].map(() => connect(surface.port, '127.0.0.1'));
  atEnd(t, () => {
    for (const socket of held) socket.destroy();
  });
  await Promise.all(held.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  const answers = await Promise.allSettled(Array.from({ length: 8 }, () => ask(surface, '/v1/health')));
  assert.ok(answers.some(({ status }) => status === 'rejected'));
  for (const socket of held) socket.destroy();
  await until(() => held.every((socket) => socket.closed));
  assert.equal((await ask(surface, '/v1/health')).status, 200);
});

test('a request with two Hosts is refused', async (t) => {
  const { port } = await startSurface(t);
  const socket = connect(port, '127.0.0.1');
  socket.end(`GET /v1/head HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nHost: evil.example\r\n\r\n`);
  let text = '';
  for await (const chunk of socket) text += chunk;
  assert.match(text, /^HTTP\/1\.1 403 /);
});

test('close lets a call in flight end, takes no new connection, and cuts an idle one', async (t) => {
  const surface = await startSurface(t);
  const { opened, open } = gate();
  surface.invoker.script = async () => {
    await opened;
    return { ok: true };
  };
  const idle = connect(surface.port, '127.0.0.1');
  const idleClosed = new Promise<void>((resolve) => idle.once('close', () => resolve()));
  const answer = postMcp(surface, toolCall({}));
  await until(() => surface.invoker.started.length === 1);
  const closed = surface.close(60_000);
  await assert.rejects(ask(surface, '/v1/health'));
  open();
  assert.equal((await answer).status, 200);
  await Promise.all([closed, idleClosed]);
});

test('close ends a connection that is kept alive right after its response', async (t) => {
  const surface = await startSurface(t);
  const { opened, open } = gate();
  surface.invoker.script = async () => {
    await opened;
    return { ok: true };
  };
  const body = JSON.stringify(toolCall({}));
  const headers = Object.entries(MCP_HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(surface.port, '127.0.0.1');
  const address = `Host: 127.0.0.1:${surface.port}\r\nContent-Length: ${body.length}\r\n`;
  socket.write(`POST /mcp/ HTTP/1.1\r\n${address}${headers.join('')}\r\n${body}`);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await until(() => surface.invoker.started.length === 1);
  const before = performance.now();
  const closed = surface.close(3_000);
  open();
  await Promise.all([closed, ended]);
  assert.match(text, /^HTTP\/1\.1 200 /);
  assert.ok(performance.now() - before < 2_500, 'it was cut by the drain time, not closed after its response');
});

test('close cuts what has not ended when the drain time is up', async (t) => {
  const surface = await startSurface(t);
  const { opened, open } = gate();
  surface.invoker.script = async () => {
    await opened;
    return { ok: true };
  };
  const answer = assert.rejects(postMcp(surface, toolCall({})));
  await until(() => surface.invoker.started.length === 1);
  await surface.close(10);
  await answer;
  open();
  await until(() => surface.invoker.ended.length === 1);
});
