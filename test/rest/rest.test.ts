import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refOf } from '../http/log-double.js';
import { ask, type Surface, startSurface } from '../http/surface-double.js';

async function get(surface: Surface, path: string) {
  const answer = await ask(surface, path);
  return { status: answer.status, body: JSON.parse(answer.text) };
}
const envelope = (status: number, errorClass: string, message: string) => ({
  status,
  body: { error: { class: errorClass, message } },
});

const ENTRY = {
  'record.json': '{"invocationId":"mcp:ep1:t"}',
  'input.json': '{"path":"a"}',
  'plan.json': '{"effects":[]}',
  'output.json': '{"ok":true}',
  'effects/e1/record.json': '{"effect":"Workspace.Read"}',
  'effects/e1/request': 'binary\0request',
  'effects/e1/result.json': '{"content":"é"}',
};

test('health tells versions, the repository, the world and its ref', async (t) => {
  const surface = await startSurface(t);
  assert.deepEqual(await get(surface, '/v1/health'), {
    status: 200,
    body: {
      status: 'ok',
      daemon_version: '0.1.0',
      db_path: '/repo/.git',
      interpreter_ref: `sha256:${'7'.repeat(64)}`,
      interpreter_version: 'v0.52.1',
      repository: '/repo/.git',
      world_id: '0123456789abcdef',
      ref: 'refs/world/log',
    },
  });
});

test('head is the world ref as plain text', async (t) => {
  const surface = await startSurface(t);
  surface.log.add(ENTRY);
  const { worldRef } = surface.log.add(ENTRY);
  const answer = await ask(surface, '/v1/head');
  assert.deepEqual([answer.status, answer.text], [200, worldRef]);
  assert.match(String(answer.headers['content-type']), /^text\/plain/);
});

test('log pages ascend, default to 100, hold at most 500, and end at the head', async (t) => {
  const surface = await startSurface(t);
  for (let i = 0; i < 502; i++) surface.log.add({ 'output.json': `{"n":${i}}` });
  const page = async (query: string) => (await get(surface, `/v1/log${query}`)).body.items;
  assert.equal((await page('')).length, 100);
  assert.equal((await page('?limit=0')).length, 100);
  assert.equal((await page('?limit=-3')).length, 100);
  assert.equal((await page('?limit=9999')).length, 500);
  assert.deepEqual(
    (await page('?from=500&limit=5')).map((entry: { header: { entryIndex: number } }) => entry.header.entryIndex),
    [500, 501],
  );
  assert.deepEqual(await page('?from=5000'), []);
  for (const query of ['?from=-1', '?from=x', '?from=1.5', '?from=', '?from=1&from=2']) {
    assert.deepEqual(
      await get(surface, `/v1/log${query}`),
      envelope(400, 'BadRequest', 'from must be a non-negative integer'),
    );
  }
  assert.equal((await get(surface, '/v1/log?limit=many')).status, 400);
});

test('one entry is {header, entryHash, transitionRef}', async (t) => {
  const surface = await startSurface(t);
  const { wire } = surface.log.add(ENTRY);
  assert.deepEqual(await get(surface, '/v1/log/0'), { status: 200, body: wire });
  assert.deepEqual(Object.keys((await get(surface, '/v1/log/0')).body), ['header', 'entryHash', 'transitionRef']);
  assert.deepEqual(await get(surface, '/v1/log/1'), envelope(404, 'NotFound', 'log entry not found'));
  for (const index of ['x', '-1', '1.0', '99999999999999999999', '%00']) {
    const refused = envelope(400, 'BadRequest', 'log index must be a non-negative integer');
    assert.deepEqual(await get(surface, `/v1/log/${index}`), refused);
  }
});

for (const [path, semanticId, provenance] of [
  ['record.json', 'world/invocation-record/v2', 'host/coordinator'],
  ['input.json', 'world/invocation-input/v1', 'host/coordinator'],
  ['plan.json', 'world/effect-plan/v1', 'host/coordinator'],
  ['output.json', 'world/invocation-output/v1', 'host/coordinator'],
  ['effects/e1/record.json', 'world/effect-record/v1', 'host/broker'],
  ['effects/e1/request', 'world/effect-request/v1', 'host/broker'],
  ['effects/e1/result.json', 'world/effect-result/v1', 'host/broker'],
] as const) {
  test(`the object of ${path} is a ${semanticId}; its bytes come when asked for`, async (t) => {
    const surface = await startSurface(t);
    surface.log.add({ 'output.json': '{}' });
    surface.log.add(ENTRY);
    const hash = refOf(ENTRY[path]);
    const object = { hash, interfaceHash: refOf(semanticId), semanticId, provenance };
    assert.deepEqual(await get(surface, `/v1/objects/${hash}`), { status: 200, body: object });
    const payload = Buffer.from(ENTRY[path]).toString('base64');
    assert.deepEqual((await get(surface, `/v1/objects/${hash}?payload=true`)).body, { ...object, payload });
    assert.deepEqual((await get(surface, `/v1/objects/${hash}?payload=false`)).body, object);
    assert.equal((await get(surface, `/v1/objects/${hash}?payload=maybe`)).status, 400);
  });
}

test('bytes that do not hash to the ref are never served', async (t) => {
  const surface = await startSurface(t);
  const { entryHash } = surface.log.add(ENTRY);
  for (const ref of [entryHash, refOf('nothing')]) {
    assert.deepEqual(await get(surface, `/v1/objects/${ref}`), envelope(404, 'NotFound', 'object not found'));
  }
});

test('a world is found by its ref', async (t) => {
  const surface = await startSurface(t);
  const { worldRef, world } = surface.log.add(ENTRY);
  assert.deepEqual(await get(surface, `/v1/worlds/${worldRef}`), { status: 200, body: { ref: worldRef, ...world } });
  const absent = envelope(404, 'NotFound', 'world not found');
  assert.deepEqual(await get(surface, `/v1/worlds/${refOf(ENTRY['plan.json'])}`), absent);
});

test('a malformed ref is 400 and names the field', async (t) => {
  const surface = await startSurface(t);
  for (const ref of ['x', 'sha256:abc', `SHA256:${'a'.repeat(64)}`, `sha256:${'A'.repeat(64)}`, '%E0%A4']) {
    const refused = envelope(400, 'BadRequest', 'ref must be sha256: and 64 lower-case hex digits');
    assert.deepEqual(await get(surface, `/v1/objects/${ref}`), refused);
    assert.deepEqual(await get(surface, `/v1/worlds/${ref}`), refused);
  }
});

test('a read that fails is 500 with a fixed text, its cause told to the operator only', async (t) => {
  const surface = await startSurface(t);
  surface.log.fault = () => Promise.reject(new Error('pack is torn'));
  assert.deepEqual(await get(surface, '/v1/log/0'), envelope(500, 'Internal', 'internal store failure'));
  assert.deepEqual(surface.reports, ['ailang-worldd: GET /v1/log/:index failed: "pack is torn"']);
});

test('a read that does not end is 503', async (t) => {
  const surface = await startSurface(t, { readMs: 20 });
  surface.log.fault = () => new Promise(() => {});
  const { status, body } = await get(surface, '/v1/log');
  assert.deepEqual([status, body.error.class], [503, 'Timeout']);
});
