import { buildArgv } from './cli-argv.js';
import { admittedOperations, allowedText, cliOperations } from './cli-table.js';
import { fileOperation, isFileOperation, protectedText } from './file-ops.js';
import { FileGuard } from './fileguard/fileguard.js';
import { GuardError, ProtectedError } from './fileguard/guard-error.js';
import { quoted } from './go-text.js';
import type { Policy } from './policy.js';
import { protection } from './protect.js';
import { type PolicySummary, type PolicyToolReply, Refusal, refused } from './reply.js';
import { checkRequest, type PolicyToolCall, parseRequest } from './request.js';

export interface CommandOutcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Runs a command of the toolchain; `root` is its working directory, null for one that needs none. */
export type RunCommand = (argv: readonly string[], root: string | null) => CommandOutcome | Promise<CommandOutcome>;

/**
 * One `policy-tool` request (ailang-cli section 1). Refusals are answers; it rejects only when `runCommand` does.
 * @param request a decoded value, or the JSON text of one
 */
export async function policyTool(policy: Policy, request: unknown, runCommand: RunCommand): Promise<PolicyToolReply> {
  try {
    const call = typeof request === 'string' ? parseRequest(request) : checkRequest(request);
    if (call.op === 'summary') return { ok: true, summary: summarize(policy) };
    if (isFileOperation(call.op)) return withGuard(policy, (guard) => fileOperation(policy, granted(guard), call));
    if (!Object.hasOwn(cliOperations, call.op)) throw unknownOperation(call.op);
    const argv = withGuard(policy, (guard) => commandLine(policy, call, guard));
    const root = cliOperations[call.op]!.inRoot ? policy.fsSandbox : null;
    return commandReply(policy, call, argv, await runCommand(argv, root));
  } catch (error) {
    if (error instanceof Refusal) return refused(error.message);
    throw error;
  }
}

export function summarize(policy: Policy): PolicySummary {
  const cli = admittedOperations(policy.cliAllow);
  return {
    security_mode: policy.securityMode,
    policy_digest: policy.digest,
    fs_sandbox: policy.fsSandbox,
    caps: [...policy.caps],
    net_allow: [...policy.netAllow],
    process_allow: [...policy.processAllow],
    cli: cli.length === 0 ? null : cli,
    ops: [...cli, 'edit', 'read', 'summary', 'write'].sort(),
    timeout_ms: policy.timeoutMs,
  };
}

/** The tools' guard: `.git` is protected from them in both security modes. Null when the policy admits no FS. */
function withGuard<T>(policy: Policy, use: (guard: FileGuard | null) => T): T {
  if (policy.fsSandbox === '') return use(null);
  let guard: FileGuard;
  try {
    guard = new FileGuard(policy.fsSandbox, protection(policy.fsDenyWrite, true));
  } catch (error) {
    throw error instanceof GuardError ? new Refusal(`policy-tool: ${error.message}`) : error;
  }
  try {
    return use(guard);
  } finally {
    guard.close();
  }
}

function granted(guard: FileGuard | null): FileGuard {
  if (guard !== null) return guard;
  throw new Refusal('the policy admits no FS: file tools are not granted (allowed_caps lacks FS)');
}

function unknownOperation(op: string): Refusal {
  const ops = [...Object.keys(cliOperations), 'edit', 'read', 'summary', 'write'].sort();
  return new Refusal(`unknown op ${quoted(op)} (ops: ${ops.join(', ')})`);
}

function commandLine(policy: Policy, call: PolicyToolCall, guard: FileGuard | null): readonly string[] {
  const operation = cliOperations[call.op]!;
  if (!admittedOperations(policy.cliAllow).includes(call.op))
    throw new Refusal(`op ${call.op} is not in the policy's cli_allow (${allowedText(policy.cliAllow)})`);
  const argv = buildArgv(operation, call, policy.path, guard);
  if (operation.inRoot && guard === null)
    throw new Refusal(`op ${call.op} needs the sandbox root, and the policy admits no FS`);
  if (call.op === 'fmt' && call.flags.has('write') && guard !== null) refuseProtectedTarget(call, guard);
  return argv;
}

function refuseProtectedTarget(call: PolicyToolCall, guard: FileGuard): void {
  const { path } = call.fields;
  try {
    guard.checkWritable(path);
  } catch (error) {
    throw error instanceof ProtectedError ? new Refusal(protectedText(call.op, path, error.reason)) : error;
  }
}

const defaultOutputBytes = 8 * 1024 * 1024;

function commandReply(
  policy: Policy,
  call: PolicyToolCall,
  argv: readonly string[],
  outcome: CommandOutcome,
): PolicyToolReply {
  const budget = policy.limits.max_output_bytes || defaultOutputBytes;
  const total = Buffer.byteLength(outcome.stdout) + Buffer.byteLength(outcome.stderr);
  const code = outcome.exitCode === 0 ? {} : { exit_code: outcome.exitCode };
  if (total > budget && call.flags.has('json'))
    return {
      ok: false,
      refused: `op ${call.op} produced ${total} bytes of --json output, over the policy's max_output_bytes (${budget}); a cut document would not parse, so none is returned`,
      argv,
      ...code,
    };
  const stdout = cut(outcome.stdout, budget, total, budget);
  const stderr = cut(outcome.stderr, Math.max(0, budget - Buffer.byteLength(outcome.stdout)), total, budget);
  return {
    ok: outcome.exitCode === 0,
    argv,
    ...code,
    ...(stdout === '' ? {} : { stdout }),
    ...(stderr === '' ? {} : { stderr }),
  };
}

/** At most `room` bytes, ending at a character, then the mark of what is missing. */
function cut(text: string, room: number, total: number, budget: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= room) return text;
  let end = room;
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--;
  return `${bytes.toString('utf8', 0, end)}\n…[truncated: ${total} bytes total, over the policy's max_output_bytes (${budget})]`;
}
