import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { InvocationFailure } from '../../src/invocation/failure.js';
import type { InvocationFailureKind } from '../../src/invocation/types.js';
import type { Sha256Ref } from '../../src/log/types.js';
import { atEnd } from '../cleanup.js';
import {
  type Answer,
  dataOf,
  gate,
  MCP_HEADERS,
  postMcp,
  READER,
  SESSION,
  startSurface,
  TOKEN,
  toolCall,
  until,
} from '../http/surface-double.js';

interface CallReply {
  readonly id: unknown;
  readonly result: {
    readonly content: readonly { readonly type: string; readonly text: string }[];
    readonly structuredContent: unknown;
    readonly isError?: boolean;
    readonly _meta: Record<string, unknown>;
  };
}
const replyOf = (answer: Answer) => dataOf(answer) as CallReply;

test('a result holds the committed bytes as text and as structure, names its entry, and is no error', async (t) => {
  const surface = await startSurface(t);
  surface.invoker.script = () => ({ refused: 'missing required argument "path"', ok: false, z: 1, a: { c: 1, b: 2 } });
  const answer = await postMcp(surface, toolCall({}, 'x'));
  const { id, result } = replyOf(answer);
  const committed = '{"refused":"missing required argument \\"path\\"","ok":false,"z":1,"a":{"c":1,"b":2}}';
  assert.equal(id, 'x');
  assert.deepEqual(result.content, [{ type: 'text', text: committed }]);
  assert.ok(answer.text.includes(`"structuredContent":${committed}`), answer.text);
  assert.equal('isError' in result, false);
  const [call] = surface.invoker.started;
  assert.deepEqual(result._meta, {
    'ailang-world/entry': {
      index: 1,
      entryHash: `sha256:${'e'.repeat(64)}`,
      invocationId: `mcp:ep1:${call?.taskId}`,
    },
  });
  assert.match(call?.taskId ?? '', /^[0-9a-f]{64}$/);
  assert.deepEqual([call?.surface, call?.session, call?.transitionFn], ['mcp', SESSION, undefined]);
});

test('structure and text are the committed bytes themselves, not a second encoding', async (t) => {
  const surface = await startSurface(t);
  const committed = '{"n":12345678901234567890,"world":{"effects":[]}}';
  surface.invoker.bytes = Buffer.from(committed);
  const answer = await postMcp(surface, toolCall({}));
  assert.ok(answer.text.includes(`"structuredContent":${committed}`), answer.text);
  assert.equal(replyOf(answer).result.content[0]?.text, committed);
  surface.invoker.bytes = Buffer.from('{\n"ok":true}');
  surface.invoker.script = () => ({ ok: true });
  assert.deepEqual(replyOf(await postMcp(surface, toolCall({}))).result.structuredContent, { ok: true });
});

test('arguments reach the invoker as they were sent: order, types, odd keys', async (t) => {
  const surface = await startSurface(t);
  const args =
    '{"z":1,"path":"p","a":[1,{"y":null,"b":true}],"constructor":"c","toString":1,"":"e","n":9007199254740991}';
  await postMcp(
    surface,
    `{"id":1,"jsonrpc":"2.0","params":{"arguments":${args},"name":"ailang-read"},"method":"tools/call"}`,
  );
  assert.equal(JSON.stringify(surface.invoker.started[0]?.args), args);
});

test('absent arguments are {}, others than an object are invalid params', async (t) => {
  const surface = await startSurface(t);
  assert.equal((await postMcp(surface, toolCall(undefined))).status, 200);
  assert.deepEqual(surface.invoker.started[0]?.args, {});
  for (const args of [null, 'text', 5, []]) {
    const answer = await postMcp(surface, toolCall(args, 4));
    assert.equal(answer.status, 200);
    assert.deepEqual(dataOf(answer), {
      jsonrpc: '2.0',
      id: 4,
      error: { code: -32602, message: 'invalid params: arguments: must be an object' },
    });
  }
  for (const params of [undefined, [], 'x', {}, { name: 5 }]) {
    const answer = await postMcp(surface, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const { error } = dataOf(answer) as { error: { code: number; message: string } };
    assert.equal(error.code, -32602);
    assert.match(error.message, /^invalid params: /);
  }
  assert.equal(surface.invoker.started.length, 1);
});

test('22: any _meta, and a task wish, are accepted and ignored', async (t) => {
  const surface = await startSurface(t);
  for (const extra of [
    { _meta: { progressToken: 'p', 'claudecode/toolUseId': 't', sessionId: 1, threadId: {} } },
    { _meta: { progressToken: {}, 'io.modelcontextprotocol/related-task': { taskId: 'none' } } },
    { task: { ttl: 5 }, other: 1 },
  ]) {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ailang-read', ...extra } };
    assert.equal(replyOf(await postMcp(surface, message)).result.content.length, 1);
  }
});

test('an idempotency key in _meta becomes the task id; a malformed one is refused', async (t) => {
  const surface = await startSurface(t);
  const withKey = (key: unknown) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'ailang-read', _meta: { 'ailang-world/idempotency-key': key } },
  });
  await postMcp(surface, withKey('retry-1'));
  assert.equal(surface.invoker.started[0]?.taskId, 'retry-1');
  for (const key of ['', 'a/b', 'x'.repeat(129), 5]) {
    const { error } = dataOf(await postMcp(surface, withKey(key))) as { error: { code: number } };
    assert.equal(error.code, -32602);
  }
  assert.equal(surface.invoker.started.length, 1);
});

test('25: an unknown and an ungranted tool are the same -32602', async (t) => {
  const surface = await startSurface(t);
  const asReader = { Authorization: `Bearer ${READER}` };
  for (const name of ['ailang-write', 'no"tool']) {
    const answer = await postMcp(surface, toolCall({}, 2, name), asReader);
    assert.equal(answer.status, 200);
    const error = { code: -32602, message: `unknown tool ${JSON.stringify(name)}` };
    assert.deepEqual(dataOf(answer), { jsonrpc: '2.0', id: 2, error });
  }
});

const RECORD = `sha256:${'9'.repeat(64)}` as Sha256Ref;
const HOST_FAILURES: readonly (readonly [InvocationFailureKind, string])[] = [
  ['not-committed', 'host callback failed'],
  ['unconfirmed', 'host callback failed'],
  ['world-absent', 'host callback failed'],
  ['unsupported-effect', 'host callback failed'],
  ['execution', 'host callback failed'],
  ['output', 'host callback failed'],
  ['effects-unrecorded', 'host callback failed'],
  ['deadline', 'host callback timed out'],
  ['capacity', 'host callback capacity exceeded'],
];
for (const [kind, message] of HOST_FAILURES) {
  test(`a call that ends with ${kind} is plain JSON -32603 "${message}" with typed data and no cause`, async (t) => {
    const surface = await startSurface(t);
    surface.invoker.script = () => {
      throw new InvocationFailure(kind, 'mcp:ep1:task', 'inner\nmessage', {
        effectRecords: [RECORD],
        cause: new Error('secret cause'),
      });
    };
    const answer = await postMcp(surface, toolCall({}, 0));
    assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'application/json']);
    const data = { reason: kind, invocationId: 'mcp:ep1:task', effectRecords: [RECORD] };
    assert.deepEqual(JSON.parse(answer.text), { jsonrpc: '2.0', id: 0, error: { code: -32603, message, data } });
    assert.deepEqual(surface.reports, [
      `ailang-worldd: mcp refusal: tools/call mcp:ep1:task: "inner\\nmessage: secret cause: effect records: ${RECORD}"`,
    ]);
  });
}

test('an unforeseen error says nothing of itself on the wire', async (t) => {
  const surface = await startSurface(t);
  surface.invoker.script = () => {
    throw Object.assign(new TypeError('x is undefined'), { code: 42, data: { secret: 1 } });
  };
  const answer = await postMcp(surface, toolCall({}));
  const error = { code: -32603, message: 'host callback failed' };
  assert.deepEqual(JSON.parse(answer.text), { jsonrpc: '2.0', id: 1, error });
  assert.match(surface.reports[0] ?? '', /mcp refusal: tools\/call mcp:ep1:[0-9a-f]{64}: "x is undefined"$/);
});

test('26: calls of one session start in order of arrival even when the first body comes last', async (t) => {
  const surface = await startSurface(t);
  const body = JSON.stringify(toolCall({ content: 'x'.repeat(1000) }, 1, 'ailang-write'));
  const socket = connect(surface.port, '127.0.0.1');
  atEnd(t, () => socket.destroy());
  const headers = Object.entries(MCP_HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    `POST /mcp/ HTTP/1.1\r\nHost: 127.0.0.1:${surface.port}\r\nContent-Length: ${body.length}\r\n${headers.join('')}\r\n`,
  );
  socket.write(body.slice(0, 10));
  // A round trip on the same server: the write's header has been read by then.
  await postMcp(surface, { jsonrpc: '2.0', id: 1, method: 'ping' });
  const check = postMcp(surface, toolCall({}, 2, 'ailang-check'));
  const other = postMcp(surface, toolCall({}, 2), { Authorization: `Bearer ${READER}` });
  await other;
  assert.deepEqual(
    surface.invoker.started.map(({ tool }) => tool),
    ['ailang-read'],
  );
  socket.write(body.slice(10));
  await check;
  assert.deepEqual(
    surface.invoker.started.map(({ tool }) => tool),
    ['ailang-read', 'ailang-write', 'ailang-check'],
  );
});

test('26: a body that does not come loses its turn', async (t) => {
  const surface = await startSurface(t, { bodyTurnMs: 30 });
  const socket = connect(surface.port, '127.0.0.1');
  atEnd(t, () => socket.destroy());
  const headers = Object.entries(MCP_HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    `POST /mcp/ HTTP/1.1\r\nHost: 127.0.0.1:${surface.port}\r\nContent-Length: 9\r\n${headers.join('')}\r\n`,
  );
  await postMcp(surface, { jsonrpc: '2.0', id: 1, method: 'ping' });
  assert.equal((await postMcp(surface, toolCall({}))).status, 200);
});

test('27: neither a cancellation nor a destroyed socket stops a started call', async (t) => {
  const surface = await startSurface(t);
  const { opened, open } = gate();
  surface.invoker.script = async () => {
    await opened;
    return { ok: true };
  };
  const body = JSON.stringify(toolCall({}, 7, 'ailang-write'));
  const socket = connect(surface.port, '127.0.0.1');
  const headers = Object.entries(MCP_HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    `POST /mcp/ HTTP/1.1\r\nHost: 127.0.0.1:${surface.port}\r\nContent-Length: ${body.length}\r\n${headers.join('')}\r\n${body}`,
  );
  const kept = postMcp(surface, toolCall({}, 8, 'ailang-write'));
  await until(() => surface.invoker.started.length === 2);
  for (const requestId of [7, 8, 1, 2, 'unknown']) {
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason: 'timeout' } };
    assert.equal((await postMcp(surface, cancel)).status, 202);
  }
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.destroy();
  await gone;
  open();
  assert.equal(replyOf(await kept).id, 8);
  await until(() => surface.invoker.ended.length === 2);
  assert.deepEqual(surface.reports, []);
});

test('28: a POST is answered when its time is up; the call goes on', async (t) => {
  const surface = await startSurface(t, { answerMs: 40 });
  const { opened, open } = gate();
  surface.invoker.script = async () => {
    await opened;
    return { ok: true };
  };
  const answer = await postMcp(surface, toolCall({}, 3));
  const error = { code: -32603, message: 'host callback timed out', data: { reason: 'deadline' } };
  assert.deepEqual(JSON.parse(answer.text), { jsonrpc: '2.0', id: 3, error });
  open();
  await until(() => surface.invoker.ended.length === 1);
});

test('a call whose turn does not come in time is not started', async (t) => {
  const surface = await startSurface(t, { startMs: 30, bodyTurnMs: 5_000 });
  const socket = connect(surface.port, '127.0.0.1');
  atEnd(t, () => socket.destroy());
  const headers = Object.entries(MCP_HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    `POST /mcp/ HTTP/1.1\r\nHost: 127.0.0.1:${surface.port}\r\nContent-Length: 9\r\n${headers.join('')}\r\n`,
  );
  await postMcp(surface, { jsonrpc: '2.0', id: 1, method: 'ping' });
  const { error } = JSON.parse((await postMcp(surface, toolCall({}))).text);
  assert.deepEqual([error.message, error.data], ['host callback timed out', { reason: 'not-started' }]);
  assert.equal(surface.invoker.started.length, 0);
});

test('calls up to the bound are served together, the next is refused and nothing of it runs', async (t) => {
  const surface = await startSurface(t, { callsInFlight: 16 });
  const { opened, open } = gate();
  surface.invoker.script = async () => {
    await opened;
    return { ok: true };
  };
  const answers = Array.from({ length: 16 }, () => postMcp(surface, toolCall({}, 0)));
  await until(() => surface.invoker.started.length === 16);
  const refused = JSON.parse((await postMcp(surface, toolCall({}))).text);
  assert.deepEqual(refused.error, { code: -32603, message: 'host callback capacity exceeded' });
  open();
  for (const answer of await Promise.all(answers)) assert.equal(replyOf(answer).id, 0);
  assert.equal(surface.invoker.started.length, 16);
  assert.equal(replyOf(await postMcp(surface, toolCall({}))).id, 1);
});

test('no token is ever reported', async (t) => {
  const surface = await startSurface(t);
  surface.invoker.script = () => {
    throw new Error('failed');
  };
  await postMcp(surface, toolCall({}));
  await postMcp(surface, toolCall({}), { Accept: 'none' });
  await postMcp(surface, toolCall({}), { Host: 'evil.example' });
  assert.equal(surface.reports.length, 3);
  assert.ok(!surface.reports.join('\n').includes(TOKEN));
});
