import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { WorldError } from '../errors.js';

/**
 * Writes a token to a file only its owner can read (0600), whole or not at all.
 * @throws WorldError `token-file-exists` when `replace` is false and the file is there; `unwritable`
 */
export async function writeTokenFile(file: string, token: string, options: { replace: boolean }): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(`${token}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // A link fails when the name is taken; a rename would overwrite it.
    if (options.replace) await rename(temporary, file);
    else await link(temporary, file);
  } catch (cause) {
    throw explain(file, cause);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** The token a file holds; undefined when there is no file or no token in it. */
export async function readTokenFile(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return /^[0-9a-f]{64}\n?$/.test(text) ? text.trim() : undefined;
}

function explain(file: string, cause: unknown): WorldError {
  const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
  if (code === 'EEXIST')
    return new WorldError('token-file-exists', `${file} exists; a token file is never overwritten`, {
      hint: 'give another --out, or remove the file',
      cause,
    });
  return new WorldError('unwritable', `cannot write the token file ${file} (${code})`, {
    hint: 'check that its directory exists and belongs to you',
    cause,
  });
}
