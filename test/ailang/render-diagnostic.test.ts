import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderDiagnostic } from '../../src/ailang/render-diagnostic.js';
import { checkText } from './checking.js';

test('a diagnostic shows code, place, message, source line and suggestion', () => {
  const [found] = checkText('func f(x: int) -> string = x').diagnostics;
  assert.ok(found !== undefined);
  assert.equal(
    renderDiagnostic(found, 'module m\nfunc f(x: int) -> string = x'),
    [
      'TC001 at m.ail:2:28: type mismatch in the result of f: expected string, got int (because of the result type of f at 2:19)',
      '  func f(x: int) -> string = x',
      `  ${' '.repeat(27)}^`,
      '',
      'Write show(e), or put it into a string: "${e}".',
    ].join('\n'),
  );
});

test('without a place only code and message remain', () => {
  assert.equal(
    renderDiagnostic({ code: 'LDR001', message: 'file not found', position: null }),
    'LDR001: file not found',
  );
});

test('the mark stands below its column behind tabs', () => {
  const [found] = checkText('func f(x: int) -> string =\tx').diagnostics;
  assert.ok(found !== undefined);
  const lines = renderDiagnostic(found, 'module m\nfunc f(x: int) -> string =\tx').split('\n');
  assert.equal(lines[2], `  ${' '.repeat(26)}\t^`);
});
