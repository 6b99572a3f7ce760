import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SourceHost } from '../../interfaces.js';
import type { FileGuard } from '../../policy/fileguard/fileguard.js';
import { GuardError } from '../../policy/fileguard/guard-error.js';
import { systemErrorCode } from '../../policy/fileguard/system-error.js';

/** A program's files are more than its policy lets it load. */
export class SourceTooLarge extends Error {}

/** Reads source files below a guarded root. @param cap most bytes of one file, 0 for no limit */
export function guardedSources(guard: FileGuard, cap: number): SourceHost {
  return {
    read(path) {
      try {
        return guard.readFile(path, cap).toString('utf8');
      } catch (error) {
        if (error instanceof GuardError && missing.has(error.code)) return null;
        throw error;
      }
    },
  };
}

/** Reads source files below a directory, as the user could himself. */
export function plainSources(directory: string): SourceHost {
  return {
    read(path) {
      try {
        return readFileSync(resolve(directory, path), 'utf8');
      } catch (error) {
        if (missing.has(systemErrorCode(error))) return null;
        throw error;
      }
    },
  };
}

const missing = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

/**
 * Each file is read once, so that the bytes that were admitted are the bytes that run; all together are bounded.
 * @param limit bytes, 0 for no limit
 */
export function frozenSources(host: SourceHost, limit: number): SourceHost {
  const files = new Map<string, string | null>();
  let total = 0;
  return {
    read(path) {
      const known = files.get(path);
      if (known !== undefined) return known;
      const text = host.read(path);
      total += text === null ? 0 : Buffer.byteLength(text);
      if (limit > 0 && total > limit)
        throw new SourceTooLarge(`module graph size ${total} exceeds max_module_graph_bytes=${limit}`);
      files.set(path, text);
      return text;
    },
  };
}
