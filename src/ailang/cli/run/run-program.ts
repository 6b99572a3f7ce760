import { resolve } from 'node:path';
import { run } from '../../eval/run.js';
import type { EffectHost, RunOutcome } from '../../interfaces.js';
import { FileGuard } from '../../policy/fileguard/fileguard.js';
import { GuardError } from '../../policy/fileguard/guard-error.js';
import { rootRelative } from '../../policy/fileguard/lexical.js';
import { goJson } from '../../policy/go-text.js';
import { parsePolicy } from '../../policy/policy-file.js';
import { protection } from '../../policy/protect.js';
import { admit } from './admission.js';
import { type WriteOutput, writeAll } from './console.js';
import { performable, policyHost, unperformable } from './host.js';
import type { ChildMessage, ChildRequest } from './messages.js';
import { policyLine } from './policy-line.js';

/**
 * Admits and runs one program under a policy, in the process (and thread) it is called in.
 * @param net what carries out requests, should the policy admit Net
 * @param write where its output goes, by descriptor
 * @returns the exit code
 */
export function runUnderPolicy(
  request: ChildRequest,
  net: NonNullable<EffectHost['net']>,
  say: (message: ChildMessage) => void,
  write: WriteOutput = writeAll,
): number {
  const refuse = (message: string): number => {
    say({ kind: 'refused', message });
    return 1;
  };
  const policy = parsePolicy(request.policyPath, Buffer.from(request.policyText));
  let guard: FileGuard;
  let path: string;
  try {
    const protect = protection(policy.fsDenyWrite, policy.securityMode === 'restricted');
    guard = new FileGuard(policy.fsSandbox || request.cwd, protect);
  } catch (error) {
    if (error instanceof GuardError) return refuse(`E_FS_SANDBOX_UNAVAILABLE: ${error.message}`);
    throw error;
  }
  try {
    path = rootRelative(guard.root, resolve(request.cwd, request.file));
  } catch {
    return refuse(
      `program ${request.file} is outside fs_sandbox ${policy.fsSandbox} — a program runs only from inside the sandbox`,
    );
  }
  const admission = admit(policy, guard, path, request.file);
  if (admission.kind === 'refused') return refuse(admission.message);
  if (admission.kind === 'denied') {
    say({ kind: 'denied', document: `${goJson(admission.document, 2)}\n`, exitCode: admission.exitCode });
    return admission.exitCode;
  }
  const impossible = unperformable(admission.entry.effects, [...performable, 'Net']);
  if (impossible !== null) return refuse(impossible);
  say({ kind: 'admitted', line: policyLine(policy, admission.graph, admission.document.decision) });
  const host = policyHost(policy, guard, net, request.argv, write);
  return exitCode(
    run({
      program: admission.program,
      entry: admission.entry.name,
      argsJson: request.argsJson,
      host,
      maxDepth: request.maxDepth,
      verifyContracts: request.verifyContracts,
      printResult: request.printResult,
    }),
    host,
    write,
  );
}

/** Tells a failure on standard error. @returns the exit code */
export function exitCode(outcome: RunOutcome, host: EffectHost, write: WriteOutput = writeAll): number {
  host.io?.flush();
  if (outcome.kind === 'finished') return 0;
  if (outcome.kind === 'exit') return outcome.status & 0xff;
  write(2, Buffer.from(`Error: execution failed: ${outcome.message}\n`));
  return 1;
}
