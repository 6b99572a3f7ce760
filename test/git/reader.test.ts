import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { CatFile } from '../../src/git/cat-file.js';
import { makeObject } from '../../src/git/objects.js';
import { writePack } from '../../src/git/pack.js';
import { openObjectReader, type ReaderOptions } from '../../src/git/reader.js';
import type { Repository } from '../../src/git/types.js';
import { atEnd } from '../cleanup.js';
import { entryObjects, formats, gitText, initRepository } from './temporary-repository.js';

function reader(t: TestContext, repository: Repository, options?: ReaderOptions) {
  const opened = openObjectReader(repository, options);
  atEnd(t, () => opened.close());
  return opened;
}

for (const format of formats) {
  describe(`reading a ${format} repository`, () => {
    it('answers overlapping reads in order, null for what is not there', async (t) => {
      const repository = await initRepository(t, format);
      const blobs = Array.from({ length: 200 }, (_, i) => makeObject(format, 'blob', Buffer.alloc(i * 97, `${i}\n`)));
      await writePack(repository, blobs);
      const source = reader(t, repository);
      const absent = makeObject(format, 'blob', Buffer.from('absent'));
      const found = await Promise.all([...blobs, absent].map((blob) => source.read(blob.oid)));
      assert.equal(found.pop(), null);
      assert.deepEqual(found, blobs);
    });

    it('sees a pack that is younger than its process', async (t) => {
      const repository = await initRepository(t, format);
      const source = reader(t, repository);
      const young = entryObjects(format, null, 'young');
      assert.equal(await source.read(young.commit), null);
      await writePack(repository, young.objects);
      assert.equal((await source.read(`${young.commit}:entry.json`))?.body.toString(), 'young');
    });

    it('gives the files of a commit and the ids of what it skips', async (t) => {
      const repository = await initRepository(t, format);
      const blob = makeObject(format, 'blob', Buffer.from('inside'));
      const name = Buffer.from('é ü\n.txt').toString();
      const inner = entryObjects(format, null, 'x', [{ mode: '100755', name, oid: blob.oid }]);
      const tree = inner.objects[1]?.oid ?? assert.fail();
      const outer = entryObjects(format, null, 'top', [
        { mode: '40000', name: 'effects', oid: tree },
        { mode: '40000', name: 'worktree', oid: tree },
      ]);
      await writePack(repository, [blob, ...inner.objects, ...outer.objects]);
      const read = await reader(t, repository).readFiles(outer.commit, (path) => path === 'worktree');
      const texts = [...read.files].map(([path, body]) => [path, body.toString()]);
      assert.deepEqual(
        new Map(texts as [string, string][]),
        new Map([
          ['entry.json', 'top'],
          ['effects/entry.json', 'x'],
          [`effects/${name}`, 'inside'],
        ]),
      );
      assert.deepEqual([...read.skipped], [['worktree', tree]]);
    });
  });
}

it('refuses an object over the limit and goes on with the next', async (t) => {
  const repository = await initRepository(t);
  const large = makeObject('sha1', 'blob', Buffer.alloc(300_000, 'x'));
  const small = makeObject('sha1', 'blob', Buffer.from('small'));
  await writePack(repository, [large, small]);
  const source = reader(t, repository, { maxObjectBytes: 1000 });
  const [first, second] = await Promise.allSettled([source.read(large.oid), source.read(small.oid)]);
  assert.equal(first.status === 'rejected' && first.reason.code, 'object-too-large');
  assert.deepEqual(second, { status: 'fulfilled', value: small });
});

it('starts git again when it dies, and loses no answer', async (t) => {
  const repository = await initRepository(t);
  const blobs = Array.from({ length: 50 }, (_, i) => makeObject('sha1', 'blob', Buffer.from(`${i}`)));
  await writePack(repository, blobs);
  const source = new CatFile(repository.commonDir, 1000);
  atEnd(t, () => source.close());
  await source.read('HEAD:none');
  const pid = source.pid ?? assert.fail();
  // Stopped first, so that it cannot have answered before it dies.
  process.kill(pid, 'SIGSTOP');
  const reads = Promise.all(blobs.map((blob) => source.read(blob.oid)));
  process.kill(pid, 'SIGKILL');
  assert.deepEqual(await reads, blobs);
  assert.notEqual(source.pid, pid);
});

it('names a damaged object and reads on', async (t) => {
  const repository = await initRepository(t);
  const good = makeObject('sha1', 'blob', Buffer.from('good'));
  await writePack(repository, [good]);
  await writeFile(join(repository.commonDir, 'bad'), 'to be damaged');
  const oid = await gitText(repository, 'hash-object', '-w', join(repository.commonDir, 'bad'));
  const path = join(repository.commonDir, 'objects', oid.slice(0, 2), oid.slice(2));
  await chmod(path, 0o644);
  await writeFile(path, '');
  const source = reader(t, repository);
  const [first, second] = await Promise.allSettled([source.read(oid), source.read(good.oid)]);
  assert.deepEqual(second, { status: 'fulfilled', value: good });
  assert.ok(first.status === 'rejected' ? first.reason.code === 'object-unreadable' : first.value === null);
});

it('refuses names that would break the protocol, and reads after close', async (t) => {
  const repository = await initRepository(t);
  const source = openObjectReader(repository);
  atEnd(t, () => source.close());
  await assert.rejects(source.read('HEAD\ncontents HEAD'), { code: 'bad-object-spec' });
  await assert.rejects(source.read(''), { code: 'bad-object-spec' });
  await source.close();
  await assert.rejects(source.read('HEAD'), { code: 'reader-closed' });
});
