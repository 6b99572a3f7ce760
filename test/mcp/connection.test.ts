import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, dataOf, EXPIRED, MCP_HEADERS, postMcp, READER, startSurface, toolCall } from '../http/surface-double.js';

const initialize = (protocolVersion: string, id: string | number = 0) => ({
  jsonrpc: '2.0',
  id,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

test('1: server/discover of a later revision is answered at once with 400 and its own id', async (t) => {
  const surface = await startSurface(t);
  const discover = { jsonrpc: '2.0', id: 'disc-1', method: 'server/discover', params: {} };
  const answer = await postMcp(surface, discover, { 'MCP-Protocol-Version': '2026-07-28' });
  assert.equal(answer.status, 400);
  const error = { code: -32601, message: 'method not found: "server/discover"' };
  assert.deepEqual(JSON.parse(answer.text), { jsonrpc: '2.0', id: 'disc-1', error });
  const known = await postMcp(surface, discover);
  assert.equal(known.status, 200);
  assert.deepEqual(dataOf(known), { jsonrpc: '2.0', id: 'disc-1', error });
});

for (const [asked, answered] of [
  ['2024-11-05', '2025-03-26'],
  ['2024-10-07', '2025-03-26'],
  ['2025-03-26', '2025-03-26'],
  ['2025-06-18', '2025-06-18'],
  ['2025-11-25', '2025-11-25'],
  ['2026-07-28', '2025-11-25'],
  ['DRAFT-2027', '2025-11-25'],
] as const) {
  test(`2: initialize asked for ${asked} answers ${answered}`, async (t) => {
    const surface = await startSurface(t);
    const reply = dataOf(await postMcp(surface, initialize(asked))) as { result: Record<string, unknown> };
    assert.equal(reply.result.protocolVersion, answered);
    assert.deepEqual(reply.result.capabilities, { tools: { listChanged: false } });
    assert.deepEqual(reply.result.serverInfo, { name: 'ailang-world', version: '0.1.0' });
    assert.match(String(reply.result.instructions), /refusal is a normal result/);
  });
}

test('3: the three versions and none are served, another is refused at once with a JSON-RPC error', async (t) => {
  const surface = await startSurface(t);
  for (const version of ['2025-11-25', '2025-06-18', '2025-03-26', undefined]) {
    const answer = await postMcp(surface, toolCall({}), { 'MCP-Protocol-Version': version });
    assert.equal(answer.status, 200, version);
  }
  for (const version of ['2024-11-05', '2027-01-01', '']) {
    const answer = await postMcp(surface, toolCall({}, 5), { 'MCP-Protocol-Version': version });
    assert.equal(answer.status, 400, version);
    const reply = JSON.parse(answer.text);
    assert.deepEqual([reply.id, reply.error.code], [5, -32600]);
  }
  assert.equal(surface.invoker.started.length, 4);
});

test('4: id 0, negative and string ids are echoed with their type', async (t) => {
  const surface = await startSurface(t);
  for (const id of [0, -1, 2 ** 53 - 1, '0', '', 'a\u2028b']) {
    const reply = dataOf(await postMcp(surface, { jsonrpc: '2.0', id, method: 'ping' })) as { id: unknown };
    assert.deepEqual(reply, { jsonrpc: '2.0', id, result: {} });
  }
});

test('4: many clients may use id 0 at one time and each gets its own answer', async (t) => {
  const surface = await startSurface(t);
  const answers = await Promise.all(
    Array.from({ length: 16 }, async (_, n) => {
      surface.invoker.script = (call) => ({ echo: call.args.n ?? null });
      return dataOf(await postMcp(surface, toolCall({ n }, 0))) as { result: { structuredContent: unknown } };
    }),
  );
  answers.forEach((answer, n) => {
    assert.deepEqual(answer.result.structuredContent, { echo: n });
  });
});

test('5: Accept may list its types in any order and with parameters, but must list both', async (t) => {
  const surface = await startSurface(t);
  const good = ['text/event-stream, application/json', 'application/json;q=0.9,TEXT/EVENT-STREAM;q=0.1, */*'];
  for (const Accept of good) assert.equal((await postMcp(surface, toolCall({}), { Accept })).status, 200, Accept);
  for (const Accept of ['application/json', 'text/event-stream', '*/*', undefined]) {
    const answer = await postMcp(surface, toolCall({}), { Accept });
    assert.equal(answer.status, 400);
    assert.equal(answer.text, 'Accept must list both application/json and text/event-stream');
  }
  const charset = { 'Content-Type': 'application/json; charset=utf-8' };
  assert.equal((await postMcp(surface, toolCall({}), charset)).status, 200);
  for (const type of ['text/plain', 'application/jsonp', undefined]) {
    const answer = await postMcp(surface, toolCall({}), { 'Content-Type': type, Accept: 'x/y' });
    assert.equal(answer.status, 400);
    assert.equal(answer.text, 'Content-Type must be application/json');
  }
});

test('6: notifications and responses are 202 with an empty body', async (t) => {
  const surface = await startSurface(t);
  for (const message of [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 99 } },
    { jsonrpc: '2.0', method: 'notifications/nobody-knows', params: { a: 1 } },
    { jsonrpc: '2.0', id: 3, result: {} },
    { jsonrpc: '2.0', id: null, error: { code: -1, message: 'no' } },
  ]) {
    const answer = await postMcp(surface, message);
    assert.deepEqual([answer.status, answer.text], [202, ''], JSON.stringify(message));
  }
});

test('7, 8: GET and DELETE are judged by the bearer first, then 405', async (t) => {
  const surface = await startSurface(t);
  for (const method of ['GET', 'DELETE']) {
    const good = await ask(surface, '/mcp/', { method, headers: { ...MCP_HEADERS, Accept: 'text/event-stream' } });
    assert.deepEqual([good.status, good.headers.allow], [405, 'POST']);
    const none = await ask(surface, '/mcp', { method });
    assert.deepEqual([none.status, none.headers['www-authenticate']], [401, 'Bearer']);
  }
});

test('9: no session id is issued, and one that a client sends is ignored', async (t) => {
  const surface = await startSurface(t);
  const answer = await postMcp(surface, initialize('2025-06-18'), { 'Mcp-Session-Id': 'from-another-life' });
  assert.deepEqual([answer.status, answer.headers['mcp-session-id']], [200, undefined]);
});

test('10: a reply is exactly one event with one data line, a 2028 line separator included', async (t) => {
  const surface = await startSurface(t);
  surface.invoker.script = () => ({ stdout: 'a\nb\r\u2028\0\u001b[31m😀' });
  const answer = await postMcp(surface, toolCall({}));
  assert.equal(answer.headers['content-type'], 'text/event-stream');
  const reply = dataOf(answer) as { result: { structuredContent: unknown } };
  assert.deepEqual(reply.result.structuredContent, { stdout: 'a\nb\r\u2028\0\u001b[31m😀' });
});

test('11: /mcp and /mcp/ are one route', async (t) => {
  const surface = await startSurface(t);
  const body = JSON.stringify(toolCall({}));
  for (const path of ['/mcp', '/mcp/']) {
    assert.equal((await ask(surface, path, { method: 'POST', headers: MCP_HEADERS, body })).status, 200);
  }
});

test('12: a session that is denied gets the exact words and nothing else, whatever else is wrong', async (t) => {
  const surface = await startSurface(t);
  for (const [authorization, text] of [
    [undefined, 'session credential is absent: send Authorization: Bearer <session-credential>'],
    ['Basic abc', 'malformed Authorization header: expected Bearer <64-hex-credential>'],
    ['Bearer short', 'malformed Authorization header: expected Bearer <64-hex-credential>'],
    [`Bearer ${'0'.repeat(64)}`, 'unknown session credential'],
    [`Bearer ${EXPIRED}`, 'session credential has expired'],
  ] as const) {
    const wrong = { Authorization: authorization, 'Content-Type': 'text/plain', Accept: undefined };
    const answer = await postMcp(surface, 'not json', { ...wrong, 'MCP-Protocol-Version': 'x' });
    assert.deepEqual([answer.status, answer.text], [401, text]);
    assert.match(String(answer.headers['content-type']), /^text\/plain/);
    assert.equal(answer.headers['www-authenticate'], 'Bearer');
  }
});

test('14: ping answers {}, what is not advertised is -32601', async (t) => {
  const surface = await startSurface(t);
  for (const method of ['resources/list', 'prompts/list', 'tasks/send', 'completion/complete', 'constructor']) {
    const reply = dataOf(await postMcp(surface, { jsonrpc: '2.0', id: 1, method, params: { cursor: 7 } }));
    const error = { code: -32601, message: `method not found: "${method}"` };
    assert.deepEqual(reply, { jsonrpc: '2.0', id: 1, error });
  }
});

test('what is no JSON-RPC request is -32600 and never hangs', async (t) => {
  const surface = await startSurface(t);
  for (const message of [
    'true',
    '7',
    'null',
    '{}',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
    '{"jsonrpc":"2.0","id":null,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"method":5}',
  ]) {
    const answer = await postMcp(surface, message);
    assert.deepEqual([answer.status, JSON.parse(answer.text).error.code], [400, -32600], message);
  }
});

test('batches are served under the oldest version, in order, each call its own', async (t) => {
  const surface = await startSurface(t);
  const batch = [
    toolCall({ n: 1 }, 0),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    toolCall({ n: 2 }, 'b', 'no-such-tool'),
    5,
    toolCall({ n: 3 }, 'c', 'ailang-write'),
  ];
  const replies = dataOf(await postMcp(surface, batch)) as { id: unknown; error?: { code: number } }[];
  assert.deepEqual(
    replies.map(({ id, error }) => [id, error?.code]),
    [
      [0, undefined],
      ['b', -32602],
      [null, -32600],
      ['c', undefined],
    ],
  );
  assert.deepEqual(
    surface.invoker.started.map(({ args }) => args.n),
    [1, 3],
  );
  const ids = new Set(surface.invoker.started.map(({ taskId }) => taskId));
  assert.equal(ids.size, 2);
  const newer = await postMcp(surface, batch, { 'MCP-Protocol-Version': '2025-06-18' });
  assert.equal(newer.status, 400);
  assert.equal((await postMcp(surface, [])).status, 400);
  assert.equal((await postMcp(surface, [{ jsonrpc: '2.0', method: 'notifications/x' }])).status, 202);
});

test('a host failure in a batch answers the whole POST with one error', async (t) => {
  const surface = await startSurface(t);
  surface.invoker.script = (call) => {
    if (call.args.n === 2) throw new Error('disk on fire');
    return { ok: true };
  };
  const answer = await postMcp(surface, [toolCall({ n: 1 }, 1), toolCall({ n: 2 }, 2), toolCall({ n: 3 }, 3)]);
  assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'application/json']);
  const error = { code: -32603, message: 'host callback failed' };
  assert.deepEqual(JSON.parse(answer.text), { jsonrpc: '2.0', id: null, error });
  assert.equal(surface.invoker.started.length, 2);
});

test('15, 17, 21: tools/list holds what the live grants allow, with schemas, annotations and no cursor', async (t) => {
  const surface = await startSurface(t);
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: { progressToken: 1 } } };
  const all = (dataOf(await postMcp(surface, list)) as { result: { tools: Record<string, unknown>[] } }).result;
  assert.deepEqual(
    all.tools.map(({ name }) => name),
    ['ailang-check', 'ailang-read', 'ailang-write'],
  );
  assert.deepEqual(Object.keys(all), ['tools']);
  assert.equal((all.tools[0]?.outputSchema as { type: string } | undefined)?.type, 'object');
  assert.deepEqual(all.tools[1]?.annotations, {
    title: 'Title of ailang-read',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  });
  const reader = dataOf(await postMcp(surface, list, { Authorization: `Bearer ${READER}` })) as typeof all & {
    result: typeof all;
  };
  assert.deepEqual(
    reader.result.tools.map(({ name }) => name),
    ['ailang-read'],
  );
});
