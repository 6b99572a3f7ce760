/** The texts of POSIX errors, as Go prints them. */
const texts: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'device or resource busy',
  EDQUOT: 'disk quota exceeded',
  EEXIST: 'file exists',
  EFBIG: 'file too large',
  EINVAL: 'invalid argument',
  EIO: 'input/output error',
  EISDIR: 'is a directory',
  ELOOP: 'too many levels of symbolic links',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'file name too long',
  ENOENT: 'no such file or directory',
  ENOSPC: 'no space left on device',
  ENOTDIR: 'not a directory',
  ENOTEMPTY: 'directory not empty',
  ENXIO: 'not a regular file',
  EPERM: 'operation not permitted',
  EROFS: 'read-only file system',
  ETXTBSY: 'text file busy',
  EXDEV: 'invalid cross-device link',
};

/** The code of a failed system call; `EINVAL` for a path that no system call takes (a NUL byte). */
export function systemErrorCode(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code;
  if (code === 'ERR_INVALID_ARG_VALUE') return 'EINVAL';
  return typeof code === 'string' ? code : '';
}

export function systemErrorText(error: unknown): string {
  const code = systemErrorCode(error);
  return texts[code] ?? (error instanceof Error ? error.message : String(error));
}

/** A failure of our own that reads like one of the system. */
export function systemError(code: string, text?: string): Error & { readonly code: string } {
  return Object.assign(new Error(text ?? texts[code] ?? code), { code });
}
