import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from './client.js';
import { makeSandbox, startDaemon, worldd } from './world.js';

test('200 calls from 16 concurrent clients over 4 episodes: 200 entries, contiguous, budgets exact', async (t) => {
  const sandbox = makeSandbox(t);
  const daemon = await startDaemon(t, sandbox, { args: ['--budget', '20'] });
  const base = daemon.address;
  const tokens = [daemon.token];
  for (const episode of ['ep2', 'ep3', 'ep4']) {
    const out = join(sandbox.repository, '..', `${episode}.session`);
    const made = await worldd(sandbox, ['session', 'new', episode, '--budget', '20', '--out', out]);
    assert.equal(made.code, 0, made.stderr);
    tokens.push(readFileSync(out, 'utf8').trim());
  }
  const head = async (): Promise<number> => {
    let from = 0;
    for (;;) {
      const page = (await (await fetch(`${base}/v1/log?from=${from}&limit=500`)).json()) as { items: unknown[] };
      if (page.items.length === 0) return from;
      from += page.items.length;
    }
  };
  const before = await head();

  const statuses = new Map<string, number>();
  const client = async (number: number): Promise<void> => {
    const episode = number % 4;
    const world = await connect(t, { url: daemon.url, token: tokens[episode] ?? '' });
    // 4 clients an episode: 26 writes and 24 reads an episode, 200 calls in all.
    const calls = number < 8 ? 13 : 12;
    for (let call = 0; call < calls; call += 1) {
      const { world: block } =
        number < 8
          ? await world.call('ailang-write', { path: `${number}-${call}.txt`, content: `${call}\n` })
          : await world.call('ailang-read', { path: 'hello.ail' });
      const key = `${episode} ${number < 8 ? 'write' : 'read'} ${block.effects[0]?.status}`;
      statuses.set(key, (statuses.get(key) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, number) => client(number)));

  for (let episode = 0; episode < 4; episode += 1) {
    assert.equal(statuses.get(`${episode} write ok`), 20);
    assert.equal(statuses.get(`${episode} write denied`), 6);
    assert.equal(statuses.get(`${episode} read ok`), 20);
    assert.equal(statuses.get(`${episode} read denied`), 4);
  }
  assert.equal((await head()) - before, 200);
  assert.equal(await daemon.stop(), 0);

  const subjects = sandbox.git(
    'log',
    '--reverse',
    '--format=%(trailers:key=World-Index,valueonly,separator=)',
    'refs/world/log',
  );
  const indices = subjects.trim().split('\n').map(Number);
  assert.deepEqual(
    indices,
    indices.map((_, index) => index),
    'indices are contiguous from genesis',
  );
  assert.equal(indices.length, before + 200);
  sandbox.git('fsck', '--strict');
});
