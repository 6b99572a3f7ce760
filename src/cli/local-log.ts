import { resolve } from 'node:path';
import { askDaemon } from '../daemon/control-client.js';
import { WorldError } from '../errors.js';
import { openRepository } from '../git/repository.js';
import type { Repository } from '../git/types.js';
import { openEntryReader, openLogReader } from '../log/reader.js';
import type { EntryReader, LogReader } from '../log/types.js';
import { findLogs, type LogPlace } from '../provenance/verify/find-logs.js';
import { get } from './client/http.js';
import type { VerbCall } from './verb.js';

/** The repository a verb is about: `--repo`, else the daemon's when `--addr` was given, else the current directory. */
export async function findRepository(call: VerbCall, repo: string | undefined): Promise<Repository> {
  if (repo !== undefined) return openRepository(resolve(call.io.cwd, repo));
  if (!call.addrGiven) return openRepository(call.io.cwd);
  const health = JSON.parse(await get(call.addr, '/v1/health')) as { db_path: string };
  return openRepository(health.db_path);
}

/**
 * Where the log stands: at `ref`, else the repository's own, else the only one that was fetched. A running daemon is
 * asked to seal what it acknowledged first, so that the answer holds it.
 * @throws WorldError `log-absent`
 */
export async function findLog(repository: Repository, ref: string | undefined): Promise<LogPlace> {
  await askDaemon(repository.commonDir, { op: 'flush' });
  const [place] = await findLogs(repository, { ref, worlds: [], incoming: [] });
  if (place === undefined) throw new WorldError('log-absent', 'there is no log');
  return place;
}

/**
 * Opens the log for reading entries.
 * @throws WorldError `log-absent` when the repository has no log yet, or whatever opening raises
 */
export async function readLog<T>(
  repository: Repository,
  use: (reader: EntryReader) => Promise<T>,
  ref?: string,
): Promise<T> {
  return using(await openEntryReader(repository, (await findLog(repository, ref)).ref), use);
}

/**
 * The same, for what also needs the state that follows from the entries: without an index that takes the whole log.
 * @throws as `readLog`
 */
export async function readState<T>(
  repository: Repository,
  use: (reader: LogReader) => Promise<T>,
  ref?: string,
): Promise<T> {
  return using(await openLogReader(repository, (await findLog(repository, ref)).ref), use);
}

async function using<Reader extends EntryReader, T>(reader: Reader, use: (reader: Reader) => Promise<T>): Promise<T> {
  try {
    return await use(reader);
  } finally {
    await reader.close();
  }
}
