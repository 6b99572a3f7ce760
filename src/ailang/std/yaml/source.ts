/** Collections inside one another, at most. */
export const MAX_DEPTH = 1000;

/** Why a text is refused; `message` names the line. */
export class YamlError extends Error {}

export interface Line {
  readonly number: number;
  /** The whole line without its break. */
  readonly raw: string;
  /** Without indentation; the rest of the line once its beginning has been read. */
  readonly text: string;
  /** Column of `text`. */
  readonly indent: number;
  /** Column of the first character of the line that is no space. */
  readonly column: number;
  /** Offset of `text` in the source. */
  readonly start: number;
  /** A tab stands in the indentation. */
  readonly tabbed: boolean;
  /** What follows a document marker on its line. */
  readonly shared?: true;
}

export function linesOf(source: string): Line[] {
  const lines: Line[] = [];
  let at = source.startsWith('\ufeff') ? 1 : 0;
  for (const part of source.slice(at).split('\n')) {
    const raw = part.endsWith('\r') ? part.slice(0, -1) : part;
    const indent = /^ */.exec(raw)?.[0].length ?? 0;
    const blank = raw.trim() === '';
    const text = blank ? '' : raw.slice(indent);
    lines.push({
      number: lines.length + 1,
      raw,
      text,
      indent,
      column: indent,
      start: at + indent,
      tabbed: text.startsWith('\t'),
    });
    at += part.length + 1;
  }
  // What follows the last break is no line of a block scalar.
  if (lines.at(-1)?.raw === '') lines.pop();
  return lines;
}

/** Without the comment at its end and the space before that. */
export function withoutComment(text: string): string {
  const found = /(?:^|[ \t])#/.exec(text);
  return (found === null ? text : text.slice(0, found.index)).trimEnd();
}

/** Where the plain key of `key: value` ends, -1 when there is none. */
export function plainKeyEnd(text: string): number {
  const colon = /:(?:[ \t]|$)/.exec(text)?.index ?? -1;
  const comment = /[ \t]#/.exec(text)?.index ?? Number.POSITIVE_INFINITY;
  return colon > 0 && colon < comment ? colon : -1;
}
