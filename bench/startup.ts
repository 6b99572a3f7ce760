// Milliseconds of one run of a 100-line program in a child that has waited for some time: to its first byte of output,
// and to its end.
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RunChild, runChildProgram } from '../src/ailang/cli/run/child-process.js';
import { maxDepth } from '../src/ailang/cli/run/limits.js';
import { RunPool } from '../src/ailang/cli/run/run-pool.js';
import { supervise } from '../src/ailang/cli/run/supervise.js';
import { packageRoot } from '../src/ailang/package-root.js';
import { parsePolicy } from '../src/ailang/policy/policy-file.js';

const rounds = 25;
/** Between two runs of an agent there is more. */
const pauseMs = 300;
const programs = ['basics/hello.ail', 'programs/expression_parser.ail'];

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const directory = await mkdtemp(join(tmpdir(), 'ailang-startup-'));
await cp(join(packageRoot(), 'test', 'corpus'), directory, { recursive: true });
const policyText = `security_mode = "restricted"\nallowed_caps = ["IO"]\nfs_sandbox = ${JSON.stringify(directory)}\ntimeout_ms = 8000\nentry = "main"\n`;
const policyPath = join(directory, 'policy.toml');
const policy = parsePolicy(policyPath, Buffer.from(policyText));
const program = runChildProgram();
const environment = { PATH: process.env.PATH ?? '' };
const pool = new RunPool(() => new RunChild({ program, environment, cwd: directory, stdin: 'pipe' }), 2);

interface Timing {
  readonly first: number;
  readonly end: number;
}

/** What the daemon's helper does for one run. */
async function timed(file: string): Promise<Timing> {
  await pool.warm();
  await sleep(pauseMs);
  const started = performance.now();
  const child = await pool.take(10_000);
  let first = Number.NaN;
  const exitCode = await supervise(
    child,
    policy,
    {
      policyPath,
      policyText,
      file,
      cwd: directory,
      argsJson: 'null',
      argv: [],
      verifyContracts: false,
      printResult: true,
      maxDepth,
    },
    {
      stdin: '',
      stdout: () => {
        if (Number.isNaN(first)) first = performance.now() - started;
      },
      stderr: () => {},
    },
  );
  const end = performance.now() - started;
  if (exitCode !== 0 || Number.isNaN(first)) throw new Error(`${file} ended with ${exitCode}`);
  await child.ended;
  return { first, end };
}

try {
  for (const file of programs) {
    const lines = (await readFile(join(directory, file), 'utf8')).split('\n').length;
    const timings: Timing[] = [];
    for (let round = 0; round < rounds; round += 1) timings.push(await timed(file));
    const [first, end] = [median(timings.map((one) => one.first)), median(timings.map((one) => one.end))];
    const text = `first byte ${first.toFixed(1).padStart(6)} ms   end ${end.toFixed(1).padStart(6)} ms`;
    console.log(`${`warm run, ${lines} lines`.padEnd(26)} ${text}`);
  }
} finally {
  pool.close();
  await rm(directory, { recursive: true, force: true });
}
