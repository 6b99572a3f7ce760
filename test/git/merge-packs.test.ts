import assert from 'node:assert/strict';
import { chmod, readdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { nodeFileSystem } from '../../src/git/file-system.js';
import { startPackMerger } from '../../src/git/merge-packs.js';
import { mergePacks } from '../../src/git/merge-step.js';
import { makeObject } from '../../src/git/objects.js';
import { type InstalledPack, writePack } from '../../src/git/pack.js';
import { readOwnPacks } from '../../src/git/pack-manifest.js';
import { openObjectReader } from '../../src/git/reader.js';
import { compareAndSwapRef, readRef } from '../../src/git/ref.js';
import { packDirectory } from '../../src/git/repository.js';
import { sweepPackLeftovers } from '../../src/git/sweep.js';
import type { Repository } from '../../src/git/types.js';
import { atEnd } from '../cleanup.js';
import { assertHealthy, entryObjects, formats, gitText, initRepository, logRef } from './temporary-repository.js';

/** Appends entries to the log, a pack each. */
async function append(repository: Repository, count: number, each: (pack: InstalledPack) => void = () => undefined) {
  const packs: InstalledPack[] = [];
  for (let i = 0; i < count; i += 1) {
    const tip = await readRef(repository, logRef);
    const entry = entryObjects(repository.objectFormat, tip, `${'entry '.repeat(300)}${i} on ${tip}`);
    const shared = makeObject(repository.objectFormat, 'blob', Buffer.from('in every pack'));
    const pack = await writePack(repository, [shared, ...entry.objects], { durability: 'process' });
    await compareAndSwapRef(repository, logRef, tip, entry.commit, { durability: 'process' });
    await pack.release();
    packs.push(pack);
    each(pack);
  }
  return packs;
}

async function packNames(repository: Repository, extension = '.pack'): Promise<string[]> {
  const names = await readdir(packDirectory(repository));
  return names.filter((name) => name.endsWith(extension)).map((name) => name.slice(0, -extension.length));
}

const count = async (repository: Repository) => Number(await gitText(repository, 'rev-list', '--count', logRef));
const names = (packs: readonly InstalledPack[]) => packs.map((pack) => pack.name);

for (const format of formats) {
  describe(`merging packs of a ${format} repository`, () => {
    it('keeps their number flat while a reader and git see every entry', async (t) => {
      const repository = await initRepository(t, format);
      const merger = startPackMerger(repository, { onError: (error) => assert.fail(error) });
      atEnd(t, () => merger.close());
      const reader = openObjectReader(repository);
      atEnd(t, () => reader.close());
      const commits: string[] = [];
      await append(repository, 150, (pack) => merger.notify(pack));
      for (let at = (await readRef(repository, logRef)) as string | null; at !== null; ) {
        commits.push(at);
        const commit = await reader.read(at);
        at = /^parent (\S+)$/m.exec(commit?.body.toString() ?? assert.fail(`lost ${at}`))?.[1] ?? null;
      }
      assert.equal(commits.length, 150);
      await merger.idle();
      // 150 = 1 × 128 + 1 × 16 + 6
      assert.equal((await packNames(repository)).length, 8);
      assert.equal(await count(repository), 150);
      await assertHealthy(repository);
      for (const name of await packNames(repository)) {
        await gitText(repository, 'verify-pack', join(packDirectory(repository), `${name}.idx`));
      }
    });
  });
}

it('goes on with the packs of an earlier run, and never touches a pack of git', async (t) => {
  const repository = await initRepository(t);
  await append(repository, 3);
  await gitText(repository, 'repack', '-a', '-d', '-q');
  const [gits = ''] = await packNames(repository);
  await append(repository, 16);
  await sweepPackLeftovers(repository);
  assert.equal((await readOwnPacks(nodeFileSystem, repository)).size, 16);
  const merger = startPackMerger(repository);
  atEnd(t, () => merger.close());
  await merger.idle();
  assert.equal((await packNames(repository)).length, 2);
  assert.ok((await packNames(repository)).includes(gits));
  assert.equal(await count(repository), 19);
});

it('passes over kept, vanished and damaged packs and merges the rest', async (t) => {
  const repository = await initRepository(t);
  const directory = packDirectory(repository);
  const packs = names(await append(repository, 6));
  const [kept = '', gone = '', damaged = '', ...good] = packs;
  await writeFile(join(directory, `${kept}.keep`), 'mine');
  await gitText(repository, 'fsck');
  const bytes = await readFile(join(directory, `${damaged}.pack`));
  bytes.writeUInt8(bytes.readUInt8(60) ^ 1, 60);
  await chmod(join(directory, `${damaged}.pack`), 0o644);
  await writeFile(join(directory, `${damaged}.pack`), bytes);
  await unlink(join(directory, `${gone}.idx`));
  const result = await mergePacks(repository, packs, 1);
  assert.deepEqual(result.kept, [kept]);
  assert.deepEqual(result.damaged, [damaged]);
  assert.deepEqual(result.gone.toSorted(), [gone, ...good].toSorted());
  const left = await packNames(repository, '.idx');
  assert.deepEqual(left.toSorted(), [kept, damaged, result.merged?.name ?? ''].toSorted());
});

it('leaves git fsck clean when a multi-pack-index named the old packs', async (t) => {
  const repository = await initRepository(t);
  const packs = names(await append(repository, 4));
  await gitText(repository, 'multi-pack-index', 'write');
  const { merged } = await mergePacks(repository, packs, 1);
  // Of each entry its three objects, and once the blob they share.
  assert.equal(merged?.objectCount, 4 * 3 + 1);
  await assertHealthy(repository);
  assert.equal(await count(repository), 4);
});

it('loses nothing while git repacks, packs refs and collects garbage', async (t) => {
  const repository = await initRepository(t);
  const merger = startPackMerger(repository, { onError: (error) => assert.fail(error) });
  atEnd(t, () => merger.close());
  let running = true;
  const maintain = async () => {
    while (running) {
      await gitText(repository, 'repack', '-a', '-d', '-q');
      await gitText(repository, 'pack-refs', '--all');
      await gitText(repository, 'gc', '-q', '--prune=now');
    }
  };
  const maintenance = maintain();
  await append(repository, 250, (pack) => merger.notify(pack));
  running = false;
  await maintenance;
  await merger.idle();
  assert.equal(await count(repository), 250);
  await assertHealthy(repository);
});
