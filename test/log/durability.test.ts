import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import { nodeFileSystem } from '../../src/git/file-system.js';
import { nodeJournalFiles } from '../../src/log/journal.js';
import { initRepository } from '../git/temporary-repository.js';
import { call, openSample } from './sample-log.js';

/** The same object, each call noted as `method name` before it is passed on; files that it opens included. */
function noted<Files extends object>(files: Files, notes: string[], name = ''): Files {
  return new Proxy(files, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return async (...args: unknown[]) => {
        const path = name === '' ? basename(String(args[0])) : name;
        const result: unknown = await value.apply(target, args);
        notes.push(`${String(key)} ${path}`);
        return key === 'open' && typeof result === 'object' && result !== null ? noted(result, notes, path) : result;
      };
    },
  });
}

test('an acknowledged entry was synced into the journal; the ref moves by a synced file, and its directory is synced', async (t) => {
  const repository = await initRepository(t);
  const notes: string[] = [];
  const log = await openSample(repository, {
    durability: 'strict',
    journalFiles: noted(nodeJournalFiles, notes),
    fs: noted(nodeFileSystem, notes),
  });
  await log.flush();
  notes.length = 0;
  await call(log, 'sha1', 'one');
  const journal = notes.filter((note) => note.endsWith(' journal'));
  // The intent and the entry, each its own sync.
  assert.deepEqual(journal, ['write journal', 'datasync journal', 'write journal', 'datasync journal']);
  await log.flush();
  const moved = notes.filter((note) => / (log|log\.lock|world)$/.test(note) && !note.startsWith('readFile'));
  const at = moved.indexOf('rename log.lock');
  assert.deepEqual(
    moved.slice(0, at + 1).filter((note) => note.endsWith('log.lock')),
    ['open log.lock', 'writeFile log.lock', 'sync log.lock', 'close log.lock', 'rename log.lock'],
  );
  assert.ok(moved.slice(at).includes('sync world'), moved.join(', '));
  await log.close();
});
