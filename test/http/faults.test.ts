import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { ask, MCP_HEADERS, postMcp, startSurface, TOKEN, toolCall } from './surface-double.js';

/** Sends a header by hand and returns everything the server says until it closes. */
function raw(port: number, head: string, feed?: (write: (chunk: Buffer) => boolean) => Promise<void>): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
    socket.write(head);
    void feed?.((chunk) => !socket.destroyed && socket.write(chunk));
  });
}

const mcpHead = (port: number, extra: string) =>
  `POST /mcp/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\n` +
  `Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n${extra}\r\n`;

test('an announced body of 1 GiB is refused before it is sent', async (t) => {
  const surface = await startSurface(t);
  const text = await raw(surface.port, mcpHead(surface.port, `Content-Length: ${2 ** 30}\r\n`));
  assert.match(text, /^HTTP\/1\.1 413 /);
  assert.match(text, /PayloadTooLarge/);
  assert.match(text, /\r\nConnection: close\r\n/);
});

test('a streamed body of 1 GiB is refused at 4 MiB and memory stays flat', async (t) => {
  const surface = await startSurface(t);
  const chunk = Buffer.alloc(1 << 20, 0x61);
  const before = process.memoryUsage().rss;
  let sent = 0;
  const text = await raw(surface.port, mcpHead(surface.port, 'Transfer-Encoding: chunked\r\n'), async (write) => {
    const framed = Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]);
    while (sent < 1024) {
      if (!write(framed)) await new Promise((resolve) => setTimeout(resolve, 1));
      sent += 1;
    }
  });
  assert.match(text, /^HTTP\/1\.1 413 /);
  assert.ok(process.memoryUsage().rss - before < 400 * 2 ** 20, 'the body was kept in memory');
  assert.equal((await ask(surface, '/v1/health')).status, 200);
});

test('a body that trickles is given up on', async (t) => {
  const surface = await startSurface(t, { requestMs: 50 });
  const text = await raw(surface.port, mcpHead(surface.port, 'Content-Length: 100\r\n'));
  assert.match(text, /^HTTP\/1\.1 408 /);
  assert.match(text, /\r\nConnection: close\r\n/);
});

test('bodies of all requests together are bounded', async (t) => {
  const surface = await startSurface(t, { bodiesTotal: 100 });
  assert.equal((await postMcp(surface, 'x'.repeat(200))).status, 503);
  assert.equal((await postMcp(surface, '{}')).status, 400);
});

test('A2A takes 1 MiB, MCP 4 MiB', async (t) => {
  const surface = await startSurface(t);
  const headers = MCP_HEADERS;
  const text = 'x'.repeat(1 << 20);
  assert.equal((await ask(surface, '/a2a/', { method: 'POST', headers, body: text })).status, 200);
  assert.equal((await ask(surface, '/a2a/', { method: 'POST', headers, body: `${text}y` })).status, 413);
  assert.equal((await postMcp(surface, toolCall({ text: text.repeat(3) }))).status, 200);
  assert.equal((await postMcp(surface, toolCall({ text: text.repeat(4) }))).status, 413);
});

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const UNREADABLE: readonly (readonly [string, string | Buffer])[] = [
  ['two hundred thousand fields', `{${Array.from({ length: 200_000 }, (_, i) => `"${i}":1`).join(',')}}`],
  ['a million items', `[${'1,'.repeat(1_000_000)}1]`],
  ['JSON of half a million levels', deep(500_000)],
  ['arrays of a million levels', '['.repeat(1_000_000)],
  ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['a NUL byte', '{"jsonrpc":"2.0","id":1,"method":"ping\0"}'],
  ['a byte order mark', '\uFEFF{}'],
  ['nothing', ''],
  ['two values', '{}{}'],
];
for (const [name, body] of UNREADABLE) {
  test(`MCP answers ${name} with a parse error`, async (t) => {
    const surface = await startSurface(t);
    const answer = await postMcp(surface, body);
    assert.equal(answer.status, 400);
    const reply = JSON.parse(answer.text);
    assert.deepEqual([reply.id, reply.error.code], [null, -32700]);
    assert.match(reply.error.message, /^parse error: the body /);
    assert.equal((await postMcp(surface, toolCall({}))).status, 200);
  });
}

const FLAWED: readonly (readonly [string, string])[] = [
  ['"path":"a","path":"b"', 'invalid params: duplicate key "path"'],
  ['"__proto__":{"path":"x"}', 'invalid params: the key "__proto__" is not allowed'],
  ['"\\u005f_proto__":1', 'invalid params: the key "__proto__" is not allowed'],
  ['"n":9007199254740993', 'invalid params: the number 9007199254740993 cannot be kept exactly'],
  ['"n":1e400', 'invalid params: the number 1e400 cannot be kept exactly'],
  ['"path":"\\ud83d"', 'invalid params: a string holds a lone surrogate'],
];
for (const [args, message] of FLAWED) {
  test(`arguments {${args}} are refused, not changed`, async (t) => {
    const surface = await startSurface(t);
    const answer = await postMcp(
      surface,
      `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"ailang-read","arguments":{${args}}}}`,
    );
    assert.equal(answer.status, 200);
    assert.deepEqual(JSON.parse(answer.text), { jsonrpc: '2.0', id: 7, error: { code: -32602, message } });
    assert.equal(surface.invoker.started.length, 0);
  });
}

test('an escaped NUL and a surrogate pair are text like any other', async (t) => {
  const surface = await startSurface(t);
  await postMcp(surface, toolCall({ content: 'a\0b😀' }));
  assert.deepEqual(surface.invoker.started[0]?.args, { content: 'a\0b😀' });
});
