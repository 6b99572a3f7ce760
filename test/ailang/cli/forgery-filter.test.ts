import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ForgeryFilter } from '../../../src/ailang/cli/run/forgery-filter.js';

function filtered(chunks: readonly string[]): string {
  const filter = new ForgeryFilter();
  const parts = chunks.map((chunk) => filter.push(Buffer.from(chunk)));
  return Buffer.concat([...parts, filter.end()]).toString();
}

for (const [name, chunks, expected] of [
  ['ordinary lines pass', ['a\nb\n'], 'a\nb\n'],
  ['a forged line is marked', ['policy: {}\n'], 'worker: policy: {}\n'],
  ['also in pieces', ['x\npol', 'icy-res', 'ult: {}\n'], 'x\nworker: policy-result: {}\n'],
  ['the word alone is ordinary', ['policy\n', 'policies: 1\n'], 'policy\npolicies: 1\n'],
  ['inside a line it is ordinary', ['my policy: {}\n'], 'my policy: {}\n'],
  ['an open last line is closed', ['a\nend'], 'a\nend\n'],
  ['an open beginning of the word is closed', ['pol'], 'pol\n'],
  ['carriage returns begin no line', ['a\rpolicy: {}\n'], 'a\rpolicy: {}\n'],
  ['nothing is nothing', [], ''],
] as const)
  test(name, () => assert.equal(filtered(chunks), expected));

test('however it is cut, no line begins like the supervisor’s and nothing is lost', () => {
  const piece = fc.constantFrom('policy:', 'policy-result:', 'pol', 'icy', ':', '-result', '\n', ' ', 'x', '\r');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const output = filtered(pieces);
      assert.ok(output.split('\n').every((line) => !/^policy(-result)?:/.test(line)));
      assert.equal(output, filtered([pieces.join('')]));
      const input = pieces.join('');
      const closed = input === '' || input.endsWith('\n') ? input : `${input}\n`;
      assert.equal(output.replaceAll(/^worker: (?=policy)/gm, ''), closed);
    }),
  );
});
