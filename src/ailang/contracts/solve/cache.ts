import { createHash } from 'node:crypto';
import type { Answer, Solver } from './answer.js';

const maxEntries = 2000;

/** A solver that is asked once for each problem. What it could not decide in its time, it is asked again. */
export class CachedSolver implements Solver {
  readonly #answers = new Map<string, Answer>();

  constructor(readonly solver: Solver) {}

  solve(problem: string, values: readonly string[], timeoutMs: number): Answer {
    const key = createHash('sha256')
      .update(JSON.stringify([problem, values]))
      .digest('hex');
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = this.solver.solve(problem, values, timeoutMs);
    if (answer.kind === 'sat' || answer.kind === 'unsat') this.#remember(key, answer);
    return answer;
  }

  #remember(key: string, answer: Answer): void {
    if (this.#answers.size >= maxEntries) {
      const [oldest] = this.#answers.keys();
      if (oldest !== undefined) this.#answers.delete(oldest);
    }
    this.#answers.set(key, answer);
  }
}
