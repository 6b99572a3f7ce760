import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { decodePolicy } from './decode.js';
import { systemErrorText } from './fileguard/system-error.js';
import { type Policy, PolicyError } from './policy.js';
import { resolvePolicy } from './resolve.js';

/**
 * Reads and judges a policy file.
 * @throws PolicyError `policy: cannot read <path>: …` or `policy: <path>: …`
 */
export const loadPolicy = (path: string): Policy => loadPolicyText(path).policy;

/** The policy and the very text it was read from. @throws PolicyError */
export function loadPolicyText(path: string): { readonly policy: Policy; readonly text: string } {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new PolicyError(`policy: cannot read ${path}: open ${path}: ${systemErrorText(error)}`);
  }
  return { policy: parsePolicy(path, bytes), text: bytes.toString('utf8') };
}

/** The same for bytes already read. @throws PolicyError */
export function parsePolicy(path: string, bytes: Buffer): Policy {
  try {
    const digest = createHash('sha256').update(bytes).digest('hex');
    return resolvePolicy(decodePolicy(bytes.toString('utf8')), path, digest);
  } catch (error) {
    throw new PolicyError(`policy: ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
