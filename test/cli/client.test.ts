import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { atEnd, temporaryDirectory } from '../cleanup.js';
import { commandLine } from './command-line.js';

const TOKEN = 'ab'.repeat(32);

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body: string;
}

/** A server that answers `/mcp/` and the reads as told, and remembers what it was asked. */
async function serve(t: TestContext, routes: Readonly<Record<string, Answer | (() => Answer)>>) {
  const asked: { path: string; authorization: string | undefined; body: string }[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? '';
    asked.push({ path, authorization: request.headers.authorization, body: Buffer.concat(chunks).toString() });
    const route = routes[path] ?? { status: 404, body: 'absent' };
    const { status = 200, type = 'application/json', body } = typeof route === 'function' ? route() : route;
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(t, () => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { addr: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`, asked };
}

const result = (text: string) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    result: { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) },
  });
const sse = (json: string): Answer => ({
  type: 'text/event-stream',
  body: `: hello\r\n\r\nevent: message\r\ndata: ${json}\r\n\r\n`,
});
const OUTPUT = '{"ok":false,"refused":"no","world":{"effects":[],"plan":"sha256:00"}}';
const env = { WORLD_SESSION: TOKEN };

test('a call sends one JSON-RPC request with the bearer, and reads SSE and plain JSON alike', async (t) => {
  for (const answer of [sse(result(OUTPUT)), { body: result(OUTPUT) }]) {
    const { addr, asked } = await serve(t, { '/mcp/': answer, '/v1/head': { body: 'sha256:1' } });
    const args = ['call', 'ailang-read', '--arg', 'path=a', '--arg-json', 'n=[1]', '--json-out', '--strict'];
    const { code, stdout } = await commandLine(['--addr', `${addr}/`, ...args], { env });
    assert.deepEqual([code, stdout], [3, `${OUTPUT}\n`]);
    const call = asked.find((request) => request.path === '/mcp/');
    assert.equal(call?.authorization, `Bearer ${TOKEN}`);
    assert.deepEqual(JSON.parse(call?.body ?? ''), {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'ailang-read', arguments: { path: 'a', n: [1] } },
    });
  }
});

test('arguments come from stdin or a file as well', async (t) => {
  const directory = temporaryDirectory(t);
  writeFileSync(join(directory, 'args.json'), '{"path":"from a file"}');
  const { addr, asked } = await serve(t, { '/mcp/': sse(result(OUTPUT)) });
  await commandLine(['--addr', addr, 'call', 'x', '--json', '-'], { env, input: '{"path":"from stdin"}' });
  await commandLine(['--addr', addr, 'call', 'x', '--json', '@args.json'], { env, cwd: directory });
  const paths = asked
    .filter((request) => request.path === '/mcp/')
    .map((request) => JSON.parse(request.body).params.arguments.path);
  assert.deepEqual(paths, ['from stdin', 'from a file']);
});

test('long values are cut and their size named', async (t) => {
  const text = JSON.stringify({ content: 'é'.repeat(1_000), ok: true, world: { effects: [], plan: 'sha256:00' } });
  const { addr } = await serve(t, { '/mcp/': sse(result(text)) });
  const { stdout } = await commandLine(['--addr', addr, 'call', 'x'], { env });
  assert.match(stdout, /^content: é{200}… \(2000 bytes\)\nok: true\noutput: sha256:/);
});

const failure = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'host callback failed' } });

test('after a host failure the head tells whether a commit landed', async (t) => {
  let heads = 0;
  const moved = await serve(t, {
    '/mcp/': { body: failure },
    '/v1/head': () => ({ body: `sha256:${heads++}` }),
    '/v1/worlds/sha256:1': { body: '{"revision":7}' },
  });
  const landed = await commandLine(['--addr', moved.addr, 'call', 'x'], { env });
  assert.deepEqual(landed, {
    code: 1,
    stdout: '',
    stderr: 'ailang-worldd: host callback failed: a commit landed (entry 7)\n  do not retry; ailang-worldd why 7\n',
  });
  const still = await serve(t, { '/mcp/': { body: failure }, '/v1/head': { body: 'sha256:0' } });
  assert.match(
    (await commandLine(['--addr', still.addr, 'call', 'x'], { env })).stderr,
    /^ailang-worldd: host callback failed\n {2}nothing was committed/,
  );
  const empty = await serve(t, { '/mcp/': { body: failure } });
  assert.match(
    (await commandLine(['--addr', empty.addr, 'call', 'x'], { env })).stderr,
    /host callback failed: no world head/,
  );
});

test('a refused session gets its text and what to do', async (t) => {
  const { addr } = await serve(t, {
    '/mcp/': { status: 401, type: 'text/plain', body: 'session credential has expired' },
  });
  const { code, stderr } = await commandLine(['--addr', addr, 'tools', 'list'], { env });
  assert.deepEqual([code, stderr.split('\n')[0]], [1, 'ailang-worldd: session credential has expired']);
});

test('an answer that is no JSON-RPC is named, not thrown', async (t) => {
  for (const body of ['<html>', '{"jsonrpc":"2.0","id":1,"result":{}}', '']) {
    const { addr } = await serve(t, { '/mcp/': { body } });
    const { code, stderr } = await commandLine(['--addr', addr, 'call', 'x'], { env });
    assert.equal(code, 1);
    assert.match(stderr, /^ailang-worldd: the daemon answered with something that is not/);
  }
});

test('an HTTP failure is one line with its class', async (t) => {
  const body = '{"error":{"class":"HeadConflict","message":"moved","observedHead":"a","selectedHead":"b"}}';
  const { addr } = await serve(t, { '/v1/health': { status: 409, body } });
  const { code, stderr } = await commandLine(['--addr', addr, 'health']);
  assert.equal(code, 1);
  assert.equal(
    stderr,
    'ailang-worldd: /v1/health returned HTTP 409 HeadConflict: moved (observedHead=a selectedHead=b)\n',
  );
});

test('a session is a file of at most 256 bytes, or 64 hex digits', async (t) => {
  const directory = temporaryDirectory(t);
  const file = join(directory, 'token');
  const { addr, asked } = await serve(t, { '/mcp/': { body: JSON.stringify({ result: { tools: [] } }) } });
  const list = (session: string) =>
    commandLine(['--addr', addr, 'tools', 'list', '--session', session], { cwd: directory });

  writeFileSync(file, `${TOKEN}\n`, { mode: 0o600 });
  assert.deepEqual(await list('token'), { code: 0, stdout: '0 tool(s)\n', stderr: '' });
  assert.equal(asked.at(-1)?.authorization, `Bearer ${TOKEN}`);
  chmodSync(file, 0o640);
  assert.match((await list(file)).stderr, /warning: .*token can be read by others; chmod 600 it/);
  writeFileSync(file, TOKEN.padEnd(257));
  assert.match((await list(file)).stderr, /is not a session file: expected at most 256 bytes/);
  writeFileSync(file, 'hello');
  assert.match((await list(file)).stderr, /does not hold a session token/);
  assert.match((await list('nowhere')).stderr, /cannot read the session file/);
  assert.match((await list(directory)).stderr, /is not a session file/);
  const direct = await list(TOKEN);
  assert.match(direct.stderr, /warning: a token on the command line is visible to others/);
  assert.equal(direct.code, 0);
});
