import { argument, optionalString, type Refusal } from './arguments.js';
import type { JsonRecord } from './types.js';

/**
 * Relative, non-empty, no `..` segment, no leading `-` (world-formats 5.3). It exists for a clear message only:
 * confinement is the policy layer's.
 */
export function isWorktreePath(path: string): boolean {
  if (path === '' || path.startsWith('/') || path.startsWith('-')) return false;
  return !path.split('/').includes('..');
}

/** Refuses a text argument that breaks the path rule; absent passes. */
export function worktreePath(args: JsonRecord, name: string): Refusal {
  const path = argument(args, name);
  if (typeof path !== 'string') return optionalString(args, name);
  if (isWorktreePath(path)) return null;
  return `path "${path}" refused: it must be relative and non-empty, with no ".." segment and no leading "-"`;
}
