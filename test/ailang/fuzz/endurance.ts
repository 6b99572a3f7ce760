import assert from 'node:assert/strict';
import { runInThisContext } from 'node:vm';
import { check } from '../../../src/ailang/check.js';
import { renderDiagnostic } from '../../../src/ailang/render-diagnostic.js';
import { builtins } from '../../../src/ailang/std/builtins.js';
import { stdSource } from '../../../src/ailang/std/source.js';

/** Real time after which a check is taken for endless, in milliseconds. */
const endless = 60_000;

declare global {
  var checkFuzzed: (() => void) | undefined;
}

/**
 * Checks a text as a file and what holds for every text: no exception, an end, a program or errors, and every error
 * with a place in the text and a hint.
 * @param longest processor time it may take, in milliseconds
 * @returns the processor time taken, in milliseconds
 */
export function endure(text: string, longest: number): number {
  const file = 'm.ail';
  const host = { read: (path: string) => (path === file ? text : null) };
  let problem: unknown = null;
  globalThis.checkFuzzed = () => {
    try {
      const { diagnostics, warnings, program } = check({
        file,
        host,
        std: stdSource,
        builtins,
        relaxModules: true,
      });
      assert.equal(program === null, diagnostics.length > 0);
      const lines = text.normalize('NFC').split('\n');
      for (const found of [...diagnostics, ...warnings]) {
        renderDiagnostic(found, text);
        const { position, message, suggestion } = found;
        assert.ok(position !== null && suggestion !== undefined, `${message}: without a place or a hint`);
        const line = lines[position.line - 1];
        assert.ok(line !== undefined && position.column >= 1, `${message}: outside the text`);
        assert.ok(position.column <= line.length + 1, `${message}: outside its line`);
        assert.ok(message.length + suggestion.length < 4_000, `${message.slice(0, 100)}: without end`);
      }
    } catch (error) {
      problem = error;
    }
  };
  const before = process.cpuUsage();
  runInThisContext('checkFuzzed()', { timeout: endless });
  const { user, system } = process.cpuUsage(before);
  const taken = (user + system) / 1_000;
  if (problem !== null) throw problem;
  assert.ok(taken < longest, `takes ${Math.round(taken)} ms`);
  return taken;
}

/** An input in an error message: all of a short one, both ends of a long one. */
export const shown = (text: string): string =>
  JSON.stringify(text.length > 4_000 ? `${text.slice(0, 2_000)} … ${text.slice(-2_000)}` : text);
