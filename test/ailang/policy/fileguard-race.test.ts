import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { FileGuard } from '../../../src/ailang/policy/fileguard/fileguard.js';
import { GuardError } from '../../../src/ailang/policy/fileguard/guard-error.js';
import { protection } from '../../../src/ailang/policy/protect.js';
import { atEnd } from '../../cleanup.js';
import { sandbox } from './scratch.js';

/** Swaps `d` between a real directory and a link out of the root, as fast as it can. */
const swapper = `
const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
const { workerData } = require('node:worker_threads');
const { d, away, evil, stop } = workerData;
const flag = new Int32Array(stop);
for (;;) {
  renameSync(d, away);
  symlinkSync(evil, d);
  unlinkSync(d);
  renameSync(away, d);
  Atomics.add(flag, 1, 1);
  if (Atomics.load(flag, 0) === 1) break;
}`;

test('a parent swapped for a link while files are read, written and created never leads outside', async (t) => {
  const { root, outside } = sandbox(t, { 'd/f.txt': 'inside' });
  const evil = join(outside, 'evil');
  mkdirSync(evil);
  writeFileSync(join(evil, 'f.txt'), 'OUTSIDE');
  const guard = new FileGuard(root, protection([], true));
  atEnd(t, () => guard.close());
  const stop = new SharedArrayBuffer(8);
  const flag = new Int32Array(stop);
  const worker = new Worker(swapper, {
    eval: true,
    workerData: { d: join(root, 'd'), away: join(root, 'away'), evil, stop },
  });
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  await new Promise((resolve) => worker.once('online', resolve));
  let succeeded = 0;
  const attempt = (work: () => void): void => {
    try {
      work();
      succeeded++;
    } catch (error) {
      assert.ok(error instanceof GuardError, String(error));
    }
  };
  const until = performance.now() + 1500;
  for (let round = 0; performance.now() < until; round++) {
    attempt(() => assert.match(guard.readFile('d/f.txt', 0).toString(), /^(inside)?$/));
    attempt(() => guard.writeFile('d/f.txt', Buffer.from('inside')));
    attempt(() => guard.writeFile(`d/new-${round % 7}.txt`, Buffer.from('inside')));
  }
  Atomics.store(flag, 0, 1);
  await exited;
  assert.ok(flag[1]! > 10, 'the swap happened');
  assert.ok(succeeded > 10, 'some operations went through');
  assert.deepEqual(readdirSync(evil), ['f.txt']);
  assert.equal(readFileSync(join(evil, 'f.txt'), 'utf8'), 'OUTSIDE');
  assert.ok(existsSync(join(root, 'd/f.txt')));
});
