import { readSync } from 'node:fs';
import { goJson } from '../policy/go-text.js';
import { PolicyError } from '../policy/policy.js';
import { loadPolicy } from '../policy/policy-file.js';
import { type CommandOutcome, policyTool } from '../policy/policy-tool.js';
import { type PolicyToolReply, refused } from '../policy/reply.js';
import { parseArguments } from './commands/arguments.js';
import { failed, printed } from './commands/context.js';
import { sandboxContext } from './commands/make-context.js';
import { runCommand } from './commands/table.js';

const maxRequestBytes = 64 * 1024 * 1024;

/** `policy-tool [--policy P]`: one request on standard input, one answer on standard output (ailang-cli section 1). */
export async function policyToolCommand(args: readonly string[], examples: string): Promise<CommandOutcome> {
  const { flags } = parseArguments(args, { policy: 'string' });
  const path = flags.policy ?? process.env.AILANG_AGENT_POLICY;
  if (path === undefined || path === '')
    return failed('policy-tool: pass --policy <file> or export AILANG_AGENT_POLICY');
  const request = readInput();
  return printed(`${goJson(await answer(path, request, examples), 2)}\n`);
}

async function answer(path: string, request: string, examples: string): Promise<PolicyToolReply> {
  try {
    return await policyTool(loadPolicy(path), request, (argv, root) => runSandboxed(argv, root, examples));
  } catch (error) {
    if (error instanceof PolicyError) return refused(error.message);
    throw error;
  }
}

/** One command of an operation, in this process, its files behind the guard of the sandbox root. */
export function runSandboxed(argv: readonly string[], root: string | null, examples: string): CommandOutcome {
  const { context, close } = sandboxContext(root, examples);
  try {
    return runCommand(argv, context);
  } finally {
    close();
  }
}

function readInput(): string {
  const chunks: Buffer[] = [];
  let total = 0;
  while (total < maxRequestBytes) {
    const chunk = Buffer.allocUnsafe(65536);
    const count = readSync(0, chunk);
    if (count === 0) break;
    chunks.push(chunk.subarray(0, count));
    total += count;
  }
  return Buffer.concat(chunks).toString('utf8');
}
