/** What a solver said. `output` of sat has the values that were asked for. */
export type Answer =
  | { readonly kind: 'unsat' }
  | { readonly kind: 'sat'; readonly output: string }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'error'; readonly message: string };

/** Something that decides problems in SMT-LIB, one after another. */
export interface Solver {
  /** @param problem declarations and assertions. @param values terms to be valued when there is a model */
  solve(problem: string, values: readonly string[], timeoutMs: number): Answer;
}

export const script = (problem: string, values: readonly string[]): string =>
  `${problem}\n(check-sat)\n${values.length === 0 ? '' : `(get-value (${values.join(' ')}))\n`}(get-info :reason-unknown)\n`;

/** Reads a solver's output (ailang-cli section 6). */
export function readAnswer(output: string): Answer {
  const text = output.trimStart();
  if (text.startsWith('unsat')) return { kind: 'unsat' };
  if (text.startsWith('sat')) return { kind: 'sat', output: text.slice('sat'.length) };
  if (/timeout|canceled/.test(text) && !text.startsWith('(error')) return { kind: 'unknown', reason: 'solver timeout' };
  if (text.startsWith('unknown')) return { kind: 'unknown', reason: 'the solver could not decide' };
  return { kind: 'error', message: `unexpected Z3 output: ${text.slice(0, 300).trim()}` };
}
