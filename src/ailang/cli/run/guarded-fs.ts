import type { EffectHost } from '../../interfaces.js';
import type { FileGuard } from '../../policy/fileguard/fileguard.js';
import { GuardError, ProtectedError, TooLargeError } from '../../policy/fileguard/guard-error.js';
import { rootRelative } from '../../policy/fileguard/lexical.js';
import { quoted } from '../../policy/go-text.js';
import type { Policy } from '../../policy/policy.js';
import { shelters } from '../../policy/protect.js';

/** The FS effect of a program under a policy: everything below the sandbox, nothing protected, transfers bounded. */
export function guardedFs(policy: Policy, guard: FileGuard): NonNullable<EffectHost['fs']> {
  const cap = policy.limits.max_fs_transfer_bytes;
  return {
    readFile: (path) => explained(path, () => guard.readFile(path, cap)),
    writeFile: (path, content, append) => {
      explained(path, () => guard.checkWritable(path));
      if (cap > 0 && content.length > cap)
        throw new Error(
          `E_FS_WRITE_TOO_LARGE: ${path} would receive ${content.length} bytes, cap ${cap} (the policy's max_fs_transfer_bytes)`,
        );
      explained(path, () => guard.writeFile(path, content, append ? 'append' : 'truncate'));
    },
    stat: (path) => {
      try {
        const kind = guard.stat(path);
        return kind === 'symlink' ? 'other' : kind;
      } catch (error) {
        // A probe answers; it neither fails nor tells what lies outside.
        if (error instanceof GuardError) return null;
        throw error;
      }
    },
    listDir: (path) => explained(path, () => guard.listDir(path)),
    mkdir: (path, recursive) => explained(path, () => guard.mkdir(path, recursive)),
    remove: (path) => explained(path, () => guard.remove(path)),
    rename: (from, to) => {
      explained(from, () => refuseSheltering(policy, guard, from));
      explained(from, () => guard.rename(from, to));
    },
  };
}

function refuseSheltering(policy: Policy, guard: FileGuard, from: string): void {
  if (!shelters(policy.fsDenyWrite, rootRelative(guard.root, from).split('/'))) return;
  throw new Error(`E_FS_PROTECTED: ${from} holds paths that are read-only under this policy`);
}

function explained<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ProtectedError) throw new Error(protectedText(path, error));
    if (error instanceof TooLargeError)
      throw new Error(
        `E_FS_READ_TOO_LARGE: ${path} holds more than ${error.cap} bytes (the policy's max_fs_transfer_bytes)`,
      );
    throw error;
  }
}

const protectedText = (path: string, { reason }: ProtectedError): string =>
  reason.by === 'git'
    ? `E_FS_PROTECTED: ${path} is under .git, which is read-only in restricted mode`
    : `E_FS_PROTECTED: ${path} matches fs_deny_write ${quoted(reason.pattern)} — read-only under this policy`;
