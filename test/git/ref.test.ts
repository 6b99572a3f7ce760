import assert from 'node:assert/strict';
import { mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { git } from '../../src/git/child.js';
import { writePack } from '../../src/git/pack.js';
import { compareAndSwapRef, readRef, removeStaleRefLock, repairCorruptRef } from '../../src/git/ref.js';
import { openRepository } from '../../src/git/repository.js';
import type { GitOid, Repository } from '../../src/git/types.js';
import { assertHealthy, entryObjects, formats, gitText, initRepository, logRef } from './temporary-repository.js';

/** A chain of commits, all in the repository. */
async function commits(repository: Repository, count: number): Promise<[GitOid, ...GitOid[]]> {
  const objects = [];
  const oids: GitOid[] = [];
  for (let i = 0; i < count; i += 1) {
    const entry = entryObjects(repository.objectFormat, oids.at(-1) ?? null, `entry ${i}`);
    objects.push(...entry.objects);
    oids.push(entry.commit);
  }
  await (await writePack(repository, objects)).release();
  return oids as [GitOid, ...GitOid[]];
}

for (const format of formats) {
  describe(`refs of a ${format} repository`, () => {
    it('move from null to a commit to the next, as git sees it', async (t) => {
      const repository = await initRepository(t, format);
      const [a, b = a] = await commits(repository, 2);
      assert.equal(await readRef(repository, logRef), null);
      await compareAndSwapRef(repository, logRef, null, a);
      assert.equal(await gitText(repository, 'rev-parse', logRef), a);
      await compareAndSwapRef(repository, logRef, a, b);
      assert.equal(await gitText(repository, 'rev-parse', logRef), b);
      assert.equal(await readRef(repository, logRef), b);
      await assertHealthy(repository);
    });

    it('are compared and read when packed', async (t) => {
      const repository = await initRepository(t, format);
      const [a, b = a, c = a] = await commits(repository, 3);
      await gitText(repository, 'update-ref', 'refs/heads/refs/world/log', c);
      await gitText(repository, 'update-ref', logRef, a);
      await gitText(repository, 'pack-refs', '--all');
      assert.equal(await readRef(repository, logRef), a);
      await assert.rejects(compareAndSwapRef(repository, logRef, null, b), { code: 'ref-moved' });
      await compareAndSwapRef(repository, logRef, a, b);
      assert.equal(await readRef(repository, logRef), b);
    });

    it('stay where another program moved them', async (t) => {
      const repository = await initRepository(t, format);
      const [a, b = a] = await commits(repository, 2);
      await gitText(repository, 'update-ref', logRef, b);
      await assert.rejects(compareAndSwapRef(repository, logRef, a, b), {
        code: 'ref-moved',
        data: { ref: logRef, expected: a, found: b },
      });
      await assert.rejects(compareAndSwapRef(repository, 'refs/world/other', a, b), {
        code: 'ref-moved',
        data: { ref: 'refs/world/other', expected: a, found: null },
      });
      assert.equal(await readRef(repository, logRef), b);
      assert.deepEqual(await readdir(join(repository.commonDir, 'refs/world')), ['log']);
    });
  });
}

it('an empty or torn ref file is corrupt, not absent, and can be repaired', async (t) => {
  const repository = await initRepository(t);
  const [a, b = a] = await commits(repository, 2);
  await compareAndSwapRef(repository, logRef, null, a);
  await gitText(repository, 'pack-refs', '--all');
  for (const torn of ['', a.slice(0, 20), '\0'.repeat(41), `${a}0`]) {
    await mkdir(join(repository.commonDir, 'refs/world'), { recursive: true });
    await writeFile(join(repository.commonDir, logRef), torn);
    await assert.rejects(readRef(repository, logRef), { code: 'ref-corrupt' });
    await assert.rejects(compareAndSwapRef(repository, logRef, null, b), { code: 'ref-corrupt' });
    await repairCorruptRef(repository, logRef, b);
    assert.equal(await gitText(repository, 'rev-parse', logRef), b);
  }
  await assert.rejects(repairCorruptRef(repository, logRef, a), { code: 'ref-moved' });
});

it('a lock of another program is named, and removed only when it is old', async (t) => {
  const repository = await initRepository(t);
  const [a] = await commits(repository, 1);
  const lock = join(repository.commonDir, `${logRef}.lock`);
  await mkdir(dirname(lock));
  await writeFile(lock, '');
  const blocked = compareAndSwapRef(repository, logRef, null, a, { lockTimeoutMs: 10 });
  await assert.rejects(blocked, { code: 'ref-locked', data: { ref: logRef, lock } });
  await utimes(lock, 1000, 1000);
  assert.equal(await removeStaleRefLock(repository, logRef, 60_000, 1_030_000), false);
  assert.equal(await removeStaleRefLock(repository, logRef, 60_000, 1_070_000), true);
  assert.equal(await removeStaleRefLock(repository, logRef, 60_000), false);
  await compareAndSwapRef(repository, logRef, null, a);
});

it('symbolic refs are read and never written', async (t) => {
  const repository = await initRepository(t);
  const [a, b = a] = await commits(repository, 2);
  await gitText(repository, 'update-ref', 'refs/heads/main', a);
  await gitText(repository, 'symbolic-ref', logRef, 'refs/heads/main');
  await symlink('../heads/main', join(repository.commonDir, 'refs/world/link'));
  for (const name of [logRef, 'refs/world/link']) {
    assert.equal(await readRef(repository, name), a);
    await assert.rejects(compareAndSwapRef(repository, name, a, b), { code: 'ref-symbolic' });
  }
  assert.equal(await readRef(repository, 'refs/heads/main'), a);
});

it('a ref cannot be a directory of another, loose or packed', async (t) => {
  const repository = await initRepository(t);
  const [a] = await commits(repository, 1);
  await gitText(repository, 'update-ref', 'refs/world', a);
  await assert.rejects(compareAndSwapRef(repository, logRef, null, a), { code: 'ref-conflict' });
  await gitText(repository, 'pack-refs', '--all');
  await assert.rejects(compareAndSwapRef(repository, logRef, null, a), { code: 'ref-conflict' });
  await gitText(repository, 'update-ref', '-d', 'refs/world');
  await gitText(repository, 'update-ref', `${logRef}/x`, a);
  await assert.rejects(compareAndSwapRef(repository, logRef, null, a), { code: 'ref-conflict' });
  await gitText(repository, 'pack-refs', '--all');
  await assert.rejects(compareAndSwapRef(repository, logRef, null, a), { code: 'ref-conflict' });
  await gitText(repository, 'update-ref', '-d', `${logRef}/x`);
  await mkdir(join(repository.commonDir, logRef, 'empty'), { recursive: true });
  await compareAndSwapRef(repository, logRef, null, a);
  assert.equal(await gitText(repository, 'rev-parse', logRef), a);
});

it('names that git refuses or keeps per worktree are refused', async (t) => {
  const repository = await initRepository(t);
  for (const name of [
    'HEAD',
    'refs/x',
    'refs/../HEAD',
    'refs/a/b.lock',
    'refs/a//b',
    'refs/a/b c',
    'refs/bisect/bad',
  ]) {
    await assert.rejects(readRef(repository, name), { code: 'bad-ref-name' }, name);
  }
});

it('a linked worktree shares the ref and the objects', async (t) => {
  const repository = await initRepository(t);
  const [a, b = a] = await commits(repository, 2);
  await gitText(repository, 'update-ref', 'refs/heads/main', a);
  const path = join(repository.commonDir, 'linked wörk');
  await gitText(repository, 'worktree', 'add', '-q', path, '-b', 'side', 'main');
  const linked = await openRepository(path);
  await compareAndSwapRef(linked, logRef, null, a);
  await (await writePack(linked, entryObjects('sha1', b, 'from the linked one').objects)).release();
  assert.equal(await readRef(repository, logRef), a);
  assert.equal(linked.commonDir, repository.commonDir);
  await assertHealthy(repository);
});

it('loses no move against git update-ref, pack-refs and repack', async (t) => {
  const repository = await initRepository(t);
  const appended: GitOid[] = [];
  let running = true;
  const append = async (who: string, move: (from: GitOid | null, to: GitOid) => Promise<void>, rounds: number) => {
    for (let round = 0; round < rounds; ) {
      const tip = await readRef(repository, logRef);
      const entry = entryObjects('sha1', tip, `${who} ${round}`);
      const pack = await writePack(repository, entry.objects, { durability: 'process' });
      const won = await move(tip, entry.commit).then(
        () => true,
        () => false,
      );
      await pack.release();
      if (!won) continue;
      appended.push(entry.commit);
      round += 1;
    }
  };
  const ours = (from: GitOid | null, to: GitOid) =>
    compareAndSwapRef(repository, logRef, from, to, { durability: 'process' });
  const gits = async (from: GitOid | null, to: GitOid) => {
    await git(['update-ref', logRef, to, from ?? '0'.repeat(40)], { cwd: repository.commonDir });
  };
  const maintain = async () => {
    while (running) {
      await gitText(repository, 'pack-refs', '--all').catch(() => undefined);
      await gitText(repository, 'repack', '-a', '-d', '-q').catch(() => undefined);
    }
  };
  const maintenance = maintain();
  // git loses most rounds while we run, so it has few: it ends them when ours are done.
  await Promise.all([append('a', ours, 120), append('b', ours, 120), append('git', gits, 10)]);
  running = false;
  await maintenance;
  const history = (await gitText(repository, 'rev-list', logRef)).split('\n');
  assert.equal(appended.length, 250);
  assert.deepEqual(history.toSorted(), appended.toSorted());
  await assertHealthy(repository);
});
