import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { SolverSession } from '../../../src/ailang/contracts/solve/session.js';
import type { Verdict } from '../../../src/ailang/contracts/types.js';
import { packageRoot } from '../../../src/ailang/package-root.js';
import { checkFiles } from '../checking.js';
import { mutantsOf } from './mutants.js';
import { prove, runCall } from './proving.js';
import { failingCalls } from './small-inputs.js';

const directory = join(packageRoot(), 'test', 'contracts');
const session = new SolverSession();
after(() => session.close());

/** Products of sums of any depth: the solver finds no call in its time. */
const undecided = new Set(['eval']);

describe('each operator of each proven function, broken, is refuted by a call that fails, or breaks no promise', () => {
  for (const file of readdirSync(directory).filter((name) => name.endsWith('.ail')))
    test(file, () => {
      const text = readFileSync(join(directory, file), 'utf8');
      const strictOverflow = /^--strict$/m.test(text);
      const verdictOf = (program: string, name: string): Verdict | undefined =>
        prove(session, file, program, { strictOverflow, timeoutMs: 3000 }).find((one) => one.function === name)
          ?.verdict;
      for (const { function: name, change, text: mutant } of mutantsOf(text)) {
        if (verdictOf(text, name)?.status !== 'verified') continue;
        if (checkFiles({ [file]: mutant }, { relaxModules: true }).program === null) continue;
        const verdict = verdictOf(mutant, name);
        if (verdict?.status === 'counterexample') {
          const { call, violation } = verdict.counterexample;
          const wraps = strictOverflow && violation.includes('wraps');
          if (!wraps) assert.equal(runCall(file, mutant, call).kind, 'failed', `${change}: ${call} does not fail`);
        } else if (verdict?.status === 'verified') {
          // A bounded proof is of shallow runs only; a deep one may fail, or go on for ever.
          const failing = verdict.boundedDepth === null ? failingCalls(file, mutant, name) : [];
          assert.deepEqual(failing, [], `${change}: ${name} is verified, and fails`);
        } else {
          assert.ok(undecided.has(name), `${change}: ${name} is ${JSON.stringify(verdict)}`);
        }
      }
    });
});
