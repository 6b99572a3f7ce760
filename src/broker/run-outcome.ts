import type { JsonObject, JsonValue } from '../log/types.js';
import type { RunPolicy, RunResult } from '../toolchain/types.js';

/** Lines are split at LF only: a program's CR or U+2028 must not start a line of the supervisor's. */
interface SupervisorLine {
  readonly at: number;
  readonly value: JsonObject;
}

/**
 * What the agent is told about a run: one of the four outcome shapes (world-formats 19.2), or null when the output fits
 * none of them. Success is never inferred from the exit code, and the supervisor's own lines come after everything the
 * program wrote.
 */
export function runOutcome(result: RunResult, policy: RunPolicy): JsonObject | null {
  const { exitCode, stdout, stderr } = result;
  if (exitCode === null) return null;
  const reported = { exit_code: exitCode, stdout, stderr, policy: policyOf(policy) };
  const admission = lastLine(stderr, 'policy: ', policy.digest);
  const ended = lastLine(stderr, 'policy-result: ', policy.digest);
  if (exitCode === 3 && ended !== null && ended.at > (admission?.at ?? -1)) {
    const limit = limitOf(ended.value);
    if (limit !== null) {
      return { admitted: admission !== null, decision: decisionOf(admission?.value), limit, ...reported };
    }
  }
  if (admission !== null) {
    const decision = decisionOf(admission.value);
    return decision === null ? null : { admitted: true, decision, limit: null, ...reported };
  }
  const refusal = (exitCode === 1 || exitCode === 2) && stderr === '' ? parseObject(stdout) : null;
  const decision = decisionOf(refusal ?? undefined);
  if (decision === null || decision.ok !== false) return null;
  return { admitted: false, decision, limit: null, ...reported };
}

function policyOf(policy: RunPolicy): JsonObject {
  return {
    digest: policy.digest,
    security_mode: policy.securityMode,
    caps: policy.caps,
    net_allow: policy.netAllow,
  };
}

/**
 * The last line of this kind under the policy that ran. A program may leave its last line unfinished, so the
 * supervisor's text may stand at the end of a line, too.
 */
function lastLine(stderr: string, prefix: string, digest: string): SupervisorLine | null {
  const lines = stderr.split('\n');
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at] ?? '';
    for (let start = line.lastIndexOf(`${prefix}{`); start >= 0; ) {
      const value = parseObject(line.slice(start + prefix.length));
      if (value !== null && value.policy_digest === digest) return { at, value };
      start = start === 0 ? -1 : line.lastIndexOf(`${prefix}{`, start - 1);
    }
  }
  return null;
}

function limitOf(value: JsonObject): JsonObject | null {
  const { reason, stage, message } = value;
  if (typeof reason !== 'string' || typeof stage !== 'string') return null;
  return typeof message === 'string' ? { reason, stage, message } : { reason, stage };
}

function decisionOf(value: JsonObject | undefined): JsonObject | null {
  const decision = value?.decision;
  return isObject(decision) ? decision : null;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseObject(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
