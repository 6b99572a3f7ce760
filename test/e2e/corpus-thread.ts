import { randomBytes } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { check } from '../../src/ailang/check.js';
import { errorText } from '../../src/ailang/cli/diagnostics.js';
import { parseRunArguments } from '../../src/ailang/cli/run/arguments.js';
import { plainFs } from '../../src/ailang/cli/run/plain-fs.js';
import { plainSources } from '../../src/ailang/cli/run/sources.js';
import { run } from '../../src/ailang/eval/run.js';
import type { EffectHost } from '../../src/ailang/interfaces.js';
import { builtins } from '../../src/ailang/std/builtins.js';
import { stdSource } from '../../src/ailang/std/source.js';
import { runCommand } from './corpus-command.js';
import { type CorpusProgram, corpusPrograms, judge } from './corpus-program.js';

/** Runs every program of the corpus in this thread, below the directory it is given; posts what went wrong. */
const directory = workerData as string;
parentPort?.postMessage(corpusPrograms().flatMap((program) => judge(program, runHere(program)) ?? []));

function runHere(program: CorpusProgram): { exit: number; stdout: string; stderr: string } {
  const given = parseRunArguments(runCommand(program));
  const written: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
  const result = (exit: number) => ({
    exit,
    stdout: Buffer.concat(written.stdout).toString('utf8'),
    stderr: Buffer.concat(written.stderr).toString('utf8'),
  });
  const fail = (message: string) => {
    written.stderr.push(Buffer.from(message));
    return result(1);
  };
  const checked = check({ file: given.file, host: plainSources(directory), std: stdSource, builtins });
  if (checked.program === null) return fail(checked.diagnostics.map(errorText).join('\n'));
  const { entry, argsJson, maxDepth, verifyContracts, noBudgets, printResult } = given;
  const host = hostFor(program, given.caps, written);
  const options = { entry, argsJson, maxDepth, verifyContracts, noBudgets, printResult };
  const outcome = run({ ...options, program: checked.program, host });
  if (outcome.kind === 'failed') return fail(outcome.message);
  return result(outcome.kind === 'exit' ? outcome.status : 0);
}

function hostFor(
  { stdin, argv }: CorpusProgram,
  caps: readonly string[],
  written: Readonly<Record<'stdout' | 'stderr', Buffer[]>>,
): EffectHost {
  const lines = stdin.split('\n').slice(0, -1);
  const all: EffectHost = {
    io: {
      write: (stream, bytes) => void written[stream].push(Buffer.from(bytes)),
      flush: () => {},
      readLine: () => lines.shift() ?? null,
    },
    fs: plainFs(directory),
    env: { args: () => argv, get: (name) => process.env[name] ?? null, pid: () => process.pid },
    clock: { now: () => Date.now(), sleep: () => {} },
    rand: { bytes: (count) => randomBytes(count) },
    charge: () => {},
  };
  const granted = Object.entries(all).filter(
    ([part]) => part === 'charge' || caps.some((cap) => cap.toLowerCase() === part),
  );
  return Object.fromEntries(granted) as unknown as EffectHost;
}
