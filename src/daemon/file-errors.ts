import { WorldError } from '../errors.js';

const CODES: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left',
  EDQUOT: 'the quota is used up',
  EEXIST: 'there is a file of that name',
  ENOTDIR: 'a part of the path is no directory',
  ENAMETOOLONG: 'the path is too long',
};

/** A refusal of the operating system as an error that names the path; anything else as it was. */
export function explainFileError(error: unknown): unknown {
  if (error instanceof WorldError || !(error instanceof Error)) return error;
  const { code = '', path } = error as NodeJS.ErrnoException;
  const reason = CODES[code];
  if (reason === undefined || path === undefined) return error;
  return new WorldError('unwritable', `cannot use ${path}: ${reason}`, {
    hint: 'make it yours and writable, or choose another place (--workspace-root, XDG_STATE_HOME)',
    data: { path, code },
    cause: error,
  });
}
