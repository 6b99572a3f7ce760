import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { IgnoreRules } from '../../src/episode/ignore-rules.js';
import { objectsBelow, readSettings, trackedFilesReader } from '../../src/episode/repository-facts.js';
import { SnapshotTaker } from '../../src/episode/snapshot.js';
import { diskFiles } from '../../src/episode/snapshot-files.js';
import { openRepository } from '../../src/git/repository.js';
import { temporaryDirectory } from '../cleanup.js';
import { gitTree, makeRepository, runGit } from './repositories.js';

const FOLDERS = 250;
const FILES = 200;

test(`of ${FOLDERS * FILES} files only what changed is read and hashed`, async (t) => {
  const root = temporaryDirectory(t);
  makeRepository(root);
  const past = new Date('2020-01-01');
  for (let folder = 0; folder < FOLDERS; folder++) {
    mkdirSync(join(root, `d${folder}`));
    for (let file = 0; file < FILES; file++)
      writeFileSync(join(root, `d${folder}/f${file}.txt`), `${folder} ${file}\n`);
  }
  runGit(root, ['add', '-A']);
  runGit(root, ['commit', '-qm', 'All']);
  const repository = await openRepository(root);
  const settings = await readSettings(repository, root);
  let read: string[] = [];
  const taker = new SnapshotTaker({
    root,
    objectFormat: repository.objectFormat,
    fileMode: settings.fileMode,
    rules: IgnoreRules.of(settings.excludes, settings.ignoreCase),
    tracked: trackedFilesReader(repository, root),
    known: await objectsBelow(root, 'HEAD'),
    files: {
      ...diskFiles,
      read(path, flags) {
        read.push(path.slice(root.length + 1));
        return diskFiles.read(path, flags);
      },
    },
    // An hour ahead: every stamp on disk is old enough to be believed.
    now: () => Date.now() + 3_600_000,
    pause: async () => undefined,
  });
  /** Files read, objects made and milliseconds of one look. */
  const look = async (what: string, changed?: string): Promise<{ files: string[]; objects: number; tree: string }> => {
    read = [];
    const started = performance.now();
    const snapshot = await taker.snapshot(changed);
    t.diagnostic(
      `${what}: ${read.length} files read, ${snapshot.objects.length} objects made, ${Math.round(performance.now() - started)} ms`,
    );
    taker.persisted(snapshot);
    return { files: read.sort(), objects: snapshot.objects.length, tree: snapshot.tree };
  };
  const first = await look('first');
  assert.equal(first.files.length, FOLDERS * FILES);
  assert.deepEqual(await look('nothing changed'), { files: [], objects: 0, tree: first.tree });

  // A file, its folder, the root.
  writeFileSync(join(root, 'd7/f3.txt'), 'changed by a write\n');
  const write = await look('one write', 'd7/f3.txt');
  assert.deepEqual([write.files, write.objects], [['d7/f3.txt'], 3]);

  writeFileSync(join(root, 'd9/f1.txt'), 'changed outside\n');
  utimesSync(join(root, 'd9/f1.txt'), past, past);
  chmodSync(join(root, 'd10/f1.txt'), 0o755);
  renameSync(join(root, 'd11/f1.txt'), join(root, 'd11/moved.txt'));
  rmSync(join(root, 'd12/f1.txt'));
  const many = await look('a change, a mode, a rename and a removal');
  assert.deepEqual(many.files, ['d10/f1.txt', 'd11/moved.txt', 'd9/f1.txt']);
  // One new blob, four folders, the root.
  assert.equal(many.objects, 6);

  renameSync(join(root, 'd20'), join(root, 'e20'));
  const folder = await look('a folder renamed');
  assert.deepEqual([folder.files.length, folder.objects], [FILES, 1]);
  assert.equal(folder.tree, gitTree(root));
});
