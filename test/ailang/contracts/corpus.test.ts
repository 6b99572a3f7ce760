import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { SolverSession } from '../../../src/ailang/contracts/solve/session.js';
import type { FunctionResult } from '../../../src/ailang/contracts/types.js';
import { packageRoot } from '../../../src/ailang/package-root.js';
import { prove, runCall } from './proving.js';

const directory = join(packageRoot(), 'test', 'contracts');
const files = readdirSync(directory).filter((name) => name.endsWith('.ail'));

const session = new SolverSession();
after(() => session.close());

/** `verified`, what it assumes, and a bound; else the status with its reason or call. */
function described({ verdict }: FunctionResult): string {
  switch (verdict.status) {
    case 'verified': {
      const bound = verdict.boundedDepth === null ? 'unbounded' : `bounded ${verdict.boundedDepth}`;
      const vacuous = verdict.vacuous ? ', no call satisfies its requires' : '';
      return `verified ${bound}${vacuous}${verdict.assuming === null ? '' : ` assuming ${verdict.assuming}`}`;
    }
    case 'counterexample':
      return `counterexample ${verdict.counterexample.call}: ${verdict.counterexample.violation}`;
    case 'uncontracted':
      return 'uncontracted';
    default:
      return `${verdict.status} ${verdict.reason}`;
  }
}

test('the corpus has at least 80 programs', () => assert.ok(files.length >= 80));

describe('every program has the status its comments promise, and every counterexample fails when it is run', () => {
  for (const file of files) {
    test(file, () => {
      const text = readFileSync(join(directory, file), 'utf8');
      const strictOverflow = /^--strict$/m.test(text);
      const results = prove(session, file, text, { strictOverflow, timeoutMs: 30_000, totalMs: 120_000 });
      const expected = [...text.matchAll(/^--= (\w+) (\w+) ?(.*)$/gm)];
      assert.ok(expected.length > 0);
      for (const [, name, status = '', part = ''] of expected) {
        const result = results.find((one) => one.function === name);
        assert.ok(result !== undefined, `no result of ${name}`);
        const text = described(result);
        assert.ok(text.startsWith(status) && text.includes(part), `${name}: ${text}`);
      }
      for (const { verdict } of results) {
        if (verdict.status !== 'counterexample' || strictOverflow) continue;
        const { call, violation } = verdict.counterexample;
        const outcome = runCall(file, text, call);
        assert.ok(outcome.kind === 'failed', `${call} does not fail`);
        // The appended function moves nothing: the place in the message is that of the clause.
        assert.equal(outcome.message, violation, call);
      }
    });
  }
});
