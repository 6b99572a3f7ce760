import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ObjectFormat } from '../../src/git/types.js';

/** Runs git with an identity and without the user's configuration. */
export function runGit(cwd: string, args: readonly string[], env: Record<string, string> = {}): string {
  return execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
    .toString()
    .trim();
}

export function makeRepository(directory: string, format: ObjectFormat = 'sha1'): void {
  runGit(directory, ['init', '-q', `--object-format=${format}`]);
}

/** The tree `git add -A` would make, through an index of its own. */
export function gitTree(root: string): string {
  const index = join(root, '.git', 'test-index');
  rmSync(index, { force: true });
  const copy = join(root, '.git', 'index');
  try {
    execFileSync('cp', [copy, index], { stdio: 'ignore' });
  } catch {
    // No index yet.
  }
  const env = { GIT_INDEX_FILE: index };
  runGit(root, ['-c', 'advice.addEmbeddedRepo=false', '-c', 'core.autocrlf=false', 'add', '-A'], env);
  return runGit(root, ['write-tree'], env);
}
