import { WorldError } from '../errors.js';
import type { PolicyToolResponse, RunPolicy } from './types.js';

/**
 * The toolchain must have understood the very policy that was rendered: mode, exact capabilities, exact addresses,
 * sandbox and bytes. With any difference it never runs. @throws WorldError `policy-unusable`, `policy-mismatch`
 */
export function verifySummary(policy: RunPolicy, { refused, summary }: PolicyToolResponse): void {
  if (summary === undefined)
    throw new WorldError(
      'policy-unusable',
      `the toolchain refuses the episode's policy: ${refused ?? 'it sent no summary'}`,
    );
  const expected = {
    security_mode: policy.securityMode,
    caps: [...policy.caps].sort(),
    net_allow: policy.netAllow,
    fs_sandbox: policy.sandbox,
    policy_digest: policy.digest,
  };
  const reported = { ...summary, caps: sorted(summary.caps), net_allow: summary.net_allow ?? [] };
  for (const [key, value] of Object.entries(expected)) {
    const found = JSON.stringify(reported[key as keyof typeof reported]);
    if (found !== JSON.stringify(value))
      throw new WorldError('policy-mismatch', `the toolchain reports another ${key} than the episode rendered`, {
        data: { expected: JSON.stringify(value), reported: found ?? 'nothing' },
      });
  }
}

const sorted = (caps: unknown): unknown => (Array.isArray(caps) ? [...caps].sort() : caps);
