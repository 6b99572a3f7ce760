import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkText, place } from '../checking.js';
import { Draw, padded, tapes } from './drawn-programs.js';

/** Everything the checker says, without the names: types, codes and places. */
function verdict(text: string): object {
  const { diagnostics, warnings, interface: found } = checkText(text);
  return {
    findings: [...diagnostics, ...warnings].map(place),
    types: diagnostics.length > 0 ? [] : (found?.funcs ?? []).map((func) => func.type).sort(),
  };
}

test('types, codes and places do not depend on the names of a program', () => {
  let typed = 0;
  fc.assert(
    fc.property(tapes, (tape) => {
      const one = verdict(new Draw(tape, (index) => `v${padded(index)}`).program());
      const other = verdict(new Draw(tape, (index) => `k${padded(9000 - index)}`).program());
      assert.deepEqual(one, other);
      if (!JSON.stringify(one).includes('TC0')) typed++;
    }),
    { numRuns: 1500, seed: 11 },
  );
  assert.ok(typed > 60, `${typed} of the programs are well typed`);
});

test('the order of declarations does not matter', () => {
  fc.assert(
    fc.property(tapes, (tape) => {
      const lines = new Draw(tape, (index) => `v${padded(index)}`).program().split('\n');
      const types = (text: string) => {
        const { diagnostics, interface: found } = checkText(text);
        return { codes: diagnostics.map(({ code }) => code).sort(), types: found?.funcs.map((func) => func.type) };
      };
      assert.deepEqual(types(lines.join('\n')), types([...lines].reverse().join('\n')));
    }),
    { numRuns: 200, seed: 12 },
  );
});
