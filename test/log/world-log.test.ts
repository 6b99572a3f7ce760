import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import isomorphic from 'isomorphic-git';
import { openRepository } from '../../src/git/repository.js';
import { sha256Ref } from '../../src/log/hash.js';
import { openWorldLog } from '../../src/log/open.js';
import { openLogReader } from '../../src/log/reader.js';
import { computeEntryHash } from '../../src/log/records.js';
import type { CredentialId, EntryIndex, ObjectLocation, Sha256Ref } from '../../src/log/types.js';
import { atEnd } from '../cleanup.js';
import { assertHealthy, formats, gitText, initRepository, logRef } from '../git/temporary-repository.js';
import { act, call, ep1, genesis, intentFor, invocation, openEpisode, openSample, source, time } from './sample-log.js';

for (const format of formats) {
  test(`git reads what the log answered (${format})`, async (t) => {
    const repository = await initRepository(t, format);
    const log = await openSample(repository);
    atEnd(t, () => log.close().catch(() => undefined));
    await log.append(openEpisode);
    const entry = await call(log, format, 'one');
    await log.flush();

    assert.equal(await gitText(repository, 'rev-parse', logRef), entry.commit);
    assert.equal(await gitText(repository, 'rev-list', '--count', logRef), '3');
    assert.equal(
      await gitText(repository, 'log', '-1', '--format=%s|%an|%cn', logRef),
      'ailang-write ok one|ep1|ailang-worldd',
    );
    assert.equal(await gitText(repository, 'show', `${logRef}:output.json`), '{"ok":true,"path":"one"}');
    assert.equal(await gitText(repository, 'show', `${logRef}:worktree/a.txt`), 'one');
    assert.equal(
      await gitText(repository, 'log', '-1', '--format=%(trailers:key=World-Effect,valueonly)', logRef),
      'Workspace.Write ok 49/50\n',
    );
    await assertHealthy(repository);
    await log.close();
    await assertHealthy(repository);
  });
}

test('every hash and link of a log holds, and operator acts are entries of the same chain', async (t) => {
  const repository = await initRepository(t);
  const log = await openSample(repository);
  atEnd(t, () => log.close().catch(() => undefined));
  await log.append(openEpisode);
  await call(log, 'sha1', 'one');
  await log.flush();
  const reader = await openLogReader(repository);
  atEnd(t, () => reader.close());
  let previous = '';
  for (let index = 0; index < 3; index++) {
    const entry = await reader.entry(index as EntryIndex);
    assert.ok(entry);
    assert.equal(entry.wire.header.prevEntryHash, previous);
    assert.equal(entry.wire.header.entryIndex, index);
    assert.equal(computeEntryHash(entry.wire.header, entry.wire.transitionRef), entry.entryHash);
    assert.equal(entry.world.logHead, entry.entryHash);
    assert.equal(entry.world.revision, index);
    const operator = entry.files.get('operator.json');
    assert.equal(entry.wire.transitionRef, sha256Ref(operator ?? entry.files.get('record.json') ?? ''));
    assert.equal(entry.world.stateRoot, sha256Ref(operator ?? entry.files.get('output.json') ?? ''));
    assert.equal(entry.wire.header.writtenBy, ['operator:genesis', 'operator:episode-open', 'coordinator:a2a'][index]);
    previous = entry.entryHash;
  }
  assert.equal(reader.worldId, log.worldId);
  assert.deepEqual(reader.head, log.head);
});

test('isomorphic-git reads the whole log and agrees with the reader', async (t) => {
  const repository = await initRepository(t);
  const log = await openSample(repository);
  for (let i = 0; i < 5; i++) await call(log, 'sha1', `c${i}`);
  await log.close();
  const reader = await openLogReader(repository);
  atEnd(t, () => reader.close());
  const dir = repository.worktree ?? '';
  const commits = await isomorphic.log({ fs, dir, ref: logRef });
  assert.equal(commits.length, 6);
  for (const [back, { oid }] of commits.entries()) {
    const entry = await reader.entry((5 - back) as EntryIndex);
    assert.equal(entry?.commit, oid);
    for (const [filepath, bytes] of entry?.files ?? []) {
      const { blob } = await isomorphic.readBlob({ fs, dir, oid, filepath });
      assert.deepEqual(Buffer.from(blob), bytes);
    }
  }
});

test('the log of a linked worktree lands in the common directory', async (t) => {
  const repository = await initRepository(t);
  await gitText(repository, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'x');
  const linked = join(repository.worktree ?? '', 'linked');
  await gitText(repository, 'worktree', 'add', '-q', linked);
  const log = await openSample(await openRepository(linked));
  await call(log, 'sha1', 'one');
  await log.close();
  assert.equal(await gitText(repository, 'rev-list', '--count', logRef), '2');
  await assertHealthy(repository);
});

test('sixteen concurrent callers get contiguous entries and exact spending', async (t) => {
  const repository = await initRepository(t);
  const log = await openSample(repository);
  atEnd(t, () => log.close().catch(() => undefined));
  const seen: number[] = [];
  log.onAppend(({ index }) => seen.push(index));
  const made = await Promise.all(
    Array.from({ length: 16 }, async (_, caller) => {
      const entries = [];
      for (let i = 0; i < 12; i++) entries.push(await call(log, 'sha1', `c${caller}-${i}`));
      return entries;
    }),
  );
  const indices = made.flat().map(({ index }) => index as number);
  const all = Array.from({ length: 192 }, (_, i) => i + 1);
  assert.deepEqual(
    indices.toSorted((a, b) => a - b),
    all,
  );
  assert.deepEqual(seen, all);
  assert.equal(log.state.spent(ep1, 'Workspace.Write', 'worktree'), 192);
  await log.flush();
  assert.equal(await gitText(repository, 'rev-list', '--count', logRef), '193');
  assert.equal((await log.entries(0 as EntryIndex, 1000)).length, 193);
  assert.equal((await log.entries(190 as EntryIndex, 2)).length, 2);
  await assertHealthy(repository);
});

test('refs, entries and invocations are found, in the index and without it', async (t) => {
  const repository = await initRepository(t);
  const log = await openSample(repository);
  const one = await call(log, 'sha1', 'one');
  const two = await call(log, 'sha1', 'two');
  const expected = {
    plan: [
      { index: 2, path: 'plan.json' },
      { index: 1, path: 'plan.json' },
    ],
    entry: [{ index: 1, path: 'entry.json' }],
    world: [{ index: 2, path: 'world.json' }],
    source: [{ index: 0, path: 'transitions/ailang-read.js' }],
  };
  const found = async (reader: Pick<typeof log, 'find'>, ref: Sha256Ref) => {
    const { entries, locations } = reader.find(ref);
    const places: ObjectLocation[] = [];
    for await (const location of locations) places.push(location);
    assert.equal(entries, places.length);
    return places;
  };
  const check = async (reader: Pick<typeof log, 'find' | 'invocation' | 'state' | 'entry'>) => {
    assert.deepEqual(await found(reader, sha256Ref('{"plan":"p"}')), expected.plan);
    assert.deepEqual(await found(reader, one.entryHash), expected.entry);
    assert.deepEqual(await found(reader, two.worldRef), expected.world);
    assert.deepEqual(await found(reader, sha256Ref(source)), expected.source);
    assert.deepEqual(await found(reader, sha256Ref('nothing')), []);
    assert.equal(await reader.invocation('two'), 2);
    assert.equal(await reader.invocation('three'), null);
    assert.deepEqual(reader.state.receipt('one'), { state: 'resolved', index: 1 });
    assert.equal(await reader.entry(3 as EntryIndex), null);
  };
  await check(log);
  await log.close();
  for (const spoil of [
    async () => undefined,
    () => fs.promises.truncate(join(repository.commonDir, 'world/index/keys'), 100),
    () => fs.promises.writeFile(join(repository.commonDir, 'world/index/commits'), Buffer.alloc(60)),
    () => fs.promises.writeFile(join(repository.commonDir, 'world/index/checkpoint.json'), 'garbage'),
    () => rm(join(repository.commonDir, 'world'), { recursive: true }),
  ]) {
    await spoil();
    const reader = await openLogReader(repository);
    await check(reader);
    await reader.close();
  }
  const again = await openSample(repository);
  atEnd(t, () => again.close().catch(() => undefined));
  await check(again);
  assert.equal((await call(again, 'sha1', 'three')).index, 3);
});

test('sessions, episodes and tools come from the log alone', async (t) => {
  const repository = await initRepository(t);
  const log = await openSample(repository);
  const credentialId = 'c'.repeat(64) as CredentialId;
  const other = 'd'.repeat(64) as CredentialId;
  const grants = [{ effect: 'Workspace.Write', scope: 'worktree', budget: 50, expiresAt: time + 60 }];
  const mint = { act: 'session-mint', episode: ep1, grants, createdAt: time, expiresAt: time + 60 } as const;
  await log.append(openEpisode);
  await log.append(act({ ...mint, credentialId }));
  await log.append(act({ ...mint, credentialId: other }));
  await log.append(act({ act: 'session-revoke', credentialIds: [other], episode: null, time }));
  await call(log, 'sha1', 'one');
  const drift = await log.append({ ...act({ act: 'drift', episode: ep1, previousTree: 'x', time }) });
  await log.append(act({ act: 'episode-close', episode: ep1, time }));
  assert.equal(drift.index, 6);
  await log.close();
  for (const open of [() => openSample(repository), () => openLogReader(repository)]) {
    const { state, close } = await open();
    assert.deepEqual(state.session(credentialId)?.grants, grants);
    assert.equal(state.session(credentialId)?.revoked, false);
    assert.equal(state.session(other)?.revoked, true);
    assert.equal(state.sessions().length, 2);
    assert.equal(state.episode(ep1)?.open, false);
    assert.equal(state.episode(ep1)?.tree, await gitText(repository, 'rev-parse', `${logRef}~2:worktree`));
    assert.equal(state.tools()?.toolchain.name, 'embedded');
    assert.equal(state.spent(ep1, 'Workspace.Write', 'worktree'), 1);
    await close();
  }
});

test('a draft that contradicts itself is refused and the chain goes on', async (t) => {
  const repository = await initRepository(t);
  const log = await openSample(repository);
  atEnd(t, () => log.close().catch(() => undefined));
  const { intent, durable } = log.recordIntent(intentFor('one'));
  await durable;
  const good = invocation('sha1', 'one', intent);
  const evidence = good.effects[0];
  assert.ok(evidence);
  const bad = [
    invocation('sha1', 'one', null),
    { ...good, transitionFn: '' as never },
    { ...good, interpreter: 'sha256:00' as never },
    { ...good, invocationId: '' },
    { ...good, output: Buffer.alloc(0) },
    { ...good, effects: [{ ...evidence, intent: null }] },
    { ...good, effects: [{ ...evidence, request: Buffer.from('x') }] },
    { ...good, effects: [{ ...evidence, result: null }] },
    { ...good, effects: [{ ...evidence, intent: { ...intent, intentId: 'effect:ep1:9' } }] },
    genesis(),
    { ...openEpisode, files: new Map([['entry.json', Buffer.from('x')]]) },
  ];
  for (const draft of bad) await assert.rejects(log.append(draft), { code: 'log-draft-invalid' });
  assert.equal((await log.append(good)).index, 1);
  await log.close();
});

test('no log is named as such', async (t) => {
  const repository = await initRepository(t);
  await assert.rejects(openLogReader(repository), { code: 'log-absent' });
  await assert.rejects(openWorldLog({ repository, durability: 'process', journalBytes: 65_536 }), {
    code: 'log-absent',
  });
  await (await openSample(repository)).close();
  assert.equal(await gitText(repository, 'rev-list', '--count', logRef), '1');
});
