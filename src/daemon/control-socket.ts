import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { WorldError } from '../errors.js';
import { shortDigest } from './places.js';

/** The shortest limit of the systems we run on (macOS), with its ending NUL. */
const LONGEST_SOCKET_PATH = 103;

/**
 * Path for the control socket of a repository, in a directory that only its owner can enter: below `XDG_RUNTIME_DIR`,
 * or the temporary directory when there is none or its path is too long for a socket.
 * @throws WorldError `control-directory` when the directory belongs to someone else or is open to others
 */
export async function prepareSocketPath(
  commonDir: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const runtime = env.XDG_RUNTIME_DIR;
  const bases = [...(runtime !== undefined && isAbsolute(runtime) ? [runtime] : []), env.TMPDIR ?? tmpdir(), '/tmp'];
  const name = join(`ailang-world-${userInfo().uid}`, `${shortDigest(commonDir)}.sock`);
  const path = bases
    .map((base) => join(base, name))
    .find((candidate) => Buffer.byteLength(candidate) <= LONGEST_SOCKET_PATH);
  if (path === undefined)
    throw new WorldError('control-directory', 'no directory is short enough for a control socket');
  await ensureOwnDirectory(join(path, '..'));
  return path;
}

async function ensureOwnDirectory(directory: string): Promise<void> {
  await mkdir(directory, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return;
    throw new WorldError('control-directory', `cannot make ${directory} (${error.code})`, {
      hint: 'set XDG_RUNTIME_DIR to a directory of yours',
      cause: error,
    });
  });
  // lstat: a link planted in a shared temporary directory must not lead us elsewhere.
  const info = await lstat(directory);
  if (!info.isDirectory() || info.uid !== userInfo().uid || (info.mode & 0o077) !== 0)
    throw new WorldError('control-directory', `${directory} is not a directory that only you can enter`, {
      hint: 'remove it, or set XDG_RUNTIME_DIR to a directory of yours',
    });
}
