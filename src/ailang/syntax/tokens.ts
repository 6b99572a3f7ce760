/** One lexical unit. `start` and `end` are UTF-16 offsets into the normalised text. */
export interface Token {
  readonly kind:
    | 'name'
    | 'keyword'
    | 'operator'
    | 'int'
    | 'float'
    | 'string'
    /** A piece of an interpolated string; a `hole` or `string-end` follows. */
    | 'string-part'
    | 'hole'
    | 'hole-end'
    | 'string-end'
    | 'illegal'
    | 'end';
  /** The text of names, keywords and operators; the decoded value of strings; the message of an illegal token. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** True when a line break precedes the token. */
  readonly newline: boolean;
  readonly int?: bigint;
  readonly float?: number;
  /** What to write instead, for an illegal token. */
  readonly hint?: string;
}

/** A comment with its markers, kept for the formatter. */
export interface Comment {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** True when nothing but white space precedes it on its line. */
  readonly ownLine: boolean;
}

export const keywords: ReadonlySet<string> = new Set(
  (
    'if then else match with select timeout func pure let letrec in type class instance forall exists deriving ' +
    'module import export extern test tests property properties assert requires ensures invariant ' +
    'spawn parallel channel send recv true false and or not'
  ).split(' '),
);

/** Longest first, so that a prefix never hides a longer operator. */
const operators: readonly string[] =
  '... => -> <- == != <= >= << >> && || ++ :: .. #[ + - * / % < > ! & ^ ~ | = : . , ; ( ) { } [ ] ? @ $ # \\'.split(
    ' ',
  );

/** The operators by their first character, so that few are tried at a place. */
export const operatorsBy: ReadonlyMap<string, readonly string[]> = new Map(
  [...new Set(operators.map((operator) => operator[0] ?? ''))].map((first) => [
    first,
    operators.filter((operator) => operator.startsWith(first)),
  ]),
);
