import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FileSystem, nodeFileSystem } from '../../src/git/file-system.js';
import { type JournalFiles, nodeJournalFiles } from '../../src/log/journal.js';
import type { WorldLog } from '../../src/log/types.js';
import { assertHealthy, gitText, initRepository, logRef } from '../git/temporary-repository.js';
import { call, ep1, openSample } from './sample-log.js';

/** Fails every operation from the `from`-th on, until `heal` is called. */
class Fault {
  #count = 0;
  constructor(
    private from: number,
    private readonly code: string,
  ) {}

  heal(): void {
    this.from = Number.POSITIVE_INFINITY;
  }

  get struck(): boolean {
    return this.#count > this.from;
  }

  check(): void {
    if (this.#count++ >= this.from) throw Object.assign(new Error(`${this.code}: injected`), { code: this.code });
  }

  /** The same object, every method of it checked first, files that it opens included. */
  wrap<Files extends object>(files: Files): Files {
    return new Proxy(files, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function' || name === 'close')
          return typeof value === 'function' ? value.bind(target) : value;
        return async (...args: unknown[]) => {
          this.check();
          const result: unknown = await value.apply(target, args);
          return name === 'open' && typeof result === 'object' && result !== null ? this.wrap(result) : result;
        };
      },
    });
  }
}

/** Calls until one fails; answers the ids whose entry was acknowledged, and those whose intent was. */
async function callUntilFailure(log: WorldLog, name: string, limit: number) {
  const acknowledged: string[] = [];
  let failure: unknown = null;
  for (let i = 0; i < limit && failure === null; i++) {
    const id = `${name}-${i}`;
    await call(log, 'sha1', id).then(
      () => acknowledged.push(id),
      (error: unknown) => {
        failure = error;
      },
    );
  }
  return { acknowledged, failure };
}

test('the journal failing at any operation stops writing; the call is not acknowledged, what was stays', async (t) => {
  const repository = await initRepository(t);
  const acknowledged: string[] = [];
  let struck = 0;
  for (let from = 0; from < 16; from++) {
    const fault = new Fault(from, 'EIO');
    const journalFiles: JournalFiles = fault.wrap(nodeJournalFiles);
    try {
      const log = await openSample(repository, { journalFiles, durability: 'strict', journalBytes: 32 * 1024 });
      const outcome = await callUntilFailure(log, `f${from}`, 20);
      acknowledged.push(...outcome.acknowledged);
      if (outcome.failure !== null) {
        assert.equal((outcome.failure as { code?: string }).code, 'log-write-failed');
        await assert.rejects(call(log, 'sha1', 'later'), { code: 'log-write-failed' });
      }
      await log.close().catch(() => undefined);
    } catch {
      // It did not open, or refused the intent: nothing of it was acknowledged.
    }
    if (fault.struck) struck++;
    const again = await openSample(repository);
    for (const id of acknowledged) assert.equal(again.state.receipt(id)?.state, 'resolved', `${id}, fault ${from}`);
    assert.ok(again.state.spent(ep1, 'Workspace.Write', 'worktree') >= acknowledged.length);
    await again.close();
  }
  assert.ok(struck >= 10);
  await assertHealthy(repository);
});

test('packs and refs failing at any operation: acknowledged entries stay and are sealed later', async (t) => {
  const repository = await initRepository(t);
  await (await openSample(repository)).close();
  const acknowledged: string[] = [];
  for (let from = 0; from < 24; from++) {
    const fault = new Fault(from, from % 2 === 0 ? 'ENOSPC' : 'EIO');
    const files: FileSystem = fault.wrap(nodeFileSystem);
    const log = await openSample(repository, { fs: files, durability: 'strict' });
    const outcome = await callUntilFailure(log, `f${from}`, 2);
    acknowledged.push(...outcome.acknowledged);
    assert.ok(outcome.acknowledged.length > 0);
    const flushed = await log.flush().then(
      () => true,
      () => false,
    );
    if (flushed) assert.equal(await gitText(repository, 'rev-parse', logRef), log.head.commit);
    await log.close().catch(() => undefined);
    await gitText(repository, 'fsck', '--strict');
    const again = await openSample(repository);
    for (const id of acknowledged) assert.equal(again.state.receipt(id)?.state, 'resolved', `${id}, fault ${from}`);
    await again.close();
    await assertHealthy(repository);
  }
});

test('whatever operation a spell of failures begins at, writing goes on when it is over', async (t) => {
  const repository = await initRepository(t);
  await (await openSample(repository)).close();
  let count = 1;
  for (let from = 0; from < 24; from++) {
    const fault = new Fault(from, 'EMFILE');
    const log = await openSample(repository, { fs: fault.wrap(nodeFileSystem), durability: 'strict' });
    await call(log, 'sha1', `before-${from}`);
    await log.flush().catch(() => undefined);
    fault.heal();
    await log.flush();
    await call(log, 'sha1', `after-${from}`);
    await log.close();
    count += 2;
    assert.equal(await gitText(repository, 'rev-list', '--count', logRef), String(count), `from ${from}`);
  }
  await assertHealthy(repository);
});

test('a full disk that gets space again: writing goes on without a restart', async (t) => {
  const repository = await initRepository(t);
  await (await openSample(repository)).close();
  const fault = new Fault(0, 'ENOSPC');
  const log = await openSample(repository, { fs: fault.wrap(nodeFileSystem) });
  await call(log, 'sha1', 'one');
  await assert.rejects(log.flush(), { code: 'log-write-failed' });
  await assert.rejects(call(log, 'sha1', 'refused'), { code: 'log-write-failed' });
  fault.heal();
  await log.flush();
  await call(log, 'sha1', 'two');
  await log.close();
  assert.equal(await gitText(repository, 'rev-list', '--count', logRef), '3');
});
