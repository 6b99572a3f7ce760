/** A place in a source file. Lines and columns count from 1; columns count code points. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** One finding of the front end. `message` already names the place when `position` is null. */
export interface Diagnostic {
  /** `PAR001`, `TC_ARITY_001`, … (ailang-language section 10). */
  readonly code: string;
  readonly message: string;
  readonly position: Position | null;
  /** What to write instead, in one or two lines. */
  readonly suggestion?: string;
}

const longestWord = 120;
const longestText = 1_000;

/** A diagnostic whose texts stay readable, however long the names and types in them are. */
export function diagnosticOf(
  code: string,
  message: string,
  position: Position | null,
  suggestion?: string,
): Diagnostic {
  const shown = clipped(message);
  return suggestion === undefined
    ? { code, message: shown, position }
    : { code, message: shown, position, suggestion: clipped(suggestion) };
}

function clipped(text: string): string {
  if (text.length <= longestWord) return text;
  const words = text.replace(/\S{121,}/g, (word) => `${word.slice(0, longestWord)}…`);
  return words.length > longestText ? `${words.slice(0, longestText)}…` : words;
}
