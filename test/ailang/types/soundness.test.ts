import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkText } from '../checking.js';
import { runText } from '../eval/programs.js';
import { Draw, padded, tapes } from './drawn-programs.js';

test('a program the checker accepts never goes wrong for its types', () => {
  let accepted = 0;
  fc.assert(
    fc.property(tapes, (tape) => {
      const draw = new Draw(tape, (index) => `v${padded(index)}`, false);
      const text = `export func main() -> string = show(${draw.expr([], 2 + draw.pick(3))})`;
      if (checkText(text).program === null) return;
      accepted++;
      const { outcome } = runText(`module main\n${text}`);
      // A match may fall through; nothing else can fail.
      if (outcome.kind === 'failed') assert.equal(outcome.code, 'RT002', `${outcome.message}\n${text}`);
    }),
    { numRuns: 4000, seed: 13 },
  );
  assert.ok(accepted > 300, `${accepted} programs were run`);
});
