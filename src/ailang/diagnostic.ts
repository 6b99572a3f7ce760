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

const longest = 1000;

/** Findings repeat names and types of the program: cut where these are beyond reading. */
export function brief(diagnostic: Diagnostic): Diagnostic {
  const { message, suggestion } = diagnostic;
  if (message.length <= longest && (suggestion === undefined || suggestion.length <= longest)) return diagnostic;
  const cut = { ...diagnostic, message: shortened(message) };
  return suggestion === undefined ? cut : { ...cut, suggestion: shortened(suggestion) };
}

/** The beginning and the end of a long text. */
const shortened = (text: string): string =>
  text.length <= longest ? text : `${text.slice(0, longest - 200)} … ${text.slice(-200)}`;
