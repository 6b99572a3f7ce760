import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { WorldError } from '../../errors.js';
import { usageError } from '../arguments.js';
import type { Io } from '../verb.js';

const TOKEN = /^[0-9a-fA-F]{64}$/;
const MAX_FILE_BYTES = 256;

/**
 * Finds the session token for a client verb: `--session`, else `WORLD_SESSION`. 64 hex digits are the token itself,
 * anything else names a file of at most 256 bytes that holds it (world-behaviour 1.5). Never prints the token.
 * @throws WorldError `usage` when neither is given; `session-file` when the file does not hold a token
 */
export async function resolveToken(flag: string | undefined, io: Io): Promise<string> {
  const value = flag ?? io.env.WORLD_SESSION;
  if (value === undefined || value === '')
    throw usageError(
      'no session: give --session <file> or set WORLD_SESSION',
      'ailang-worldd up prints the file it wrote',
    );
  if (TOKEN.test(value)) {
    if (flag !== undefined)
      io.stderr.write('ailang-worldd: warning: a token on the command line is visible to others; use a file\n');
    return value;
  }
  return readTokenFile(resolve(io.cwd, value), io);
}

/** The token when one is given or set, undefined otherwise: reads are open, but carry it when they can. */
export async function optionalToken(flag: string | undefined, io: Io): Promise<string | undefined> {
  return flag === undefined && !io.env.WORLD_SESSION ? undefined : resolveToken(flag, io);
}

async function readTokenFile(file: string, io: Io): Promise<string> {
  const info = await stat(file).catch((cause: unknown) => {
    throw new WorldError('session-file', `cannot read the session file ${file}`, {
      hint: 'ailang-worldd session new <episode> --out <file> writes one',
      cause,
    });
  });
  if (!info.isFile() || info.size > MAX_FILE_BYTES)
    throw new WorldError('session-file', `${file} is not a session file: expected at most ${MAX_FILE_BYTES} bytes`);
  if ((info.mode & 0o077) !== 0)
    io.stderr.write(`ailang-worldd: warning: ${file} can be read by others; chmod 600 it\n`);
  const text = (await readFile(file, 'utf8')).trim();
  if (!TOKEN.test(text)) throw new WorldError('session-file', `${file} does not hold a session token (64 hex digits)`);
  return text;
}
