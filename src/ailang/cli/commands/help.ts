import { type Command, failed, printed } from './context.js';

interface Page {
  /** One line: what the command is for. */
  readonly summary: string;
  readonly usage: readonly string[];
  /** What there is to know beyond the usage, line by line. */
  readonly details: readonly string[];
}

const codes = 'Exit code 0 when all is well, 1 when not, 2 for a wrong command line.';

const proofDetails = [
  '--timeout 5s                  for the proof of one function',
  '--verify-recursive-depth N    calls that are unrolled where induction does not apply, 2 by default',
  '--strict-overflow             a 64-bit operation that may wrap is a finding, not an assumption',
];

/** Help of every command, in the order in which they are listed. */
export const helpPages: Readonly<Record<string, Page>> = {
  run: {
    summary: 'run a program',
    usage: [
      'run [--caps IO,FS,…] [options] <file> [-- args…]',
      'run --policy <policy.toml> [options] <file> [-- args…]',
    ],
    details: [
      '--caps A,B                 effects that are granted; none without it',
      '--policy FILE              the policy alone says what is granted and limited',
      '--args-json JSON           the argument of the entry',
      '--entry NAME               start another exported function than main',
      '--verify-contracts         check requires and ensures',
      '--no-budgets               ignore budgets of effect rows',
      '--max-recursion-depth N    nested calls, 10000 by default',
      '--no-print                 do not print the result',
      '--relax-modules            do not insist on module path = file path',
      'Flags stand before the file. The exit code is the program’s; 1 for a failure, 2 not admitted by the policy, 3 stopped by a limit.',
    ],
  },
  check: {
    summary: 'check types and effects of a file or of all files in a directory',
    usage: [
      'check [--json] [--quiet] [--strict-syntax] [--timeout 30s] [--relax-modules] <file or directory>',
      'check --verify … <file>    (ai-check)',
    ],
    details: [
      '--json             one document for programs',
      '--quiet            nothing when all is well',
      '--strict-syntax    refuse surface sugar',
      '--timeout 30s      give up after that time, with exit code 124',
      codes,
    ],
  },
  'ai-check': {
    summary: 'check a file and prove its contracts, as one JSON report',
    usage: ['ai-check [--timeout 5s] [--verify-recursive-depth N] [--strict-overflow] [--relax-modules] <file>'],
    details: [...proofDetails, codes],
  },
  verify: {
    summary: 'prove the contracts of a file',
    usage: ['verify [--json] [--timeout 5s] [--verify-recursive-depth N] [--strict-overflow] [--relax-modules] <file>'],
    details: [
      ...proofDetails,
      '--json                        one document for programs',
      'Proofs, counterexamples that can be run, and what was left out and why.',
      codes,
    ],
  },
  test: {
    summary: 'run inline tests, properties and top-level tests',
    usage: ['test [--json] [--allow-skips] [--no-color] [--package] [file or directory…]'],
    details: [
      '--package        only *_test.ail files, of the package in the directory',
      '--allow-skips    all tests skipped is a success',
      'AILANG_TEST_SEED, AILANG_TEST_RUNS, AILANG_TEST_MAX_SIZE, AILANG_TEST_MIN_INT and AILANG_TEST_MAX_INT set the properties.',
      codes,
    ],
  },
  fmt: {
    summary: 'print, check or write the canonical form',
    usage: ['fmt <file>', 'fmt --check <file or directory>…', 'fmt --write <file or directory>…'],
    details: [
      '--check    name each file that is not in canonical form; then the exit code is 1',
      '--write    replace the files',
      'Exit code 2 for a file that cannot be read or formatted without loss, 3 for one that does not parse.',
    ],
  },
  iface: {
    summary: 'types and functions that a module exports',
    usage: ['iface [--compact] <module or file>'],
    details: ['JSON, or with --compact one line for each name.', codes],
  },
  builtins: {
    summary: 'native primitives below the library',
    usage: [
      'builtins list [--json] [--by-module] [--by-effect] [--module M] [--query Q]',
      'builtins show [--json] <name>',
    ],
    details: [codes],
  },
  examples: {
    summary: 'programs to learn from',
    usage: [
      'examples search [--json] <query>',
      'examples list [--json] [--tags T,U] [--status working|broken|all]',
      'examples show [--json] <name>',
      'examples tags [--json]',
    ],
    details: ['AILANG_EXAMPLES names another corpus.', codes],
  },
  docs: {
    summary: 'search the language reference',
    usage: ['docs search [--json] [--limit N] <query>'],
    details: ['The pages ship with the program; nothing is asked of the network.', codes],
  },
  prompt: { summary: 'the language on a few pages, for who has to write it', usage: ['prompt'], details: [] },
  'agent-prompt': { summary: 'how to work with the eight tools', usage: ['agent-prompt'], details: [] },
  'devtools-prompt': { summary: 'how to work with this program', usage: ['devtools-prompt'], details: [] },
  'policy-check': {
    summary: 'judge a program under a policy without running it',
    usage: ['policy-check --policy <policy.toml> <file>'],
    details: ['Prints the decision as JSON. Exit code 0 admitted, 2 denied, 1 the policy or the file cannot be read.'],
  },
  'policy-tool': {
    summary: 'one request of an agent host, on standard input, as JSON',
    usage: ['policy-tool [--policy <policy.toml>] < request.json'],
    details: [
      'Without --policy AILANG_AGENT_POLICY names the policy. Exit code 0 whenever there is an answer, refusals included.',
    ],
  },
  tree: {
    summary: 'dependencies of the package in this directory',
    usage: ['tree [--json] [path]'],
    details: [
      'Reads ailang.toml, ailang.lock and the package cache; fetches nothing. A path is accepted and means nothing.',
      codes,
    ],
  },
  'pkg-docs': {
    summary: 'the AGENT.md of a package',
    usage: ['pkg-docs <vendor/name>'],
    details: ['From the package cache: AILANG_PACKAGE_ROOT, else ~/.ailang/cache/registry. Nothing is fetched.', codes],
  },
  repl: {
    summary: 'evaluate expressions and definitions one at a time',
    usage: ['repl [--caps IO,FS,…] [--timeout 60s]'],
    details: ['IO is granted without --caps. Ctrl-C ends an evaluation, Ctrl-D the repl. Inside, :help says more.'],
  },
  lsp: {
    summary: 'language server on standard input and output',
    usage: ['lsp [--stdio]'],
    details: ['Diagnostics, hover, definitions, symbols and formatting for editors.'],
  },
  axioms: { summary: 'what the language promises and how far it is kept', usage: ['axioms [--json]'], details: [] },
  version: { summary: 'versions of the language and of this program', usage: ['version [--json]'], details: [] },
};

/** `help [command]` */
export const helpCommand: Command = ([name]) => {
  if (name === undefined) return printed(overview());
  const page = Object.hasOwn(helpPages, name) ? helpPages[name] : undefined;
  return page === undefined
    ? failed(`there is no command ${JSON.stringify(name)}; ailang help lists them`, 2)
    : printed(pageText(page));
};

function overview(): string {
  const lines = Object.entries(helpPages).map(([name, { summary }]) => `  ${name.padEnd(18)}${summary}`);
  return `AILANG toolchain of ailang-world.\n\nUsage:\n  ailang <command> …\n\nCommands:\n${lines.join('\n')}\n\nailang help <command> says more of one.\n`;
}

/** Ways to call a command, below each other. */
export const usageText = (usage: readonly string[]): string =>
  usage.map((line, index) => `${index === 0 ? 'Usage: ' : '       '}ailang ${line}\n`).join('');

function pageText({ summary, usage, details }: Page): string {
  const more = details.length === 0 ? '' : `\n${details.map((line) => `  ${line}\n`).join('')}`;
  return `${usageText(usage)}\n${summary.charAt(0).toUpperCase()}${summary.slice(1)}.\n${more}`;
}

/** Whether a command line asks for help; what follows `--` belongs to the program that is run. */
export function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).some((word) => word === '--help' || word === '-h');
}
