import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../../src/ailang/package-root.js';

export const programFile = join(packageRoot(), 'dist', 'ailang.js');

/** Runs the bundled `ailang` program. */
export function ailang(
  args: readonly string[],
  options: { readonly cwd?: string; readonly input?: string; readonly env?: NodeJS.ProcessEnv } = {},
) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [programFile, ...args], {
    cwd: options.cwd,
    input: options.input ?? '',
    env: { ...process.env, ...options.env },
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { status, stdout, stderr };
}
