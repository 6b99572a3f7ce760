import { knownCapabilities, restrictedCapabilities } from './capabilities.js';
import type { PolicyDocument } from './decode.js';
import { duration, quoted } from './go-text.js';
import { parseNetAllow, restrictedObjection } from './net-allow.js';
import type { Policy, SecurityMode } from './policy.js';

const dayMs = 24 * 60 * 60 * 1000;
const restrictedDefaults = {
  max_source_bytes: 1024 * 1024,
  max_module_graph_bytes: 16 * 1024 * 1024,
  max_output_bytes: 8 * 1024 * 1024,
  max_fs_transfer_bytes: 8 * 1024 * 1024,
} as const;
const byteKeys = ['max_source_bytes', 'max_module_graph_bytes', 'max_output_bytes', 'max_fs_transfer_bytes'] as const;
const restrictedProcesses = ['git:status', 'git:diff', 'git:log'];

/**
 * Judges a decoded policy, rule by rule in the order of ailang-cli section 3.
 * @throws Error with the text that follows `policy: <path>: `
 */
export function resolvePolicy(document: PolicyDocument, path: string, digest: string): Policy {
  const mode = securityMode(document.security_mode);
  const restricted = mode === 'restricted';
  const caps = capabilities(document.allowed_caps, restricted);
  const has = (name: string): boolean => caps.includes(name);
  if (has('FS') && document.fs_sandbox === '')
    throw new Error('policy admits FS but sets no fs_sandbox — refusing to run FS unsandboxed');
  checkNet(document, has, restricted);
  checkProcess(document, has, restricted);
  checkAi(document, has, restricted);
  checkDenyWrite(document, has);
  checkNumbers(document, has);
  const limit = (key: (typeof byteKeys)[number]): number =>
    document[key] === 0 && restricted ? restrictedDefaults[key] : document[key];
  return {
    path,
    digest,
    securityMode: mode,
    caps,
    fsSandbox: has('FS') ? document.fs_sandbox : '',
    fsDenyWrite: document.fs_deny_write,
    netAllow: document.net_allow,
    netAllowHttp: document.net_allow_http,
    processAllow: document.process_allow,
    cliAllow: document.cli_allow,
    budgets: document.budgets,
    timeoutMs: document.timeout_ms ?? 5000,
    limits: {
      max_fs_transfer_bytes: limit('max_fs_transfer_bytes'),
      max_module_graph_bytes: limit('max_module_graph_bytes'),
      max_output_bytes: limit('max_output_bytes'),
      max_source_bytes: limit('max_source_bytes'),
    },
    aiProvider: document.ai_provider,
    entry: document.entry === '' ? 'main' : document.entry,
  };
}

function securityMode(text: string): SecurityMode {
  if (text === '' || text === 'restricted') return 'restricted';
  if (text === 'trusted_host') return text;
  throw new Error(`security_mode ${quoted(text)} is not one of "restricted", "trusted_host"`);
}

function capabilities(names: readonly string[], restricted: boolean): readonly string[] {
  const seen = new Set<string>();
  for (const name of names) {
    if (!knownCapabilities.includes(name))
      throw new Error(`allowed_caps names unknown capability ${quoted(name)} (known: ${knownCapabilities.join(',')})`);
    if (seen.has(name)) throw new Error(`allowed_caps lists ${quoted(name)} twice`);
    seen.add(name);
    if (restricted && !restrictedCapabilities.includes(name))
      throw new Error(
        `allowed_caps admits ${name}, which restricted mode has no confined adapter for — set security_mode = "trusted_host" to run it unconfined (restricted admits: ${restrictedCapabilities.join(',')})`,
      );
  }
  return [...seen].sort();
}

type Has = (capability: string) => boolean;

function checkNet(document: PolicyDocument, has: Has, restricted: boolean): void {
  const entries = document.net_allow;
  const unnamed = 'sets no net_allow — name the hosts or drop';
  if (has('Net') && entries.length === 0) throw new Error(`policy admits Net but ${unnamed} Net`);
  if (entries.length > 0 && !has('Net') && !has('Stream'))
    throw new Error('net_allow is set but neither Net nor Stream is in allowed_caps');
  if (has('Stream') && entries.length === 0) throw new Error(`policy admits Stream but ${unnamed} Stream`);
  for (const entry of entries) {
    const target = netTarget(entry);
    const objection = restricted ? restrictedObjection(target) : null;
    if (objection !== null) throw new Error(`net_allow entry ${quoted(entry)} ${objection}`);
  }
}

function netTarget(entry: string) {
  try {
    return parseNetAllow(entry);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`net_allow entry ${quoted(entry)} is malformed: ${reason} (want host, host:PORT or [IPv6]:PORT)`);
  }
}

function checkProcess(document: PolicyDocument, has: Has, restricted: boolean): void {
  const entries = document.process_allow;
  if (has('Process') && entries.length === 0)
    throw new Error('policy admits Process but sets no process_allow — name the commands or drop Process');
  if (!has('Process') && entries.length > 0) throw new Error('process_allow is set but Process is not in allowed_caps');
  for (const entry of entries) {
    if (!/^[^\s:/*]+(:([^\s:/*]+|\*))?$/.test(entry))
      throw new Error(`process_allow entry ${quoted(entry)} is malformed (want cmd, cmd:sub or cmd:*)`);
    if (restricted && !restrictedProcesses.includes(entry))
      throw new Error(
        `process_allow entry ${quoted(entry)} has no confined adapter — restricted mode admits only ${restrictedProcesses.join(', ')}`,
      );
  }
}

function checkAi(document: PolicyDocument, has: Has, restricted: boolean): void {
  if (has('AI') && document.ai_provider === '')
    throw new Error('policy admits AI but sets no ai_provider — name the provider or drop AI');
  if (!has('AI') && document.ai_provider !== '') throw new Error('ai_provider is set but AI is not in allowed_caps');
  if (restricted && has('AI') && document.budgets.AI === undefined)
    throw new Error('policy admits AI in restricted mode but sets no [budgets] AI — bound the calls');
}

function checkDenyWrite(document: PolicyDocument, has: Has): void {
  for (const pattern of document.fs_deny_write) {
    const text = pattern.trim();
    if (text === '' || /^[/\\]/.test(text) || text.split(/[/\\]/).includes('..'))
      throw new Error(`fs_deny_write pattern ${quoted(pattern)} must be relative to fs_sandbox with no traversal`);
  }
  if (document.fs_deny_write.length > 0 && !has('FS'))
    throw new Error('fs_deny_write is set but FS is not in allowed_caps');
}

function checkNumbers(document: PolicyDocument, has: Has): void {
  const timeout = document.timeout_ms ?? 5000;
  if (timeout <= 0) throw new Error(`timeout_ms must be positive, got ${timeout}`);
  if (timeout > dayMs) throw new Error(`timeout_ms ${timeout} exceeds the ${duration(dayMs)} ceiling`);
  for (const key of byteKeys) {
    if (document[key] < 0) throw new Error(`${key} must not be negative, got ${document[key]}`);
  }
  for (const [name, limit] of Object.entries(document.budgets)) {
    if (limit < 0) throw new Error(`budgets.${name} must not be negative, got ${limit}`);
    if (!has(name)) throw new Error(`budgets names ${name}, which is not in allowed_caps`);
  }
}
