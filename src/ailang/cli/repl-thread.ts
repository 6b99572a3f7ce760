import { parentPort, workerData } from 'node:worker_threads';
import { type EvaluateOptions, evaluate, type Question } from '../repl/evaluate.js';
import { operatorPackages } from './package-cache.js';
import { writeAll } from './run/console.js';
import { effectHost } from './run/host.js';
import { maxDepth } from './run/limits.js';
import { plainFs } from './run/plain-fs.js';
import { plainSources } from './run/sources.js';

/** What the thread of the program file is given when it evaluates for the repl. */
export interface ReplThread {
  readonly repl: { readonly cwd: string; readonly caps: readonly string[] };
}

export const isReplThread = (data: unknown): data is ReplThread =>
  typeof data === 'object' && data !== null && 'repl' in data;

/** Answers one question after the other. Programs get no input: the repl reads it. */
export function replThread(): void {
  const { cwd, caps } = (workerData as ReplThread).repl;
  const environment = { ...process.env };
  const host = effectHost({ caps, budgets: {}, fs: plainFs(cwd), argv: [], environment, write: writeAll });
  const options: EvaluateOptions = {
    sources: plainSources(cwd),
    packages: operatorPackages(),
    host: host.io === undefined ? host : { ...host, io: { ...host.io, readLine: () => null } },
    maxDepth,
  };
  parentPort?.on('message', (question: Question) => parentPort?.postMessage(evaluate(question, options)));
}
