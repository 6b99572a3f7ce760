import { resolve } from 'node:path';
import type { ExamplesCorpus } from '../daemon/toolchain.js';
import { usageError } from './arguments.js';

/** Flags by which the verbs that start a daemon name the corpus of examples-search. */
export const EXAMPLES_FLAGS = {
  'examples-dir': { type: 'string' },
  'no-examples': { type: 'boolean' },
} as const;

/** @throws a usage error when both flags are given */
export function examplesCorpus(
  cwd: string,
  values: { readonly 'examples-dir'?: string | undefined; readonly 'no-examples'?: boolean | undefined },
): ExamplesCorpus {
  const directory = values['examples-dir'];
  if (values['no-examples'] === true) {
    if (directory !== undefined) throw usageError('--examples-dir and --no-examples do not mix');
    return 'none';
  }
  return directory === undefined ? 'shipped' : { directory: resolve(cwd, directory) };
}
