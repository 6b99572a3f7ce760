import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { WorldError } from '../../errors.js';
import { errorCode } from '../file-system.js';
import { parsePrivateKey, type SshSigningKey } from './private-key.js';

const largest = 64 * 1024;

/**
 * Reads a signing key from a file that only its owner can read.
 * @throws WorldError `sign-key-unreadable`, `sign-key-exposed` when others could read or replace it, and as `parsePrivateKey`
 */
export async function readSigningKey(path: string): Promise<SshSigningKey> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    const why = errorCode(error) === 'ENOENT' ? 'there is no such file' : `it cannot be opened (${errorCode(error)})`;
    throw new WorldError('sign-key-unreadable', `the signing key ${path}: ${why}`, {
      hint: 'Make one: ssh-keygen -t ed25519 -N "" -f <file>',
      cause: error,
    });
  });
  try {
    // Of the open file, not of the name: it cannot be exchanged between the look and the reading.
    const { mode, uid, size } = await file.stat();
    if ((mode & constants.S_IFMT) !== constants.S_IFREG || size > largest)
      throw new WorldError('sign-key-unreadable', `the signing key ${path} is no key file`);
    if ((mode & 0o077) !== 0)
      throw new WorldError('sign-key-exposed', `others may read or write the signing key ${path}`, {
        hint: `chmod 600 '${path}' - and if others could have read it, make a new one`,
      });
    if (process.getuid !== undefined && uid !== process.getuid())
      throw new WorldError('sign-key-exposed', `the signing key ${path} belongs to another user`, {
        hint: 'Use a key of your own.',
      });
    return parsePrivateKey(await file.readFile('latin1'), path);
  } finally {
    await file.close();
  }
}
