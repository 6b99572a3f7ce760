import { resolve } from 'node:path';
import { FileGuard } from '../../policy/fileguard/fileguard.js';
import { GuardError } from '../../policy/fileguard/guard-error.js';
import { rootRelative } from '../../policy/fileguard/lexical.js';
import { goJson } from '../../policy/go-text.js';
import { PolicyError } from '../../policy/policy.js';
import { loadPolicy } from '../../policy/policy-file.js';
import { protection } from '../../policy/protect.js';
import { admit } from '../run/admission.js';
import { only, parseArguments } from './arguments.js';
import { type Command, failed, UsageError } from './context.js';

/** `policy-check --policy P <file>`: the decision about a program that is not run (ailang-cli section 5). */
export const policyCheckCommand: Command = (args, { cwd }) => {
  const { flags, positionals } = parseArguments(args, { policy: 'string' });
  const file = only(positionals, 'file');
  if (flags.policy === undefined) throw new UsageError('policy-check needs --policy <file>');
  try {
    const policy = loadPolicy(flags.policy);
    const guard = new FileGuard(policy.fsSandbox || cwd, protection([], true));
    try {
      const admission = admit(policy, guard, rootRelative(guard.root, resolve(cwd, file)), file);
      if (admission.kind === 'refused') return failed(`--policy: ${admission.message}`);
      const exitCode = admission.kind === 'admitted' ? 0 : admission.exitCode;
      return { stdout: `${goJson(admission.document, 2)}\n`, stderr: '', exitCode };
    } finally {
      guard.close();
    }
  } catch (error) {
    if (error instanceof PolicyError)
      return { stdout: '', stderr: `policy load error: ${error.message}\n`, exitCode: 1 };
    if (error instanceof GuardError) return failed(`--policy: ${error.message}`);
    throw error;
  }
};
