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
