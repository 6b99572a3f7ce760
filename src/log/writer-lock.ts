import { readFileSync } from 'node:fs';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import lockfile from 'proper-lockfile';
import { WorldError } from '../errors.js';
import type { Repository } from '../git/types.js';

/** Who holds the writer lock, as `world/owner.json` says; for messages only, the lock itself is elsewhere. */
export interface LogOwner {
  readonly pid: number;
  /** The kernel's start time of the process, in clock ticks since boot; null where that is not known. */
  readonly startTime: string | null;
  readonly host: string;
  /** Unix seconds. */
  readonly since: number;
}

/**
 * Makes this process the one writer of the repository's log. The kernel frees the lock when the process dies.
 * @param now Unix seconds
 * @returns the function that gives the lock up
 * @throws WorldError `writer-busy`
 */
export async function takeWriterLock(repository: Repository, now: number): Promise<() => Promise<void>> {
  const ownerFile = join(repository.commonDir, 'world', 'owner.json');
  const release =
    process.platform === 'linux' ? await lockBySocket(repository, ownerFile) : await lockByFile(repository, ownerFile);
  const owner: LogOwner = { pid: process.pid, startTime: startTimeOf(process.pid), host: hostname(), since: now };
  try {
    await writeFile(`${ownerFile}.new`, `${JSON.stringify(owner)}\n`, { mode: 0o600 });
    await rename(`${ownerFile}.new`, ownerFile);
  } catch (error) {
    await release();
    throw error;
  }
  return async () => {
    await rm(ownerFile, { force: true });
    await release();
  };
}

/** The owner the file names; null when there is none. The process may be gone. */
export async function readLogOwner(repository: Repository): Promise<LogOwner | null> {
  return readOwner(join(repository.commonDir, 'world', 'owner.json'));
}

/** A name in Linux's abstract socket space belongs to one process and vanishes with it, whatever ends it. */
async function lockBySocket(repository: Repository, ownerFile: string): Promise<() => Promise<void>> {
  const { dev, ino } = await stat(repository.commonDir, { bigint: true });
  const server = createServer((socket) => socket.destroy());
  try {
    await listen(server, `\0ailang-world-log-${dev}-${ino}`);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') throw await busy(ownerFile, error);
    throw error;
  }
  server.unref();
  return () => new Promise((resolve) => server.close(() => resolve()));
}

function listen(server: Server, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path: name, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function lockByFile(repository: Repository, ownerFile: string): Promise<() => Promise<void>> {
  try {
    return await lockfile.lock(join(repository.commonDir, 'world'), { stale: 10_000, update: 2000 });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ELOCKED') throw await busy(ownerFile, error);
    throw error;
  }
}

async function busy(ownerFile: string, cause: unknown): Promise<WorldError> {
  const owner = await readOwner(ownerFile);
  const who =
    owner === null ? 'another process' : `process ${owner.pid} since ${new Date(owner.since * 1000).toISOString()}`;
  return new WorldError('writer-busy', `the log of this repository is being written by ${who}`, {
    hint: 'Use the daemon that is running, or stop it first.',
    data: owner === null ? {} : { pid: owner.pid, host: owner.host, since: owner.since },
    cause,
  });
}

async function readOwner(path: string): Promise<LogOwner | null> {
  try {
    const owner: unknown = JSON.parse(await readFile(path, 'utf8'));
    const known = typeof owner === 'object' && owner !== null && 'pid' in owner && 'since' in owner;
    return known && Number.isInteger(owner.pid) && Number.isInteger(owner.since) ? (owner as LogOwner) : null;
  } catch {
    return null;
  }
}

function startTimeOf(pid: number): string | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
