import type { Diagnostic } from './diagnostic.js';
import type { CheckResult } from './interfaces.js';

const widest = 200;

/**
 * A diagnostic as it is read: `file:3:5: message [CODE]`, the source line with a mark below the column, and the hint.
 * @param sources the texts the position may name; without the right one the source line is left out
 */
export function renderDiagnostic(diagnostic: Diagnostic, sources: CheckResult['sources'] = []): string {
  const { code, position, suggestion } = diagnostic;
  const lines = [`${placedMessage(diagnostic)} [${code}]`];
  const text = sources.find(({ path }) => path === position?.file)?.text;
  const line = text?.normalize('NFC').split('\n')[(position?.line ?? 0) - 1]?.replace(/\r$/, '');
  if (position !== null && line !== undefined && line.length <= widest) {
    const before = [...line].slice(0, position.column - 1).map((char) => (char === '\t' ? '\t' : ' '));
    lines.push(`  ${line}`, `  ${before.join('')}^`);
  }
  if (suggestion !== undefined) lines.push(`  Hint: ${suggestion}`);
  return lines.join('\n');
}

/** The message with its place in front, `broken.ail:6:11: …`, unless it names it already. */
export function placedMessage({ message, position }: Diagnostic): string {
  if (position === null) return message;
  const place = `${position.file}:${position.line}:${position.column}`;
  return message.includes(place) ? message : `${place}: ${message}`;
}
