import { duration, goJson } from '../../policy/go-text.js';
import type { Policy } from '../../policy/policy.js';
import type { Decision, ModuleGraph } from './admission.js';

/** The supervisor's own line about an admitted run, without the newline; keys in the order of ailang-cli 4.3. */
export function policyLine(policy: Policy, graph: ModuleGraph, decision: Decision): string {
  return `policy: ${goJson({
    ok: decision.ok,
    policy: policy.path,
    policy_digest: policy.digest,
    security_mode: policy.securityMode,
    caps: policy.caps,
    fs_sandbox: policy.fsSandbox,
    net_allow: policy.netAllow,
    process_allow: policy.processAllow,
    ai_provider: policy.aiProvider,
    entry: policy.entry,
    timeout_ms: policy.timeoutMs,
    ...(Object.keys(policy.budgets).length === 0 ? {} : { budgets: policy.budgets }),
    limits: policy.limits,
    module_graph: graph,
    decision,
  })}`;
}

export type LimitReason = 'timeout' | 'output_limit' | 'worker_failed' | 'no_decision';

/** The line that says which limit ended a run (ailang-cli 4.4); keys in alphabetical order. */
export function policyResultLine(
  policy: Policy,
  reason: LimitReason,
  stage: 'admit' | 'execute',
  message: string,
): string {
  return `policy-result: ${goJson({
    message,
    policy_digest: policy.digest,
    reason,
    security_mode: policy.securityMode,
    stage,
    version: 1,
  })}`;
}

export const timeoutMessage = (policy: Policy): string =>
  `exceeded timeout_ms (${duration(policy.timeoutMs)}); worker process group killed`;

export const outputLimitMessage = (limit: number): string =>
  `combined stdout+stderr exceeded max_output_bytes (${limit}); worker killed`;
