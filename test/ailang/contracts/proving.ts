import type { Solver } from '../../../src/ailang/contracts/solve/answer.js';
import type { SolverSession } from '../../../src/ailang/contracts/solve/session.js';
import type { FunctionResult, Verdict, VerifyOptions } from '../../../src/ailang/contracts/types.js';
import { verify } from '../../../src/ailang/contracts/verify.js';
import { run } from '../../../src/ailang/eval/run.js';
import type { RunOutcome } from '../../../src/ailang/interfaces.js';
import { checkFiles, place } from '../checking.js';

export const usual: VerifyOptions = { timeoutMs: 5000, totalMs: 60_000, recursiveDepth: 2, strictOverflow: false };

/** Verifies one module given as text with its header. @throws Error when it does not check */
export const prove = (
  session: SolverSession,
  file: string,
  text: string,
  options: Partial<VerifyOptions> = {},
): readonly FunctionResult[] => proveWith({ solver: session, session }, file, text, options);

/** The same with the problems going to one solver, and the calls of counterexamples to another session. */
export function proveWith(
  { solver, session }: { readonly solver: Solver; readonly session: SolverSession },
  file: string,
  text: string,
  options: Partial<VerifyOptions> = {},
): readonly FunctionResult[] {
  const checked = checkFiles({ [file]: text }, { relaxModules: true });
  if (checked.program === null)
    throw new Error(checked.diagnostics.map((found) => `${place(found)} ${found.message}`).join('\n'));
  const prover = {
    solver,
    replay: (...request: Parameters<SolverSession['replay']>) => session.replay(...request),
    now: () => performance.now(),
  };
  return verify(checked.modules, checked.program, prover, { ...usual, ...options });
}

/** The verdict on the only function, or the one of that name, of a module `m` whose header is added. */
export function verdictOf(
  session: SolverSession,
  text: string,
  name: string | null = null,
  options: Partial<VerifyOptions> = {},
): Verdict {
  const results = prove(session, 'm.ail', `module m\n${text}`, options);
  const found = results.find((result) => name === null || result.function === name);
  if (found === undefined) throw new Error(`no result of ${name}`);
  return found.verdict;
}

/** Runs a call as a program would write it, contracts on. */
export function runCall(file: string, text: string, call: string): RunOutcome {
  const [header = '', ...rest] = text.split('\n');
  const source = `${header}\n${rest.join('\n')}\nexport func counterexample__() -> int {\n  let found = ${call};\n  0\n}\n`;
  const checked = checkFiles({ [file]: source }, { relaxModules: true });
  if (checked.program === null)
    throw new Error(`${call}: ${checked.diagnostics.map((found) => `${place(found)} ${found.message}`).join('\n')}`);
  return run({
    program: checked.program,
    entry: 'counterexample__',
    argsJson: 'null',
    host: { charge: () => {} },
    maxDepth: 10_000,
    verifyContracts: true,
    printResult: false,
  });
}
