import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderDiagnostic } from '../../src/ailang/render-diagnostic.js';
import { checkText } from './checking.js';

test('a diagnostic shows place, message, code, source line and hint', () => {
  const { diagnostics, sources } = checkText('func f(x: int) -> string =\tx');
  const [found] = diagnostics;
  assert.ok(found !== undefined);
  assert.equal(
    renderDiagnostic(found, sources),
    [
      'm.ail:2:28: type mismatch in the result of f: expected string, got int (because of the result type of f at 2:19) [TC001]',
      '  func f(x: int) -> string =\tx',
      `  ${' '.repeat(26)}\t^`,
      '  Hint: Write show(e), or put it into a string: "${e}".',
    ].join('\n'),
  );
});

test('without a place only message and code remain', () => {
  assert.equal(
    renderDiagnostic({ code: 'LDR001', message: 'file not found', position: null }),
    'file not found [LDR001]',
  );
});
