import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvocationFailure } from '../../src/invocation/failure.js';
import type { InvocationFailureKind } from '../../src/invocation/types.js';
import type { Sha256Ref } from '../../src/log/types.js';
import {
  ask,
  EXPIRED,
  gate,
  READER,
  SESSION,
  type Surface,
  startSurface,
  TOKEN,
  until,
} from '../http/surface-double.js';

const BEARER = { Authorization: `Bearer ${TOKEN}` };

const send = (params: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, method: 'tasks/send', params });
const task = (
  data: unknown = { path: 'a' },
  metadata: object = { skill_id: 'ailang-read' },
  id: unknown = 'task-1',
) => ({
  id,
  metadata,
  message: { role: 'user', parts: [{ type: 'data', data }] },
});

async function post(surface: Surface, message: unknown, headers: NodeJS.Dict<string> = BEARER) {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  const answer = await ask(surface, '/a2a/', { method: 'POST', headers, body });
  assert.equal(answer.status, 200);
  return JSON.parse(answer.text);
}

const rpcError = (id: unknown, code: number, message: string) => ({ jsonrpc: '2.0', id, error: { code, message } });

test('the card lists what the live grants allow, ids verbatim, in order', async (t) => {
  const surface = await startSurface(t);
  const answer = await ask(surface, '/.well-known/agent.json', { headers: BEARER });
  assert.equal(answer.status, 200);
  const { description, ...card } = JSON.parse(answer.text);
  assert.equal(typeof description, 'string');
  assert.deepEqual(card, {
    name: 'ailang-worldd',
    url: `${surface.url}/a2a/`,
    version: '0.1.0',
    capabilities: { streaming: false, pushNotifications: false, stateTransitionHistory: false },
    defaultInputModes: ['application/json'],
    defaultOutputModes: ['application/json'],
    skills: ['ailang-check', 'ailang-read', 'ailang-write'].map((id) => ({
      id,
      name: `Title of ${id}`,
      description: `Does ${id}`,
      tags: [],
      examples: [],
    })),
  });
  const reader = await ask(surface, '/.well-known/agent.json', { headers: { Authorization: `Bearer ${READER}` } });
  assert.equal(JSON.parse(reader.text).skills.length, 1);
});

for (const [authorization, status, errorClass] of [
  [undefined, 401, 'SessionAbsent'],
  ['Bearer x', 400, 'InvalidSession'],
  [`Bearer ${'0'.repeat(64)}`, 401, 'SessionUnknown'],
  [`Bearer ${EXPIRED}`, 401, 'SessionExpired'],
] as const) {
  test(`the card answers ${errorClass} with ${status} in the envelope`, async (t) => {
    const surface = await startSurface(t);
    const answer = await ask(surface, '/.well-known/agent.json', { headers: { Authorization: authorization } });
    assert.deepEqual([answer.status, JSON.parse(answer.text).error.class], [status, errorClass]);
    assert.equal(answer.headers['www-authenticate'], status === 401 ? 'Bearer' : undefined);
  });
}

test('a task is sent on as it came and answered with its entry', async (t) => {
  const surface = await startSurface(t);
  surface.invoker.script = () => ({ ok: true, content: 'x' });
  const reply = await post(
    surface,
    send(task({ z: 1, a: 2 }, { skill_id: 'ailang-read', transition_fn: 'sha256:1' }), 'q'),
  );
  assert.deepEqual(reply, {
    jsonrpc: '2.0',
    id: 'q',
    result: {
      id: 'task-1',
      status: { state: 'completed' },
      artifacts: [{ parts: [{ type: 'data', data: { ok: true, content: 'x' } }] }],
      metadata: { invocation_id: 'a2a:ep1:task-1', world_ref: `sha256:${'f'.repeat(64)}`, entry_index: 1 },
    },
  });
  const [call] = surface.invoker.started;
  assert.equal(JSON.stringify(call?.args), '{"z":1,"a":2}');
  assert.deepEqual(
    [call?.surface, call?.session, call?.taskId, call?.tool, call?.transitionFn],
    ['a2a', SESSION, 'task-1', 'ailang-read', 'sha256:1'],
  );
});

test('sessions that are denied: -32001, a malformed header -32600, before anything else', async (t) => {
  const surface = await startSurface(t);
  for (const [authorization, code, message] of [
    [undefined, -32001, 'session credential is absent: send Authorization: Bearer <session-credential>'],
    ['Bearer x', -32600, 'malformed Authorization header: expected Bearer <64-hex-credential>'],
    [`Bearer ${'0'.repeat(64)}`, -32001, 'unknown session credential'],
    [`Bearer ${EXPIRED}`, -32001, 'session credential has expired'],
  ] as const) {
    const headers = { Authorization: authorization };
    assert.deepEqual(await post(surface, { id: 4, method: 'x' }, headers), rpcError(4, code, message));
    assert.deepEqual(await post(surface, 'no json', headers), rpcError(null, code, message));
  }
});

test('no JSON-RPC request: -32600; another method: -32601', async (t) => {
  const surface = await startSurface(t);
  for (const body of [
    '',
    '{',
    '[]',
    '5',
    '{"id":1,"method":"tasks/send"}',
    '{"jsonrpc":"2.0","method":"tasks/send"}',
  ]) {
    const { error } = await post(surface, body);
    assert.deepEqual(error, { code: -32600, message: 'invalid JSON-RPC request' }, body);
  }
  for (const method of ['tasks/get', 'tasks/cancel', 'message/send', 'tools/call']) {
    const reply = await post(surface, { jsonrpc: '2.0', id: 0, method, params: {} });
    assert.deepEqual(reply, rpcError(0, -32601, 'method not found'));
  }
});

test('every malformed form of the params is -32602 invalid params and starts nothing', async (t) => {
  const surface = await startSurface(t);
  const good = task();
  const part = good.message.parts[0];
  const cases: readonly unknown[] = [
    undefined,
    [],
    { ...good, id: undefined },
    { ...good, id: '' },
    { ...good, id: 'a/b' },
    { ...good, id: 'x'.repeat(129) },
    { ...good, id: 5 },
    { ...good, metadata: undefined },
    { ...good, metadata: { skill_id: 5 } },
    { ...good, metadata: { skill_id: 'ailang-read', transition_fn: 5 } },
    { ...good, message: undefined },
    { ...good, message: { parts: [] } },
    { ...good, message: { parts: [part, part] } },
    { ...good, message: { parts: [{ type: 'text', text: 'x' }] } },
    task([]),
    task(null),
    task('text'),
  ];
  for (const params of cases) {
    assert.deepEqual(await post(surface, send(params)), rpcError(1, -32602, 'invalid params'), JSON.stringify(params));
  }
  const duplicate = JSON.stringify(send(task())).replace('"path":"a"', '"path":"a","path":"b"');
  assert.deepEqual(await post(surface, duplicate), rpcError(1, -32602, 'invalid params'));
  assert.equal(surface.invoker.started.length, 0);
});

test('a skill that is unknown or not granted is -32602 not authorized', async (t) => {
  const surface = await startSurface(t);
  const headers = { Authorization: `Bearer ${READER}` };
  for (const skill of ['ailang-write', 'nothing']) {
    const reply = await post(surface, send(task({}, { skill_id: skill })), headers);
    assert.deepEqual(reply, rpcError(1, -32602, 'not authorized'));
  }
  assert.equal(surface.invoker.started.length, 0);
});

const RECORD = `sha256:${'9'.repeat(64)}` as Sha256Ref;
const FAILURES: readonly (readonly [InvocationFailureKind, number, string])[] = [
  ['invalid-call', -32602, 'invalid params'],
  ['unknown-tool', -32602, 'not authorized'],
  ['transition-mismatch', -32602, 'proposal does not match the registered transition'],
  ['in-flight', -32602, 'task id already used in this session'],
  ['id-used', -32602, 'task id already used in this session'],
  ['unsupported-effect', -32603, 'transition declares an effect this daemon has no handler for'],
  ['world-absent', -32603, 'no world is selected; commit a genesis world first'],
  ['execution', -32603, 'transition execution failed'],
  ['output', -32603, 'transition output is not a JSON object'],
  ['deadline', -32603, 'invocation exceeded its deadline'],
  ['unconfirmed', -32603, 'invocation outcome is not confirmed; resend the same task id'],
  ['not-committed', -32603, 'invocation was not committed; send a new task id'],
  ['capacity', -32603, 'transition invocation is not available in this daemon'],
];
for (const [kind, code, message] of FAILURES) {
  test(`${kind} is ${code} "${message}"; with effect records those are named first`, async (t) => {
    const surface = await startSurface(t);
    let effectRecords: readonly Sha256Ref[] = [];
    surface.invoker.script = () => {
      throw new InvocationFailure(kind, 'a2a:ep1:task-1', 'why\nso', { effectRecords, cause: new Error('inner') });
    };
    assert.deepEqual(await post(surface, send(task())), rpcError(1, code, message));
    assert.deepEqual(surface.reports, ['ailang-worldd: a2a refusal: tasks/send a2a:ep1:task-1: "why\\nso: inner"']);
    effectRecords = [RECORD, RECORD];
    const unrecorded = `effects were requested but the invocation was not confirmed committed; effect records: ${RECORD} ${RECORD}`;
    assert.deepEqual(await post(surface, send(task())), rpcError(1, -32603, unrecorded));
  });
}

test('an unforeseen error proves nothing and says nothing', async (t) => {
  const surface = await startSurface(t);
  surface.invoker.script = () => {
    throw new TypeError('secret');
  };
  const message = 'invocation outcome is not confirmed; resend the same task id';
  assert.deepEqual(await post(surface, send(task())), rpcError(1, -32603, message));
});

test('a task past its deadline is answered, its connection closed, and the call goes on', async (t) => {
  const surface = await startSurface(t, { answerMs: 40 });
  const { opened, open } = gate();
  surface.invoker.script = async () => {
    await opened;
    return { ok: true };
  };
  const body = JSON.stringify(send(task(), 9));
  const answer = await ask(surface, '/a2a/', { method: 'POST', headers: BEARER, body });
  assert.equal(answer.headers.connection, 'close');
  assert.deepEqual(JSON.parse(answer.text), rpcError(9, -32603, 'invocation exceeded its deadline'));
  open();
  await until(() => surface.invoker.ended.length === 1);
});
