import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { InvocationFailure } from '../../src/invocation/failure.js';
import { atEnd } from '../cleanup.js';
import { startSurface, TOKEN } from '../http/surface-double.js';

function sdkClient(url: string, token = TOKEN) {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp/`), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });
  // The package's own types disagree under exactOptionalPropertyTypes.
  return { client, transport: transport as Transport };
}

test('the official client connects, lists, calls, pings and reads errors', async (t) => {
  const surface = await startSurface(t);
  const { client, transport } = sdkClient(surface.url);
  atEnd(t, () => client.close());
  await client.connect(transport);
  assert.deepEqual(client.getServerVersion(), { name: 'ailang-world', version: '0.1.0' });
  assert.match(client.getInstructions() ?? '', /ailang-check/);
  const { tools } = await client.listTools();
  assert.equal(tools.length, 3);
  assert.deepEqual(await client.ping(), {});
  const result = await client.callTool({ name: 'ailang-read', arguments: { path: 'hello.ail' } });
  assert.deepEqual(JSON.parse((result.content as { text: string }[])[0]?.text ?? ''), result.structuredContent);
  await assert.rejects(client.callTool({ name: 'nope' }), { code: -32602, message: /unknown tool "nope"/ });
  surface.invoker.script = () => {
    throw new InvocationFailure('effects-unrecorded', 'mcp:ep1:t', 'lost');
  };
  await assert.rejects(client.callTool({ name: 'ailang-read' }), {
    code: -32603,
    message: /host callback failed/,
    data: { reason: 'effects-unrecorded', invocationId: 'mcp:ep1:t', effectRecords: [] },
  });
});

test('sixteen official clients call at one time without a refusal', async (t) => {
  const surface = await startSurface(t);
  const clients = Array.from({ length: 16 }, () => sdkClient(surface.url));
  atEnd(t, () => Promise.all(clients.map(({ client }) => client.close())));
  await Promise.all(clients.map(({ client, transport }) => client.connect(transport)));
  surface.invoker.script = (call) => ({ n: call.args.n ?? null });
  const results = await Promise.all(
    clients.flatMap(({ client }, c) =>
      [0, 1, 2].map(async (k) => {
        const n = c * 3 + k;
        const result = await client.callTool({ name: 'ailang-read', arguments: { n } });
        return [n, result.structuredContent];
      }),
    ),
  );
  for (const [n, content] of results) assert.deepEqual(content, { n });
});

test('the official client with a wrong token gives up', async (t) => {
  const surface = await startSurface(t);
  const { client, transport } = sdkClient(surface.url, '0'.repeat(64));
  await assert.rejects(client.connect(transport), /unknown session credential/);
});

const noCurl = spawnSync('curl', ['--version']).error === undefined ? false : 'curl is not installed';

test('curl as the operating guide shows it, without a handshake', { skip: noCurl }, async (t) => {
  const surface = await startSurface(t);
  const { stdout } = await promisify(execFile)('curl', [
    '-s',
    '-H',
    `Authorization: Bearer ${TOKEN}`,
    '-H',
    'Content-Type: application/json',
    '-H',
    'Accept: application/json, text/event-stream',
    '-d',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ailang-read","arguments":{"path":"hello.ail"}}}',
    `${surface.url}/mcp/`,
  ]);
  const [event, data, ...rest] = stdout.split('\n');
  assert.deepEqual([event, rest], ['event: message', ['', '']]);
  assert.equal(JSON.parse(data?.replace(/^data: /, '') ?? '').result.structuredContent.ok, true);
  assert.deepEqual(surface.invoker.started[0]?.args, { path: 'hello.ail' });
});

test('curl with a body of 3 MB, which it announces with Expect', { skip: noCurl }, async (t) => {
  const surface = await startSurface(t);
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'ailang-write', arguments: { content: 'x'.repeat(3 << 20) } },
  });
  const child = execFile('curl', [
    '-s',
    ...['-H', `Authorization: Bearer ${TOKEN}`, '-H', 'Content-Type: application/json'],
    ...['-H', 'Accept: application/json, text/event-stream', '-H', 'Expect: 100-continue'],
    ...['--data-binary', '@-', `${surface.url}/mcp/`],
  ]);
  child.stdin?.end(body);
  let stdout = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  await new Promise((resolve) => child.once('close', resolve));
  assert.match(stdout, /^event: message\ndata: .*"ok":true/);
});
