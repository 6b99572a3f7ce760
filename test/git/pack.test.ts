import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { readdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import * as isomorphic from 'isomorphic-git';
import { git } from '../../src/git/child.js';
import { makeObject } from '../../src/git/objects.js';
import { encodePack, writePack } from '../../src/git/pack.js';
import { compareAndSwapRef, readRef } from '../../src/git/ref.js';
import { packDirectory } from '../../src/git/repository.js';
import { sweepPackLeftovers } from '../../src/git/sweep.js';
import { assertHealthy, entryObjects, formats, gitText, initRepository, logRef } from './temporary-repository.js';

for (const format of formats) {
  describe(`packs in a ${format} repository`, () => {
    it('are what git itself would index, for any blobs', async (t) => {
      const repository = await initRepository(t, format);
      const path = join(repository.commonDir, 'try.pack');
      const bodies = fc.array(fc.uint8Array({ maxLength: 3000 }), { minLength: 1, maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(bodies, async (bytes) => {
          const objects = bytes.map((body) => makeObject(format, 'blob', Buffer.from(body)));
          const encoded = encodePack(format, objects);
          await writeFile(path, encoded.pack);
          const args = ['index-pack', '--strict', '-o', `${path}.idx`, path];
          const printed = (await git(args, { cwd: repository.commonDir })).stdout.toString().trim();
          assert.equal(`pack-${printed}`, encoded.name);
          assert.deepEqual(await readFile(`${path}.idx`), encoded.idx);
        }),
        { numRuns: 25 },
      );
    });

    it('hold each object once, of every size around the stored and length-byte limits', async (t) => {
      const repository = await initRepository(t, format);
      const sizes = [0, 1, 15, 16, 1023, 1024, 2047, 2048, 70_000, 300_000];
      const objects = sizes.map((size) => makeObject(format, 'blob', Buffer.alloc(size, 'ab\0c')));
      const pack = await writePack(repository, [...objects, ...objects]);
      assert.equal(pack.objectCount, sizes.length);
      await gitText(repository, 'verify-pack', join(packDirectory(repository), `${pack.name}.idx`));
      for (const object of objects) {
        const read = await git(['cat-file', 'blob', object.oid], { cwd: repository.commonDir });
        assert.ok(read.stdout.equals(object.body));
      }
    });

    it('are kept from repack until released', async (t) => {
      const repository = await initRepository(t, format);
      const first = entryObjects(format, null, 'one');
      const pack = await writePack(repository, first.objects);
      await gitText(repository, 'repack', '-a', '-d', '-q');
      await compareAndSwapRef(repository, logRef, null, first.commit);
      await pack.release();
      await gitText(repository, 'repack', '-a', '-d', '-q');
      assert.equal(await gitText(repository, 'log', '--format=%s', logRef), 'one');
      await assertHealthy(repository);
      assert.deepEqual(
        (await readdir(packDirectory(repository))).filter((name) => name.endsWith('.keep')),
        [],
      );
    });

    it('of no objects are refused', async (t) => {
      const repository = await initRepository(t, format);
      await assert.rejects(writePack(repository, []), { code: 'empty-pack' });
    });
  });
}

it('isomorphic-git reads our packs', async (t) => {
  const repository = await initRepository(t);
  const first = entryObjects('sha1', null, 'for another reader');
  const pack = await writePack(repository, first.objects);
  await compareAndSwapRef(repository, logRef, null, first.commit);
  await pack.release();
  assert.equal(await readRef(repository, logRef), first.commit);
  const [entry] = await isomorphic.log({ fs, gitdir: repository.commonDir, ref: logRef });
  assert.equal(entry?.oid, first.commit);
  assert.equal(entry?.commit.message, 'for another reader\n');
});

it('the sweep gives an index back to a pack that lost it', async (t) => {
  const repository = await initRepository(t);
  const first = entryObjects('sha1', null, 'one');
  const pack = await writePack(repository, first.objects);
  await unlink(join(packDirectory(repository), `${pack.name}.idx`));
  await sweepPackLeftovers(repository);
  assert.equal(await gitText(repository, 'cat-file', '-t', first.commit), 'commit');
});

it('the sweep removes our leftovers and nobody else’s', async (t) => {
  const repository = await initRepository(t);
  const directory = packDirectory(repository);
  const first = entryObjects('sha1', null, 'one');
  const pack = await writePack(repository, first.objects);
  await writeFile(join(directory, 'ailang-world-0123456789abcdef.pack.tmp'), 'half');
  await writeFile(join(directory, 'tmp_pack_x'), 'git’s own');
  await writeFile(join(directory, 'pack-1234.keep'), 'fetch-pack 12 on host');
  await sweepPackLeftovers(repository);
  assert.deepEqual(
    (await readdir(directory)).sort(),
    ['pack-1234.keep', `${pack.name}.idx`, `${pack.name}.pack`, 'tmp_pack_x'].sort(),
  );
});
