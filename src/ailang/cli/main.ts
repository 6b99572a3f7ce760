import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { type SolverThreadData, solverThread, solverThreadMode } from '../contracts/solve/z3-thread.js';
import type { CommandOutcome } from '../policy/policy-tool.js';
import { commandThread, commandThreadMode } from './command-thread.js';
import { UsageError } from './commands/context.js';
import { plainContext } from './commands/make-context.js';
import { commands, runCommand } from './commands/table.js';
import { policyToolCommand } from './policy-tool-command.js';
import { parseRunArguments } from './run/arguments.js';
import { writeAll } from './run/console.js';
import { runWithoutPolicy, runWithPolicy } from './run/run-command.js';
import { type PlainRun, runPlain } from './run/run-plain.js';

const programFile = fileURLToPath(import.meta.url);
const runUsage =
  'run [--policy P | --caps IO,FS,…] [--args-json J] [--entry NAME] [--verify-contracts] [--no-print] <file> [-- args…]';

/** The `ailang` program: `ailang <command> …`. @returns the exit code */
async function main(argv: readonly string[]): Promise<number> {
  const [command, ...args] = argv;
  if (command === undefined || ['help', '--help', '-h'].includes(command)) {
    writeAll(1, Buffer.from(help()));
    return command === undefined ? 2 : 0;
  }
  try {
    if (command === 'run') return await runProgram(args);
    const context = plainContext(process.cwd(), process.env);
    if (command === 'policy-tool') return show(await policyToolCommand(args, context.examples));
    return show(runCommand(command === '--version' ? ['version'] : argv, context));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const usage = command === 'run' ? runUsage : 'policy-tool [--policy P] < request.json';
    return show({ stdout: '', stderr: `Error: ${error.message}\nUsage: ailang ${usage}\n`, exitCode: 2 });
  }
}

async function runProgram(args: readonly string[]): Promise<number> {
  const given = parseRunArguments(args);
  if (given.policy !== null) return runWithPolicy(given, given.policy);
  const cwd = process.cwd();
  const { relaxModules } = plainContext(cwd, process.env);
  return runWithoutPolicy({ arguments: given, cwd, relaxModules }, programFile);
}

function show({ stdout, stderr, exitCode }: CommandOutcome): number {
  writeAll(1, Buffer.from(stdout));
  writeAll(2, Buffer.from(stderr));
  return exitCode;
}

function help(): string {
  const lines = [
    runUsage,
    ...Object.values(commands).map(({ usage }) => usage),
    'policy-tool [--policy P] < request.json',
  ];
  return `AILANG toolchain of ailang-world.\n\nUsage:\n${lines.map((line) => `  ailang ${line}\n`).join('')}`;
}

if (!isMainThread) {
  if (workerData === commandThreadMode) commandThread();
  else if (workerData.mode === solverThreadMode) solverThread(workerData as SolverThreadData);
  else parentPort?.postMessage(runPlain((workerData as { plain: PlainRun }).plain));
} else {
  process.exitCode = await main(process.argv.slice(2));
}
