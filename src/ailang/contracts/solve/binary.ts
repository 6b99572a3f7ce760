import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Answer, readAnswer, type Solver, script } from './answer.js';

/** A Z3 program of the operator's, called once for each problem (ailang-cli section 6). */
export class Z3Program implements Solver {
  constructor(readonly path: string) {}

  solve(problem: string, values: readonly string[], timeoutMs: number): Answer {
    const directory = mkdtempSync(join(tmpdir(), 'ailang-z3-'));
    const file = join(directory, 'goal.smt2');
    const seconds = timeoutMs < 1000 ? 5 : Math.floor(timeoutMs / 1000);
    try {
      writeFileSync(file, script(problem, values));
      const { error, stdout, stderr, status, signal } = spawnSync(this.path, ['-smt2', `-T:${seconds}`, file], {
        encoding: 'utf8',
        timeout: seconds * 1000 + 2000,
        killSignal: 'SIGKILL',
        maxBuffer: 64 * 1024 * 1024,
      });
      if (signal === 'SIGKILL') return { kind: 'unknown', reason: 'solver timeout' };
      if (error !== undefined) return { kind: 'error', message: `Z3 error: ${error.message}` };
      const answer = readAnswer(stdout + stderr);
      if (answer.kind === 'error' && status !== 0)
        return { kind: 'error', message: `Z3 error (exit ${status}): ${(stdout + stderr).slice(0, 300).trim()}` };
      return answer;
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }

  /** Whether it starts at all. */
  works(): boolean {
    return spawnSync(this.path, ['--version'], { timeout: 5000 }).error === undefined;
  }
}
