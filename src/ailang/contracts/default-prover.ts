import type { Solver } from './solve/answer.js';
import { Z3Program } from './solve/binary.js';
import { SolverSession } from './solve/session.js';
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
  return { solver, replay: (program) => running.replay(program), now: () => performance.now() };
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
