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
    const line = text?.normalize('NFC').split('\n')[position.line - 1]?.replace(/\r$/, '');
    if (line !== undefined && line.length <= 200) lines.push(`  ${line}`, `  ${blank(line, position.column)}^`);
  }
  if (suggestion !== undefined) lines.push('', suggestion);
  return lines.join('\n');
}

/** As wide as the line before a column; tabs stay tabs. */
function blank(line: string, column: number): string {
  return [...line]
    .slice(0, column - 1)
    .map((char) => (char === '\t' ? '\t' : ' '))
    .join('');
}
