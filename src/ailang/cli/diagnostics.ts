import type { Diagnostic } from '../diagnostic.js';

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
