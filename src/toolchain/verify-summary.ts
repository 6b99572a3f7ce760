import { WorldError } from '../errors.js';
import type { EpisodePolicy, PolicyToolResponse } from './types.js';

/** The toolchain must have understood the very policy that the episode rendered. @throws WorldError */
export function verifySummary(policy: EpisodePolicy, { refused, summary }: PolicyToolResponse): void {
  if (summary === undefined)
    throw new WorldError(
      'policy-unusable',
      `the toolchain refuses the episode's policy: ${refused ?? 'it sent no summary'}`,
    );
  const expected = { policy_digest: policy.digest, fs_sandbox: policy.sandbox };
  for (const [key, value] of Object.entries(expected)) {
    if (summary[key] !== value)
      throw new WorldError('policy-mismatch', `the toolchain reports another ${key} than the episode rendered`, {
        data: { expected: value, reported: String(summary[key]) },
      });
  }
}
