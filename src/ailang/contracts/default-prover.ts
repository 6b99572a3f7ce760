import type { Solver } from './solve/answer.js';
import { Z3Program } from './solve/binary.js';
import { CachedSolver } from './solve/cache.js';
import { SolverSession } from './solve/session.js';
import { bundledZ3Present } from './solve/z3-thread.js';
import type { Prover } from './verify.js';

let session: SolverSession | null = null;
let chosen: { readonly given: string; readonly solver: CachedSolver } | null = null;

/**
 * The prover of this process or thread, started when first asked for: the program at `AILANG_Z3_PATH` when that is set,
 * else the bundled Z3, else `z3` on PATH. @returns null when there is none
 */
export function defaultProver({ AILANG_Z3_PATH: given = '' }: NodeJS.ProcessEnv): Prover | null {
  session ??= new SolverSession();
  const running = session;
  if (chosen?.given !== given) {
    const solver = chooseSolver(given, running);
    chosen = solver === null ? null : { given, solver: new CachedSolver(solver) };
  }
  if (chosen === null) return null;
  return { solver: chosen.solver, replay: (...request) => running.replay(...request), now: () => performance.now() };
}

/** Whether there is a solver, without starting one. */
export function proverPresent({ AILANG_Z3_PATH: given = '' }: NodeJS.ProcessEnv): boolean {
  if (given !== '') return new Z3Program(given).works();
  return bundledZ3Present() || new Z3Program('z3').works();
}

function chooseSolver(given: string, bundled: SolverSession): Solver | null {
  if (given === '' && bundled.load() === null) return bundled;
  const program = new Z3Program(given === '' ? 'z3' : given);
  return program.works() ? program : null;
}
