import type { Comment } from '../syntax/tokens.js';
import { blankLine, type Doc, hardline, sequence, suffix } from './doc.js';
import type { SourceView } from './source-view.js';

/** A part of a construct that may stand on a line of its own. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly doc: Doc;
}

export interface PlacedPiece {
  /** Comments on the lines above, each with its line break. */
  readonly before: Doc;
  readonly doc: Doc;
  /** The comment behind it on its line. */
  readonly after: Doc;
  /** An empty line stands before it in the source. */
  readonly blank: boolean;
}

export interface Placement {
  /** Behind the opening bracket. */
  readonly opening: Doc;
  readonly pieces: readonly PlacedPiece[];
  /** Own lines behind the last piece. */
  readonly closing: readonly Doc[];
  readonly commented: boolean;
}

/**
 * Gives every comment between the pieces to the piece before it when they share a line, else to the next one. Comments
 * inside a piece are left to whoever printed the piece.
 * @param from end of what comes before the first piece
 * @param to start of what follows the last piece
 */
export function placeComments(view: SourceView, pieces: readonly Piece[], from: number, to: number): Placement {
  const placed: { before: Doc; doc: Doc; after: Doc; blank: boolean }[] = [];
  let opening: Doc = '';
  let commented = false;
  let at = from;
  const trailing = (comments: readonly Comment[]): readonly Comment[] => {
    const own = comments.findIndex((comment) => comment.ownLine || !view.sameLine(at, comment.start));
    const same = own === -1 ? comments : comments.slice(0, own);
    if (comments.length > 0) commented = true;
    const text = same.map((comment) => comment.text).join(' ');
    const last = placed.at(-1);
    if (text !== '' && last !== undefined) last.after = suffix(text);
    else if (text !== '') opening = suffix(text);
    at = same.at(-1)?.end ?? at;
    return comments.slice(same.length);
  };
  for (const { start, end, doc } of pieces) {
    const above = trailing(view.take(at, start));
    const blank = view.blankBetween(at, above[0]?.start ?? start);
    placed.push({ before: ownLines(view, above, start), doc, after: '', blank });
    at = Math.max(at, end);
  }
  const below = trailing(view.take(at, to));
  return { opening, pieces: placed, closing: closingLines(view, below, at, placed.length > 0), commented };
}

function ownLines(view: SourceView, comments: readonly Comment[], next: number): Doc {
  const parts = comments.flatMap((comment, index): Doc[] => [
    comment.text,
    view.blankBetween(comment.end, comments[index + 1]?.start ?? next) ? blankLine : hardline,
  ]);
  return sequence(parts);
}

function closingLines(view: SourceView, comments: readonly Comment[], from: number, blankFirst: boolean): Doc[] {
  return comments.flatMap((comment, index): Doc[] => {
    const before = comments[index - 1]?.end ?? from;
    const blank = view.blankBetween(before, comment.start) && (index > 0 || blankFirst);
    return index === 0 && !blankFirst ? [comment.text] : [blank ? blankLine : hardline, comment.text];
  });
}
