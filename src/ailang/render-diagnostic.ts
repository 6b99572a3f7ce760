import type { Diagnostic } from './diagnostic.js';

/**
 * A diagnostic as a person reads it: `CODE at file:line:col: message`, the source line with a mark below the column,
 * and the suggestion after an empty line (ailang-language section 10).
 * @param text the source of the file the position names; without it the line is left out
 */
export function renderDiagnostic(diagnostic: Diagnostic, text?: string): string {
  const { code, message, position, suggestion } = diagnostic;
  const lines: string[] = [];
  if (position === null) lines.push(`${code}: ${message}`);
  else {
    lines.push(`${code} at ${position.file}:${position.line}:${position.column}: ${message}`);
    lines.push(...sourceLines(diagnostic, text));
  }
  if (suggestion !== undefined) lines.push('', suggestion);
  return lines.join('\n');
}

const widest = 200;

/** The source line a diagnostic names and a mark below its column; none without the text or a readable line. */
export function sourceLines({ position }: Diagnostic, text?: string): string[] {
  if (position === null) return [];
  const line = text?.normalize('NFC').split('\n')[position.line - 1]?.replace(/\r$/, '');
  if (line === undefined || line.length > widest) return [];
  const before = [...line].slice(0, position.column - 1).map((char) => (char === '\t' ? '\t' : ' '));
  return [`  ${line}`, `  ${before.join('')}^`];
}
