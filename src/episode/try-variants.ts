import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EpisodeId } from '../log/types.js';
import type { Toolchain } from '../toolchain/types.js';
import { BASE_CAPS, type RunAllowance, writePolicy } from './policy.js';

/**
 * Has the toolchain read one policy for each capability the operator enables, so that a daemon whose runs would all fail
 * does not start. Nothing runs; every episode's own variants are confirmed again before their first use.
 * @throws WorldError `policy-unusable`, `policy-mismatch`, `policy-path`
 */
export async function tryVariants(toolchain: Toolchain, allowance: RunAllowance, stateDir: string): Promise<void> {
  if (allowance.caps.length === 0) return;
  const directory = await realpath(await mkdtemp(join(stateDir, 'variants-')));
  try {
    const sandbox = join(directory, 'sandbox');
    await mkdir(sandbox);
    for (const cap of allowance.caps) {
      const policy = await writePolicy(directory, PROBE, sandbox, [...BASE_CAPS, cap], allowance);
      await toolchain.openEpisode(policy);
      await toolchain.closeEpisode(policy);
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const PROBE = 'probe' as EpisodeId;
