import type { Diagnostic } from '../diagnostic.js';
import type { CheckResult } from '../interfaces.js';
import { placedMessage, renderDiagnostic } from '../render-diagnostic.js';

/** One error as `check --json` and `ai-check` print it; the place is part of the message too. */
export type ErrorRecord = {
  readonly code: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly suggestion?: string;
};

export function errorRecord(diagnostic: Diagnostic): ErrorRecord {
  const { code, position, suggestion } = diagnostic;
  return {
    code,
    message: placedMessage(diagnostic),
    ...(position === null ? {} : { file: position.file, line: position.line, column: position.column }),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** For a terminal: the same in colour. @param sources the texts the position may name */
export function terminalText(
  kind: 'Error' | 'Warning',
  diagnostic: Diagnostic,
  sources: CheckResult['sources'],
): string {
  const colour = kind === 'Error' ? 31 : 33;
  const [head = '', ...rest] = renderDiagnostic(diagnostic, sources).split('\n');
  const body = rest.map((line) => (/^\s*\^$/.test(line) ? paint(colour, line) : line));
  return `${[`${paint(colour, kind.toLowerCase())} ${paint(1, head)}`, ...body].join('\n')}\n\n`;
}

const paint = (code: number, text: string): string => `\x1b[${code}m${text}\x1b[0m`;
