import assert from 'node:assert/strict';
import { cp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type FileSystem, nodeFileSystem } from '../../src/git/file-system.js';
import type { Repository } from '../../src/git/types.js';
import { setJournalAside } from '../../src/log/open.js';
import type { EntryIndex } from '../../src/log/types.js';
import { assertHealthy, gitText, initRepository, logRef } from '../git/temporary-repository.js';
import { call, ep1, intentFor, invocation, openSample } from './sample-log.js';

/** The journal as it stands now, put back later: what a process leaves that dies now, before any pack. */
async function keepJournal(repository: Repository): Promise<() => Promise<void>> {
  const journal = join(repository.commonDir, 'world', 'journal');
  await cp(journal, `${journal}.kept`);
  return () => cp(`${journal}.kept`, journal);
}

test('acknowledged entries that are only in the journal are put behind the ref at the next start', async (t) => {
  const repository = await initRepository(t);
  const log = await openSample(repository);
  await log.flush();
  const before = await gitText(repository, 'rev-parse', logRef);
  for (let i = 0; i < 5; i++) await call(log, 'sha1', `c${i}`);
  const restore = await keepJournal(repository);
  const head = log.head;
  await log.close();
  await restore();
  await gitText(repository, 'update-ref', logRef, before);
  await gitText(repository, 'reflog', 'expire', '--all', '--expire=now');
  await gitText(repository, 'repack', '-q', '-a', '-d');

  const again = await openSample(repository);
  assert.deepEqual(again.head, head);
  assert.equal(again.state.spent(ep1, 'Workspace.Write', 'worktree'), 5);
  assert.deepEqual(again.state.receipt('c4'), { state: 'resolved', index: 5 });
  await again.close();
  assert.equal(await gitText(repository, 'rev-parse', logRef), head.commit);
  await assertHealthy(repository);
});

test('a lock of the ref that a killed writer left empty holds nothing up', async (t) => {
  const repository = await initRepository(t);
  const log = await openSample(repository);
  await log.flush();
  const before = await gitText(repository, 'rev-parse', logRef);
  await call(log, 'sha1', 'waits');
  const restore = await keepJournal(repository);
  const { head } = log;
  await log.close();
  await restore();
  await gitText(repository, 'update-ref', logRef, before);
  const lock = join(repository.commonDir, `${logRef}.lock`);
  await writeFile(lock, '');
  await utimes(lock, 1000, 1000);
  let attempts = 0;
  const fs: FileSystem = {
    ...nodeFileSystem,
    open(path, ...rest) {
      if (path === lock) attempts += 1;
      return nodeFileSystem.open(path, ...rest);
    },
  };
  const again = await openSample(repository, { fs });
  assert.deepEqual([again.head, attempts], [head, 1]);
  await again.close();
});

test('a started effect without an entry is recovered once: spent, indeterminate, never refunded', async (t) => {
  const repository = await initRepository(t);
  const log = await openSample(repository);
  await call(log, 'sha1', 'done');
  const { intent, durable } = log.recordIntent(intentFor('lost'));
  await durable;
  assert.equal(intent.intentId, 'effect:ep1:2');
  assert.equal(log.state.receipt('lost')?.state, 'indeterminate');
  await log.close();
  for (let start = 0; start < 3; start++) {
    const again = await openSample(repository);
    assert.equal(again.head.index, 2);
    assert.equal(again.state.spent(ep1, 'Workspace.Write', 'worktree'), 2);
    assert.deepEqual(again.state.receipt('lost'), { state: 'indeterminate', intents: [intent] });
    const entry = await again.entry(2 as EntryIndex);
    assert.equal(entry?.wire.header.writtenBy, 'operator:recovery');
    await again.close();
  }
  await rm(join(repository.commonDir, 'world'), { recursive: true });
  const rebuilt = await openSample(repository);
  assert.equal(rebuilt.state.spent(ep1, 'Workspace.Write', 'worktree'), 2);
  const next = rebuilt.recordIntent(intentFor('next'));
  assert.equal(next.intent.intentId, 'effect:ep1:3');
  await next.durable;
  await rebuilt.append(invocation('sha1', 'next', next.intent));
  await rebuilt.close();
});

test('intents in flight survive the journal turning over', async (t) => {
  const repository = await initRepository(t);
  const log = await openSample(repository, { journalBytes: 32 * 1024 });
  const { intent, durable } = log.recordIntent(intentFor('early'));
  await durable;
  for (let i = 0; i < 40; i++) await call(log, 'sha1', `c${i}`);
  await log.close();
  const again = await openSample(repository);
  assert.deepEqual(again.state.receipt('early'), { state: 'indeterminate', intents: [intent] });
  assert.equal(again.state.spent(ep1, 'Workspace.Write', 'worktree'), 41);
  await again.close();
  await assertHealthy(repository);
});

test('an entry larger than the journal is in its pack before it is acknowledged', async (t) => {
  const repository = await initRepository(t);
  const log = await openSample(repository, { journalBytes: 32 * 1024 });
  const output = Buffer.from(JSON.stringify({ text: 'x'.repeat(100_000) }));
  const [, big, after] = await Promise.all([
    log.append(invocation('sha1', 'before', null)),
    log.append(invocation('sha1', 'big', null, { output })),
    log.append(invocation('sha1', 'after', null)),
  ]);
  assert.equal(await gitText(repository, 'rev-parse', `${after.commit}~1`).catch(() => big.commit), big.commit);
  await log.close();
  const again = await openSample(repository);
  assert.equal(again.head.index, 3);
  assert.deepEqual((await again.entry(2 as EntryIndex))?.files.get('output.json'), output);
  await again.close();
});

test('a second writer is refused and told who the first is', async (t) => {
  const repository = await initRepository(t);
  const log = await openSample(repository);
  await assert.rejects(openSample(repository), (error: Error & { code?: string; data?: { pid?: number } }) => {
    assert.equal(error.code, 'writer-busy');
    assert.equal(error.data?.pid, process.pid);
    assert.match(error.message, new RegExp(`process ${process.pid} since 2026-`));
    return true;
  });
  await call(log, 'sha1', 'one');
  await log.close();
  await (await openSample(repository)).close();
});

test('a foreign move of the ref stops every later write, overwrites nothing and keeps what was acknowledged', async (t) => {
  const repository = await initRepository(t);
  const log = await openSample(repository);
  await call(log, 'sha1', 'one');
  await log.flush();
  const genesisCommit = await gitText(repository, 'rev-parse', `${logRef}~1`);
  const kept = await gitText(repository, 'rev-parse', logRef);
  await gitText(repository, 'update-ref', logRef, genesisCommit);
  await call(log, 'sha1', 'two');
  await assert.rejects(log.flush(), { code: 'log-foreign-move' });
  await assert.rejects(log.append(invocation('sha1', 'three', null)), { code: 'log-foreign-move' });
  assert.throws(() => log.recordIntent(intentFor('three')), { code: 'log-foreign-move' });
  assert.equal(await gitText(repository, 'rev-parse', logRef), genesisCommit);
  await log.close();
  const tree = await gitText(repository, 'rev-parse', `${kept}^{tree}`);
  const stranger = await gitText(
    repository,
    '-c',
    'user.name=a',
    '-c',
    'user.email=a@b',
    'commit-tree',
    '-m',
    'x',
    tree,
  );
  await gitText(repository, 'update-ref', logRef, stranger);
  await assert.rejects(openSample(repository), { code: 'log-foreign-move' });
  await gitText(repository, 'update-ref', logRef, kept);
  const again = await openSample(repository);
  assert.deepEqual(again.state.receipt('two'), { state: 'resolved', index: 2 });
  await again.close();
  await assertHealthy(repository);
});

test('a ref left empty by a power cut is healed from the journal', async (t) => {
  const repository = await initRepository(t);
  const log = await openSample(repository);
  await call(log, 'sha1', 'one');
  const { head } = log;
  await log.close();
  const file = join(repository.commonDir, ...logRef.split('/'));
  await writeFile(file, '');
  const again = await openSample(repository);
  assert.deepEqual(again.head, head);
  await again.close();
  await assertHealthy(repository);
  await writeFile(file, '');
  await rm(join(repository.commonDir, 'world', 'journal'));
  await assert.rejects(openSample(repository), { code: 'log-ref-lost' });
});

test('a torn last frame is ignored; damage before it is named and loses nothing', async (t) => {
  const repository = await initRepository(t);
  const log = await openSample(repository);
  for (let i = 0; i < 3; i++) await call(log, 'sha1', `c${i}`);
  await log.close();
  const path = join(repository.commonDir, 'world', 'journal');
  const intact = await readFile(path);
  const frames = [...intact.toString('latin1').matchAll(/AWJ1/g)].map(({ index }) => index);
  const spoilt = (at: number) => {
    const bytes = Buffer.from(intact);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    return bytes;
  };
  await writeFile(path, spoilt((frames.at(-1) ?? 0) + 70));
  await (await openSample(repository)).close();
  await writeFile(path, spoilt((frames[2] ?? 0) + 70));
  await assert.rejects(openSample(repository), { code: 'journal-corrupt' });
  await assert.rejects(openSample(repository), { code: 'journal-corrupt' });
  assert.deepEqual(await readFile(path), spoilt((frames[2] ?? 0) + 70));
  const aside = await setJournalAside(repository, 7);
  assert.ok((await readdir(join(repository.commonDir, 'world'))).includes(aside.split('/').at(-1) ?? ''));
  const again = await openSample(repository);
  assert.equal(again.head.index, 3);
  await again.close();
});

test('packing, pruning and packing refs by others while entries are appended loses nothing', async (t) => {
  const repository = await initRepository(t);
  const log = await openSample(repository);
  let running = true;
  const maintenance = (async () => {
    for (let round = 0; running && round < 20; round++) {
      await gitText(repository, 'pack-refs', '--all');
      await gitText(repository, 'repack', '-q', '-a', '-d');
      await gitText(repository, 'gc', '-q', '--prune=now');
    }
  })();
  for (let i = 0; i < 60; i++) await call(log, 'sha1', `c${i}`);
  running = false;
  await maintenance;
  await log.close();
  assert.equal(await gitText(repository, 'rev-list', '--count', logRef), '61');
  await assertHealthy(repository);
});
