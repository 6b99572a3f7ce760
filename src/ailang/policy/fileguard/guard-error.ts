import { quoted } from '../go-text.js';
import type { Protected } from '../protect.js';
import { systemErrorCode, systemErrorText } from './system-error.js';

/** The `at` calls by which the official toolchain names an operation. */
export type Operation = 'openat' | 'statat' | 'lstatat' | 'mkdirat' | 'unlinkat' | 'renameat';

/** A refused or failed operation under the sandbox root. `message` is what an agent or a program sees. */
export class GuardError extends Error {
  override readonly name: string = 'GuardError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The path leads out of the sandbox. */
export function escapes(path: string, root: string, detail = ''): GuardError {
  return new GuardError('escape', `path ${quoted(path)} escapes sandbox ${quoted(root)}${detail}`);
}

/** The file holds more bytes than one transfer may carry. */
export class TooLargeError extends GuardError {
  override readonly name = 'TooLargeError';
  readonly cap: number;

  constructor(path: string, cap: number) {
    super('too-large', `${path}: file exceeds the ${cap}-byte transfer cap`);
    this.cap = cap;
  }
}

/** The path is read-only under the policy. */
export class ProtectedError extends GuardError {
  override readonly name = 'ProtectedError';
  readonly reason: Protected;

  constructor(path: string, reason: Protected) {
    super('protected', `${path}: ${reason.by === 'git' ? 'under .git' : `matches ${reason.pattern}`}`);
    this.reason = reason;
  }
}

/** `openat nope.ail: no such file or directory`. */
export function failed(operation: Operation, path: string, error: unknown): GuardError {
  if (error instanceof GuardError) return error;
  return new GuardError(systemErrorCode(error), `${operation} ${path}: ${systemErrorText(error)}`);
}
