import type { Diagnostic } from '../diagnostic.js';
import { placedMessage } from '../render-diagnostic.js';

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
