import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { writePack } from '../../src/git/pack.js';
import { compareAndSwapRef, readRef, removeStaleRefLock } from '../../src/git/ref.js';
import { packDirectory } from '../../src/git/repository.js';
import { sweepPackLeftovers } from '../../src/git/sweep.js';
import type { Repository } from '../../src/git/types.js';
import { faultyFileSystem } from './faulty-file-system.js';
import { assertHealthy, type EntryObjects, entryObjects, initRepository, logRef } from './temporary-repository.js';

async function append(
  repository: Repository,
  entry: EntryObjects,
  from: EntryObjects | null,
  fs = faultyFileSystem(1e9, 'once'),
) {
  const pack = await writePack(repository, entry.objects, { fs });
  await compareAndSwapRef(repository, logRef, from?.commit ?? null, entry.commit, { fs, lockTimeoutMs: 0 });
  await pack.release();
  return fs.operations;
}

for (const mode of ['once', 'dead'] as const) {
  describe(`an append whose files fail ${mode === 'once' ? 'once' : 'for good'}`, () => {
    it('leaves a healthy repository with the old or the new tip, at every file operation', async (t) => {
      const repository = await initRepository(t);
      const first = entryObjects('sha1', null, 'first');
      await append(repository, first, null);
      let tip = first;
      const total = await append(repository, entryObjects('sha1', null, 'probe'), first);
      tip = entryObjects('sha1', null, 'probe');
      assert.ok(total > 12, `${total} operations`);
      for (let at = 0; at < total; at += 1) {
        const next = entryObjects('sha1', tip.commit, `${mode} cut at ${at}`);
        const failed = await append(repository, next, tip, faultyFileSystem(at, mode)).then(
          () => false,
          () => true,
        );
        const found = await readRef(repository, logRef);
        assert.ok(found === next.commit || (failed && found === tip.commit), `cut at ${at}`);
        await assertHealthy(repository);
        const now = await readdir(packDirectory(repository));
        const indexed = now.filter((name) => name.endsWith('.idx'));
        // A pack is visible by its index, so the index must come last.
        for (const name of indexed) assert.ok(now.includes(name.replace('.idx', '.pack')), `cut at ${at}`);
        // What the next start does.
        await sweepPackLeftovers(repository);
        await removeStaleRefLock(repository, logRef, 0);
        const names = await readdir(packDirectory(repository));
        assert.deepEqual(
          names.filter((name) => !/^pack-[0-9a-f]{40}\.(pack|idx)$/.test(name)),
          [],
        );
        assert.deepEqual(await readdir(dirname(join(repository.commonDir, logRef))), ['log']);
        if (found === next.commit) tip = next;
        const retried = entryObjects('sha1', tip.commit, `after ${at}`);
        await append(repository, retried, tip);
        tip = retried;
      }
      await assertHealthy(repository);
    });
  });
}

it('a failed write cleans up after itself', async (t) => {
  const repository = await initRepository(t);
  for (let at = 0; ; at += 1) {
    const entry = entryObjects('sha1', null, `cut at ${at}`);
    const fs = faultyFileSystem(at, 'once');
    const failure = await writePack(repository, entry.objects, { fs }).then(
      // Its own failing is the one release may be asked again for.
      (pack) => pack.release().catch(() => pack.release()),
      (error) => error,
    );
    const names = await readdir(packDirectory(repository));
    assert.deepEqual(
      names.filter((name) => /tmp|keep/.test(name)),
      [],
      `cut at ${at}`,
    );
    if (failure === undefined && fs.operations <= at) break;
    if (failure !== undefined) assert.equal(failure.code, 'pack-write-failed');
  }
});
