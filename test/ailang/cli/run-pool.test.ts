import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { RunChild } from '../../../src/ailang/cli/run/child-process.js';
import { RunPool } from '../../../src/ailang/cli/run/run-pool.js';

/** Children that exist only by name. */
function fakeChildren(ready = true) {
  const made: { readonly child: RunChild; readonly end: () => void }[] = [];
  const start = (): RunChild => {
    let end = (): void => {};
    const ended = new Promise<{ code: number; signal: null }>((resolve) => {
      end = () => resolve({ code: 0, signal: null });
    });
    const child = { pid: made.length + 2, ready: Promise.resolve(ready), ended, kill: end } as unknown as RunChild;
    made.push({ child, end });
    if (!ready) end();
    return child;
  };
  return { made, start };
}

test('idle children are started at once; one that is given out has a successor when its run ends or takes long', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { made, start } = fakeChildren();
  const pool = new RunPool(start, 2);
  assert.equal(made.length, 2);
  const first = await pool.take(1000);
  assert.equal(first, made[0]?.child);
  assert.equal(made.length, 2, 'the run has the processor for itself');
  made[0]?.end();
  await setImmediate();
  assert.equal(made.length, 3);
  assert.notEqual(await pool.take(1000), first);
  assert.equal(made.length, 3);
  t.mock.timers.tick(100);
  assert.equal(made.length, 4);
});

test('only so many run at the same time; the next goes when one ends, or gives up', async () => {
  const { made, start } = fakeChildren();
  const pool = new RunPool(start, 2);
  for (let count = 0; count < 6; count++) await pool.take(1000);
  await assert.rejects(pool.take(5), { message: 'too many runs at the same time' });
  const next = pool.take(10_000);
  made[0]?.end();
  assert.ok(await next);
});

test('children that cannot start are an error, not a loop', async () => {
  const { made, start } = fakeChildren(false);
  const pool = new RunPool(start, 2);
  await assert.rejects(pool.take(1000), { message: 'no run child could be started' });
  assert.ok(made.length < 12);
});

test('a closed pool gives out nothing', async () => {
  const { start } = fakeChildren();
  const pool = new RunPool(start, 2);
  pool.close();
  await assert.rejects(pool.take(1000), { message: 'the toolchain is closed' });
});
