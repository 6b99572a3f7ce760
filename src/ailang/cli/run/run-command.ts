import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { GuardError } from '../../policy/fileguard/guard-error.js';
import { PolicyError } from '../../policy/policy.js';
import { loadPolicyText } from '../../policy/policy-file.js';
import { packageRootOf } from '../package-cache.js';
import type { RunArguments } from './arguments.js';
import { RunChild, runChildProgram } from './child-process.js';
import { writeAll } from './console.js';
import { threadLimits } from './limits.js';
import type { PlainRun } from './run-plain.js';
import { supervise } from './supervise.js';

/** Names of the environment that a restricted run's child gets (ailang-cli 4.2). */
const inherited = 'PATH HOME TMPDIR TMP TEMP TZ LANG LC_ALL LC_CTYPE USER LOGNAME'.split(' ');

/** `ailang run --policy P …`. @returns the exit code */
export async function runWithPolicy(given: RunArguments, policyPath: string): Promise<number> {
  const refuse = (message: string): number => {
    writeAll(2, Buffer.from(`Error: --policy: ${message}\n`));
    return 1;
  };
  const [flag] = given.widening;
  if (flag !== undefined)
    return refuse(`--${flag} is not allowed with --policy — the policy file alone says what the program may do`);
  try {
    const { policy, text } = loadPolicyText(policyPath);
    const trusted = policy.securityMode === 'trusted_host';
    const packages = packageRootOf(process.env);
    const environment = {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => trusted || inherited.includes(name))),
      // The child works elsewhere, so a relative path would lead it astray.
      ...(packages === null ? {} : { AILANG_PACKAGE_ROOT: resolve(packages) }),
    } as Record<string, string>;
    const child = new RunChild({ program: runChildProgram(), environment, cwd: '/', stdin: 'inherit' });
    const request = {
      policyPath,
      policyText: text,
      file: given.file,
      cwd: process.cwd(),
      argsJson: given.argsJson,
      argv: given.argv,
      verifyContracts: given.verifyContracts,
      printResult: given.printResult,
      maxDepth: given.maxDepth,
    };
    return await supervise(child, policy, request, {
      stdin: null,
      stdout: (chunk) => writeAll(1, chunk),
      stderr: (chunk) => writeAll(2, chunk),
    });
  } catch (error) {
    if (error instanceof PolicyError || error instanceof GuardError) return refuse(error.message);
    throw error;
  }
}

/** `ailang run` without a policy: in a thread of this process, which has the stack that deep recursion needs. */
export function runWithoutPolicy(plain: PlainRun, programFile: string): Promise<number> {
  return new Promise((resolve) => {
    const thread = new Worker(programFile, {
      workerData: { plain },
      resourceLimits: { ...threadLimits, maxOldGenerationSizeMb: 4096 },
    });
    thread.on('message', resolve);
    thread.on('error', (error) => {
      writeAll(2, Buffer.from(`Error: execution failed: ${error.message}\n`));
      resolve(1);
    });
  });
}
