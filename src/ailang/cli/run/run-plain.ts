import { check } from '../../check.js';
import { run } from '../../eval/run.js';
import { builtins } from '../../std/builtins.js';
import { stdSource } from '../../std/source.js';
import { reportText } from '../diagnostics.js';
import { operatorPackages } from '../package-cache.js';
import type { RunArguments } from './arguments.js';
import { writeAll } from './console.js';
import { effectHost, unperformable } from './host.js';
import { plainFs } from './plain-fs.js';
import { exitCode } from './run-program.js';
import { plainSources } from './sources.js';

/** What the thread of a plain run is given. */
export interface PlainRun {
  readonly arguments: RunArguments;
  readonly cwd: string;
  readonly relaxModules: boolean;
  /** Whether its errors go to a terminal. */
  readonly colour: boolean;
}

const fail = (message: string): number => {
  writeAll(2, Buffer.from(`Error: ${message}\n`));
  return 1;
};

/** `ailang run` without a policy, with exactly the capabilities of `--caps`. @returns the exit code */
export function runPlain({ arguments: given, cwd, relaxModules, colour }: PlainRun): number {
  const impossible = unperformable(given.caps);
  if (impossible !== null) return fail(impossible);
  const { program, diagnostics, sources } = check({
    file: given.file,
    host: plainSources(cwd),
    std: stdSource,
    builtins,
    packages: operatorPackages(),
    relaxModules: relaxModules || given.relaxModules,
    coverage: false,
  });
  if (program === null) {
    writeAll(2, Buffer.from(reportText('Error', diagnostics, { sources, colour })));
    return 1;
  }
  const entry = program.entries.find(({ name }) => name === given.entry);
  if (entry === undefined) return fail(`entrypoint '${given.entry}' is not exported by ${program.root}`);
  const host = effectHost({
    caps: given.caps,
    budgets: {},
    fs: plainFs(cwd),
    argv: given.argv,
    environment: { ...process.env },
    write: writeAll,
  });
  const { argsJson, maxDepth, verifyContracts, noBudgets, printResult } = given;
  const options = { program, entry: entry.name, argsJson, host, maxDepth, verifyContracts, noBudgets, printResult };
  return exitCode(run(options), host);
}
