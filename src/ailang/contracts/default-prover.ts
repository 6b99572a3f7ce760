import type { Solver } from './solve/answer.js';
import { Z3Program } from './solve/binary.js';
import { SolverSession } from './solve/session.js';
import { bundledZ3Present } from './solve/z3-thread.js';
import type { Prover } from './verify.js';

let session: SolverSession | null = null;

/**
 * The prover of this process or thread, started when first asked for: the program at `AILANG_Z3_PATH` when that is set,
 * else the bundled Z3, else `z3` on PATH. @returns null when there is none
 */
export function defaultProver(environment: NodeJS.ProcessEnv): Prover | null {
  session ??= new SolverSession();
  const solver = chooseSolver(environment, session);
  if (solver === null) return null;
  const running = session;
  return { solver, replay: (...request) => running.replay(...request), now: () => performance.now() };
}

/** Whether there is a solver, without starting one. */
export function proverPresent({ AILANG_Z3_PATH: given }: NodeJS.ProcessEnv): boolean {
  if (given !== undefined && given !== '') return new Z3Program(given).works();
  return bundledZ3Present() || new Z3Program('z3').works();
}

function chooseSolver({ AILANG_Z3_PATH: given }: NodeJS.ProcessEnv, bundled: SolverSession): Solver | null {
  if (given !== undefined && given !== '') {
    const program = new Z3Program(given);
    return program.works() ? program : null;
  }
  if (bundled.load() === null) return bundled;
  const program = new Z3Program('z3');
  return program.works() ? program : null;
}
