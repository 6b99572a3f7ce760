import { constants } from 'node:fs';
import { join } from 'node:path';
import { WorldError } from '../errors.js';
import { errorCode, type FileSystem } from './file-system.js';
import { oidLength } from './oid.js';
import type { GitOid, Repository } from './types.js';

/** What a loose ref file or the packed list says about a ref. */
export type StoredRef =
  | { readonly kind: 'oid'; readonly oid: GitOid }
  | { readonly kind: 'symbolic' }
  | { readonly kind: 'corrupt'; readonly bytes: number }
  | { readonly kind: 'none' };

/** Where a shared ref's loose file is: in the common directory, for every worktree the same. */
export function looseRefPath(repository: Repository, name: string): string {
  return join(repository.commonDir, name);
}

/** The loose file first, then the packed list: `git pack-refs` writes the list before it removes the file. */
export async function readStoredRef(files: FileSystem, repository: Repository, name: string): Promise<StoredRef> {
  const loose = await readLoose(files, repository, name);
  return loose.kind === 'none' ? readPacked(files, repository, name) : loose;
}

async function readLoose(files: FileSystem, repository: Repository, name: string): Promise<StoredRef> {
  const path = looseRefPath(repository, name);
  let text: string;
  try {
    text = (await files.readFile(path, constants.O_RDONLY | constants.O_NOFOLLOW)).toString('latin1');
  } catch (error) {
    switch (errorCode(error)) {
      case 'ENOENT':
      case 'ENOTDIR':
      case 'EISDIR':
        return { kind: 'none' };
      case 'ELOOP':
        return { kind: 'symbolic' };
      default:
        throw error;
    }
  }
  if (text.startsWith('ref:')) return { kind: 'symbolic' };
  const oid = text.slice(0, oidLength(repository.objectFormat));
  const whole = oid.length === oidLength(repository.objectFormat) && /^[0-9a-f]+$/.test(oid);
  if (!whole || /^\S/.test(text.slice(oid.length))) return { kind: 'corrupt', bytes: text.length };
  return { kind: 'oid', oid: oid as GitOid };
}

async function readPacked(files: FileSystem, repository: Repository, name: string): Promise<StoredRef> {
  const list = await readPackedList(files, repository);
  const digits = oidLength(repository.objectFormat);
  const wanted = Buffer.from(` ${name}\n`);
  for (let at = list.indexOf(wanted); at >= 0; at = list.indexOf(wanted, at + 1)) {
    const start = at - digits;
    const oid = list.toString('latin1', start, at);
    if (start < 0 || (start > 0 && list[start - 1] !== 0x0a) || !/^[0-9a-f]+$/.test(oid)) continue;
    return { kind: 'oid', oid: oid as GitOid };
  }
  return { kind: 'none' };
}

async function readPackedList(files: FileSystem, repository: Repository): Promise<Buffer> {
  return files.readFile(join(repository.commonDir, 'packed-refs')).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
}

/** A packed ref that is a directory of `name`, or that `name` would be a directory of. */
export async function packedConflict(
  files: FileSystem,
  repository: Repository,
  name: string,
): Promise<string | undefined> {
  const list = (await readPackedList(files, repository)).toString();
  for (const line of list.split('\n')) {
    const other = line.slice(line.indexOf(' ') + 1);
    if (other !== '' && !line.startsWith('#') && !line.startsWith('^')) {
      if (other.startsWith(`${name}/`) || name.startsWith(`${other}/`)) return other;
    }
  }
  return undefined;
}

/**
 * Refuses a name that git would refuse, and any ref that is not shared by all worktrees.
 * @throws WorldError `bad-ref-name`
 */
export function checkRefName(name: string): void {
  const parts = name.split('/');
  const bad =
    parts[0] !== 'refs' ||
    parts.length < 3 ||
    /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\.$/.test(name) ||
    parts.some((part) => part === '' || part.startsWith('.') || part.endsWith('.lock'));
  if (bad || ['bisect', 'worktree', 'rewritten'].includes(parts[1] ?? '')) {
    throw new WorldError('bad-ref-name', `not the name of a shared ref: ${JSON.stringify(name.slice(0, 200))}`);
  }
}
