import type { CommandOutcome } from '../../policy/policy-tool.js';
import { aiCheckCommand } from './ai-check.js';
import { axiomsCommand } from './axioms.js';
import { builtinsCommand } from './builtins.js';
import { checkCommand } from './check.js';
import { type Command, type CommandContext, UsageError } from './context.js';
import { agentPromptCommand, devtoolsPromptCommand, docsCommand, promptCommand } from './docs.js';
import { examplesCommand } from './examples.js';
import { fmtCommand } from './fmt.js';
import { helpPages, usageText } from './help.js';
import { ifaceCommand } from './iface.js';
import { pkgDocsCommand } from './pkg-docs.js';
import { policyCheckCommand } from './policy-check.js';
import { testCommand } from './test.js';
import { treeCommand } from './tree.js';
import { verifyCommand } from './verify.js';
import { versionCommand } from './version.js';

/** Every command that only looks. `run`, `repl`, `lsp` and `policy-tool` are not among them. */
const commands: Readonly<Record<string, Command>> = {
  check: checkCommand,
  'ai-check': aiCheckCommand,
  verify: verifyCommand,
  test: testCommand,
  fmt: fmtCommand,
  iface: ifaceCommand,
  builtins: builtinsCommand,
  examples: examplesCommand,
  docs: docsCommand,
  prompt: promptCommand,
  'agent-prompt': agentPromptCommand,
  'devtools-prompt': devtoolsPromptCommand,
  'policy-check': policyCheckCommand,
  tree: treeCommand,
  'pkg-docs': pkgDocsCommand,
  axioms: axiomsCommand,
  version: versionCommand,
};

/** Runs a command line; a wrong one is answered with the usage and exit code 2. */
export function runCommand(argv: readonly string[], context: CommandContext): CommandOutcome {
  const [name = '', ...args] = argv;
  const run = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (run === undefined) return usageFailure(`unknown command ${JSON.stringify(name)}`, ['<command> …', 'help']);
  try {
    return run(args, context);
  } catch (error) {
    if (error instanceof UsageError) return usageFailure(error.message, helpPages[name]?.usage ?? [name]);
    throw error;
  }
}

/** The answer to a wrong command line, with how it is right. */
export const usageFailure = (message: string, usage: readonly string[]): CommandOutcome => ({
  stdout: '',
  stderr: `Error: ${message}\n${usageText(usage)}`,
  exitCode: 2,
});
