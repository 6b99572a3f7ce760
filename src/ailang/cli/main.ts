import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { type SolverThreadData, solverThread, solverThreadMode } from '../contracts/solve/z3-thread.js';
import type { CommandOutcome } from '../policy/policy-tool.js';
import { commandThread, commandThreadMode } from './command-thread.js';
import { UsageError } from './commands/context.js';
import { asksForHelp, helpCommand, helpPages } from './commands/help.js';
import { lspCommand } from './commands/lsp.js';
import { plainContext } from './commands/make-context.js';
import { replCommand } from './commands/repl.js';
import { runCommand, usageFailure } from './commands/table.js';
import { policyToolCommand } from './policy-tool-command.js';
import { isReplThread, replThread } from './repl-thread.js';
import { parseRunArguments } from './run/arguments.js';
import { writeAll } from './run/console.js';
import { runWithoutPolicy, runWithPolicy } from './run/run-command.js';
import { type PlainRun, runPlain } from './run/run-plain.js';

const programFile = fileURLToPath(import.meta.url);

/** The `ailang` program: `ailang <command> …`. @returns the exit code */
async function main(argv: readonly string[]): Promise<number> {
  const [command, ...args] = argv;
  const context = plainContext(process.cwd(), process.env);
  if (command === undefined) return show({ ...helpCommand([], context), exitCode: 2 });
  if (['help', '--help', '-h'].includes(command)) return show(helpCommand(args, context));
  if (Object.hasOwn(helpPages, command) && asksForHelp(flagsOf(command, args)))
    return show(helpCommand([command], context));
  try {
    if (command === 'run') return await runProgram(args);
    if (command === 'repl') return await replCommand(args, programFile);
    if (command === 'lsp') return await lspCommand(args);
    if (command === 'policy-tool') return show(await policyToolCommand(args, context.examples));
    return show(runCommand(command === '--version' ? ['version'] : argv, context));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return show(usageFailure(error.message, helpPages[command]?.usage ?? [command]));
  }
}

async function runProgram(args: readonly string[]): Promise<number> {
  const given = parseRunArguments(args);
  if (given.policy !== null) return runWithPolicy(given, given.policy);
  const cwd = process.cwd();
  const { relaxModules, colour } = plainContext(cwd, process.env);
  return runWithoutPolicy({ arguments: given, cwd, relaxModules, colour }, programFile);
}

function show({ stdout, stderr, exitCode }: CommandOutcome): number {
  writeAll(1, Buffer.from(stdout));
  writeAll(2, Buffer.from(stderr));
  return exitCode;
}

/** What follows the file of `run` belongs to the program. */
function flagsOf(command: string, args: readonly string[]): readonly string[] {
  const file = command === 'run' ? args.findIndex((word) => word.endsWith('.ail')) : -1;
  return file < 0 ? args : args.slice(0, file);
}

if (!isMainThread) {
  if (workerData === commandThreadMode) commandThread();
  else if (isReplThread(workerData)) replThread();
  else if (workerData.mode === solverThreadMode) solverThread(workerData as SolverThreadData);
  else parentPort?.postMessage(runPlain((workerData as { plain: PlainRun }).plain));
} else {
  process.exitCode = await main(process.argv.slice(2));
}
