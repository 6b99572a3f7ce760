import type { CommandOutcome } from '../../policy/policy-tool.js';
import { aiCheckCommand } from './ai-check.js';
import { axiomsCommand } from './axioms.js';
import { builtinsCommand } from './builtins.js';
import { checkCommand } from './check.js';
import { type Command, type CommandContext, UsageError } from './context.js';
import { agentPromptCommand, devtoolsPromptCommand, docsCommand, promptCommand } from './docs.js';
import { examplesCommand } from './examples.js';
import { fmtCommand } from './fmt.js';
import { ifaceCommand } from './iface.js';
import { pkgDocsCommand } from './pkg-docs.js';
import { policyCheckCommand } from './policy-check.js';
import { testCommand } from './test.js';
import { treeCommand } from './tree.js';
import { verifyCommand } from './verify.js';
import { versionCommand } from './version.js';

interface Entry {
  readonly run: Command;
  readonly usage: string;
}

/** Every command that only looks. `run` and `policy-tool` are not among them. */
export const commands: Readonly<Record<string, Entry>> = {
  check: {
    run: checkCommand,
    usage: 'check [--json] [--quiet] [--strict-syntax] [--timeout 30s] [--relax-modules] <file or directory>',
  },
  'ai-check': {
    run: aiCheckCommand,
    usage: 'ai-check [--timeout 5s] [--verify-recursive-depth N] [--strict-overflow] [--relax-modules] <file>',
  },
  verify: {
    run: verifyCommand,
    usage: 'verify [--json] [--timeout 5s] [--verify-recursive-depth N] [--strict-overflow] <file>',
  },
  iface: { run: ifaceCommand, usage: 'iface [--compact] <module or file>' },
  'policy-check': { run: policyCheckCommand, usage: 'policy-check --policy <policy.toml> <file>' },
  builtins: {
    run: builtinsCommand,
    usage: 'builtins list [--json] [--by-module] [--by-effect] [--module M] [--query Q] | builtins show <name>',
  },
  examples: {
    run: examplesCommand,
    usage: 'examples search <query> | list [--tags T] [--status working|broken|all] | show <name> | tags',
  },
  docs: { run: docsCommand, usage: 'docs search [--json] [--limit N] <query>' },
  prompt: { run: promptCommand, usage: 'prompt' },
  'agent-prompt': { run: agentPromptCommand, usage: 'agent-prompt' },
  version: { run: versionCommand, usage: 'version' },
  fmt: { run: fmtCommand, usage: 'fmt [--check | --write] <file>' },
  test: { run: testCommand, usage: 'test [--json] [--allow-skips] [--no-color] [--package] [path]' },
  axioms: { run: axiomsCommand, usage: 'axioms [--json]' },
  'devtools-prompt': { run: devtoolsPromptCommand, usage: 'devtools-prompt' },
  'pkg-docs': { run: pkgDocsCommand, usage: 'pkg-docs <vendor/name>' },
  tree: { run: treeCommand, usage: 'tree [--json]' },
};

/** Runs a command line; a wrong one is answered with the usage and exit code 2. */
export function runCommand(argv: readonly string[], context: CommandContext): CommandOutcome {
  const [name = '', ...args] = argv;
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) return usageFailure(`unknown command ${JSON.stringify(name)}`, 'help');
  try {
    return entry.run(args, context);
  } catch (error) {
    if (error instanceof UsageError) return usageFailure(error.message, entry.usage);
    throw error;
  }
}

const usageFailure = (message: string, usage: string): CommandOutcome => ({
  stdout: '',
  stderr: `Error: ${message}\nUsage: ailang ${usage}\n`,
  exitCode: 2,
});
