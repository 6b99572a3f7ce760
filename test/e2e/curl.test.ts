import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { HELLO, makeSandbox, startDaemon } from './world.js';

const run = promisify(execFile);

/** The request of AGENTS.md section 2, as a shell sends it. */
async function curl(url: string, token: string, body: unknown): Promise<{ event: string; data: unknown }> {
  const script =
    'curl -s -H "Authorization: Bearer $WORLD_SESSION" -H "Content-Type: application/json" ' +
    '-H "Accept: application/json, text/event-stream" -d "$BODY" "$URL"';
  const env = { PATH: process.env.PATH, WORLD_SESSION: token, BODY: JSON.stringify(body), URL: url };
  const { stdout } = await run('sh', ['-c', script], { env });
  const event = /^event: (.*)$/m.exec(stdout)?.[1] ?? '';
  return { event, data: JSON.parse(/^data: (.*)$/m.exec(stdout)?.[1] ?? 'null') };
}

test('curl works as AGENTS.md shows: no initialize, one SSE event', async (t) => {
  const daemon = await startDaemon(t, makeSandbox(t));
  const { event, data } = await curl(daemon.url, daemon.token, {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'ailang-read', arguments: { path: 'hello.ail' } },
  });
  assert.equal(event, 'message');
  const reply = data as { id: number; result: { structuredContent: { ok: boolean; content: string } } };
  assert.equal(reply.id, 1);
  assert.equal(reply.result.structuredContent.ok, true);
  assert.equal(reply.result.structuredContent.content, HELLO);

  const wrong = await run('sh', [
    '-c',
    `curl -s -w '%{http_code}' -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' -d "{}" ${daemon.url}`,
  ]);
  assert.equal(wrong.stdout, 'session credential is absent: send Authorization: Bearer <session-credential>401');
  assert.equal(await daemon.stop(), 0);
});

test('an A2A task id is an idempotency key', async (t) => {
  const sandbox = makeSandbox(t);
  const daemon = await startDaemon(t, sandbox);
  const base = daemon.address;
  const send = async (id: string, skill: string, data: unknown): Promise<unknown> => {
    const response = await fetch(`${base}/a2a/`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${daemon.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 7,
        method: 'tasks/send',
        params: { id, metadata: { skill_id: skill }, message: { role: 'user', parts: [{ type: 'data', data }] } },
      }),
    });
    assert.equal(response.status, 200);
    return response.json();
  };
  const args = { path: 'a.txt', content: 'once\n' };
  const first = (await send('task-1', 'ailang-write', args)) as {
    result: { artifacts: { parts: { data: { ok: boolean } }[] }[]; metadata: { entry_index: number } };
  };
  assert.equal(first.result.artifacts[0]?.parts[0]?.data.ok, true);
  assert.deepEqual(await send('task-1', 'ailang-write', args), first, 'resending returns the committed result');
  assert.deepEqual(await send('task-1', 'ailang-write', { path: 'a.txt', content: 'other' }), {
    jsonrpc: '2.0',
    id: 7,
    error: { code: -32602, message: 'task id already used in this session' },
  });
  const log = (await (await fetch(`${base}/v1/log?from=0`)).json()) as { items: unknown[] };
  assert.equal(log.items.length, first.result.metadata.entry_index + 1, 'one entry for three requests');
  assert.equal(await daemon.stop(), 0);
});
