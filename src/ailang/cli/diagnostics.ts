import type { Diagnostic } from '../diagnostic.js';
import type { CheckResult } from '../interfaces.js';
import { renderDiagnostic } from '../render-diagnostic.js';

/** One error as `check --json` and `ai-check` print it; the place is part of the message too. */
export type ErrorRecord = {
  readonly code: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly suggestion?: string;
};

/** The message with its place in front, `broken.ail:6:11: …`, unless it names it already. */
export function placedMessage({ message, position }: Diagnostic): string {
  if (position === null) return message;
  const place = `${position.file}:${position.line}:${position.column}`;
  return message.includes(place) ? message : `${place}: ${message}`;
}

export function errorRecord(diagnostic: Diagnostic): ErrorRecord {
  const { code, position, suggestion } = diagnostic;
  return {
    code,
    message: placedMessage(diagnostic),
    ...(position === null ? {} : { file: position.file, line: position.line, column: position.column }),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** For a reader: code, message, and the suggestion on its own line. */
export function errorText(diagnostic: Diagnostic): string {
  const hint = diagnostic.suggestion === undefined ? '' : `\n  Hint: ${diagnostic.suggestion}`;
  return `${placedMessage(diagnostic)} [${diagnostic.code}]${hint}`;
}

/** What standard error gets of several findings. @param sources the texts that they name; only a terminal shows them */
export function reportText(
  kind: 'Error' | 'Warning',
  diagnostics: readonly Diagnostic[],
  { sources, colour }: { readonly sources: CheckResult['sources']; readonly colour: boolean },
): string {
  if (!colour) return diagnostics.map((diagnostic) => `${kind}: ${errorText(diagnostic)}\n`).join('');
  const texts = new Map(sources.map(({ path, text }) => [path, text]));
  return diagnostics
    .map((diagnostic) => terminalText(kind, diagnostic, texts.get(diagnostic.position?.file ?? '')))
    .join('');
}

/** For a terminal: in colour, with the source line and a mark below the column. @param text of the file it names */
export function terminalText(kind: 'Error' | 'Warning', diagnostic: Diagnostic, text?: string): string {
  const colour = kind === 'Error' ? 31 : 33;
  const [head = '', ...rest] = renderDiagnostic(diagnostic, text).split('\n');
  const body = rest.map((line) => (/^ *\^$/.test(line) ? paint(colour, line) : line));
  return `${[`${paint(colour, kind.toLowerCase())} ${paint(1, head)}`, ...body].join('\n')}\n\n`;
}

const paint = (code: number, text: string): string => `\x1b[${code}m${text}\x1b[0m`;
