import { stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WorldError } from '../errors.js';
import { git } from './child.js';
import { type Durability, discard, errorCode, type FileSystem, nodeFileSystem, syncDirectory } from './file-system.js';
import { asGitOid, zeroOid } from './oid.js';
import type { WriteOptions } from './pack.js';
import { checkRefName, looseRefPath, packedConflict, readStoredRef, type StoredRef } from './ref-file.js';
import type { GitOid, Repository } from './types.js';

export interface RefWriteOptions extends WriteOptions {
  /** How long to wait for another program's lock, ms. Default 1000. */
  readonly lockTimeoutMs?: number;
}

/**
 * The object a shared ref points at; null when there is no such ref.
 * @throws WorldError `ref-corrupt` when its file is there and holds no id (a power cut can leave it empty), `bad-ref-name`
 */
export async function readRef(
  repository: Repository,
  name: string,
  files: FileSystem = nodeFileSystem,
): Promise<GitOid | null> {
  checkRefName(name);
  if (repository.refStorage !== 'files') return readThroughGit(repository, name);
  const stored = await readStoredRef(files, repository, name);
  switch (stored.kind) {
    case 'oid':
      return stored.oid;
    case 'none':
      return null;
    case 'symbolic':
      return readThroughGit(repository, name);
    case 'corrupt':
      throw corrupt(repository, name, stored.bytes);
  }
}

async function readThroughGit(repository: Repository, name: string): Promise<GitOid | null> {
  const result = await git(['rev-parse', '--verify', '--quiet', name], {
    cwd: repository.commonDir,
    okExitCodes: [0, 1],
  });
  return result.exitCode === 0 ? asGitOid(result.stdout.toString().trim(), repository.objectFormat) : null;
}

/**
 * Moves a ref from `expected` (null: must not exist) to `next`, by git's own protocol: exclusive `<ref>.lock`, verify,
 * write, sync, rename, sync the directory. `next` must be in the repository already.
 * @throws WorldError `ref-moved` (data `expected`, `found`), `ref-locked`, `ref-corrupt`, `ref-symbolic`, `ref-conflict`
 * (a ref is a directory of the other), `ref-write-failed` (read the ref again: the move may have happened), `bad-ref-name`
 */
export async function compareAndSwapRef(
  repository: Repository,
  name: string,
  expected: GitOid | null,
  next: GitOid,
  options: RefWriteOptions = {},
): Promise<void> {
  await replaceRef(repository, name, next, options, (stored) => {
    if (stored.kind === 'corrupt') throw corrupt(repository, name, stored.bytes);
    const found = stored.kind === 'oid' ? stored.oid : null;
    if (found !== expected) throw moved(name, expected, found);
  });
}

/**
 * Gives a ref whose file is corrupt (empty after a power cut) the value it should have. Does nothing to a healthy one.
 * @throws WorldError `ref-moved` when the ref is not corrupt, and as `compareAndSwapRef`
 */
export async function repairCorruptRef(
  repository: Repository,
  name: string,
  next: GitOid,
  options: RefWriteOptions = {},
): Promise<void> {
  await replaceRef(repository, name, next, options, (stored) => {
    if (stored.kind !== 'corrupt') throw moved(name, null, stored.kind === 'oid' ? stored.oid : null);
  });
}

async function replaceRef(
  repository: Repository,
  name: string,
  next: GitOid,
  options: RefWriteOptions,
  verify: (stored: StoredRef) => void,
): Promise<void> {
  checkRefName(name);
  asGitOid(next, repository.objectFormat);
  if (repository.refStorage !== 'files') return replaceThroughGit(repository, name, next, verify);
  const files = options.fs ?? nodeFileSystem;
  const durability = options.durability ?? 'strict';
  const path = looseRefPath(repository, name);
  const lock = `${path}.lock`;
  const handle = await takeLock(files, repository, name, lock, options.lockTimeoutMs ?? 1000, durability);
  try {
    try {
      const stored = await readStoredRef(files, repository, name);
      if (stored.kind === 'symbolic') throw symbolic(name);
      verify(stored);
      if (stored.kind === 'none') await makeRoom(files, repository, name, path);
      await handle.writeFile(`${next}\n`);
      if (durability === 'strict') await handle.sync();
    } finally {
      await handle.close();
    }
    await files.rename(lock, path);
  } catch (error) {
    await discard(files, lock);
    throw error instanceof WorldError ? error : writeFailed(name, error);
  }
  if (durability === 'strict') {
    await syncDirectory(files, dirname(path)).catch((error: unknown) => {
      throw writeFailed(name, error);
    });
  }
}

async function takeLock(
  files: FileSystem,
  repository: Repository,
  name: string,
  lock: string,
  timeoutMs: number,
  durability: Durability,
) {
  let waited = 0;
  let created = 0;
  for (;;) {
    try {
      return await files.open(lock, 'wx', 0o666);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOTDIR') throw conflict(name, 'a part of its path');
      if (code !== 'ENOENT' && code !== 'EEXIST') throw writeFailed(name, error);
      // Not there: the directories are missing, or `git pack-refs` has just removed them as empty.
      if (code === 'ENOENT' && created < 20) {
        created += 1;
        await makeDirectories(files, repository, name, durability);
        continue;
      }
      if (waited >= timeoutMs) throw locked(name, lock, error);
    }
    const pause = 5 + Math.random() * 20;
    waited += pause;
    await sleep(pause);
  }
}

async function makeDirectories(
  files: FileSystem,
  repository: Repository,
  name: string,
  durability: Durability,
): Promise<void> {
  let parent = repository.commonDir;
  for (const part of name.split('/').slice(0, -1)) {
    const path = join(parent, part);
    try {
      await files.mkdir(path);
      if (durability === 'strict') await syncDirectory(files, parent);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOTDIR') throw conflict(name, 'a part of its path');
      // ENOENT: removed again under us; the caller's loop comes back.
      if (code === 'ENOENT') return;
      if (code !== 'EEXIST') throw writeFailed(name, error);
    }
    parent = path;
  }
}

/** A ref that is new may collide with directories: empty ones are leftovers and go, refs inside are a conflict. */
async function makeRoom(files: FileSystem, repository: Repository, name: string, path: string): Promise<void> {
  const other = await packedConflict(files, repository, name);
  if (other !== undefined) throw conflict(name, other);
  await removeEmptyTree(files, path).catch((error: unknown) => {
    const code = errorCode(error);
    if (code === 'ENOTEMPTY' || code === 'EEXIST') throw conflict(name, `refs below ${name}/`);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
  });
}

async function removeEmptyTree(files: FileSystem, path: string): Promise<void> {
  for (const inside of await files.readdir(path)) {
    await removeEmptyTree(files, join(path, inside)).catch((error: unknown) => {
      if (errorCode(error) !== 'ENOTDIR') throw error;
    });
  }
  await files.rmdir(path);
}

async function replaceThroughGit(
  repository: Repository,
  name: string,
  next: GitOid,
  verify: (stored: StoredRef) => void,
): Promise<void> {
  const cwd = repository.commonDir;
  const link = await git(['symbolic-ref', '--quiet', name], { cwd, okExitCodes: [0, 1] });
  if (link.exitCode === 0) throw symbolic(name);
  const found = await readThroughGit(repository, name);
  verify(found === null ? { kind: 'none' } : { kind: 'oid', oid: found });
  const old = found ?? zeroOid(repository.objectFormat);
  try {
    await git(['update-ref', '--no-deref', name, next, old], { cwd });
  } catch (error) {
    const now = await readThroughGit(repository, name);
    if (now !== found) throw moved(name, found, now);
    throw writeFailed(name, error);
  }
}

function moved(name: string, expected: GitOid | null, found: GitOid | null): WorldError {
  const say = (oid: GitOid | null) => oid ?? 'absent';
  return new WorldError('ref-moved', `${name} is ${say(found)}, expected was ${say(expected)}`, {
    hint: 'Another program moved the ref. Nothing was overwritten.',
    data: { ref: name, expected, found },
  });
}

function locked(name: string, lock: string, cause: unknown): WorldError {
  return new WorldError('ref-locked', `${name} is locked by ${lock}`, {
    hint: 'If no git command is running, remove that file.',
    data: { ref: name, lock },
    cause,
  });
}

function corrupt(repository: Repository, name: string, bytes: number): WorldError {
  const file = looseRefPath(repository, name);
  return new WorldError('ref-corrupt', `the file of ${name} holds no object id (${bytes} bytes)`, {
    hint: `A power cut can do this. Restart the daemon: it repairs the ref. The file is ${file}.`,
    data: { ref: name, file, bytes },
  });
}

function symbolic(name: string): WorldError {
  return new WorldError('ref-symbolic', `${name} is a symbolic ref and is not written through`, {
    hint: `Remove it: git symbolic-ref --delete ${name}`,
    data: { ref: name },
  });
}

function conflict(name: string, other: string): WorldError {
  return new WorldError('ref-conflict', `${name} cannot exist beside ${other}: one would be a directory of the other`, {
    hint: 'Rename or delete the other ref.',
    data: { ref: name, other },
  });
}

function writeFailed(name: string, cause: unknown): WorldError {
  return new WorldError('ref-write-failed', `${name} could not be written`, {
    hint: 'Check disk space and permissions of the repository’s refs directory.',
    data: { ref: name, errno: errorCode(cause) ?? null },
    cause,
  });
}

/**
 * Removes `<ref>.lock` when it is older than a bound. Only under the log's writer lock, with a bound no git command
 * needs: the file does not say who made it.
 * @param now milliseconds since 1970
 * @returns whether one was removed
 */
export async function removeStaleRefLock(
  repository: Repository,
  name: string,
  olderThanMs: number,
  now: number = Date.now(),
): Promise<boolean> {
  checkRefName(name);
  const lock = `${looseRefPath(repository, name)}.lock`;
  try {
    const { mtimeMs } = await stat(lock);
    if (now - mtimeMs < olderThanMs) return false;
    await unlink(lock);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return false;
    throw error;
  }
}
