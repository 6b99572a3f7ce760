import { concat, type Doc, group, indent, isForced, join, line, lineBreak, sequence, softline } from './doc.js';
import type { Placement } from './place-comments.js';

export interface Brackets {
  readonly open: Doc;
  readonly close: string;
  /** Spaces inside the brackets when all is on one line. */
  readonly spaced: boolean;
}

export const round: Brackets = { open: '(', close: ')', spaced: false };
export const square: Brackets = { open: '[', close: ']', spaced: false };
export const braces: Brackets = { open: '{', close: '}', spaced: true };

/** Items with commas: on one line, or else one a line. A last item of several lines may begin on the line of the bracket. */
export function list(brackets: Brackets, items: Placement): Doc {
  const { open, close, spaced } = brackets;
  const docs = items.pieces.map((piece) => piece.doc);
  if (items.commented) return lines(brackets, items);
  if (docs.length === 0) return concat(open, close);
  if (docs.slice(0, -1).some(isForced)) return lines(brackets, items);
  const last = docs.at(-1);
  const edge = spaced ? ' ' : '';
  if (last !== undefined && isForced(last)) return concat(open, edge, join(', ', docs), edge, close);
  const gap = spaced ? line : softline;
  return group(open, indent(concat(gap, join(concat(',', line), docs))), gap, close);
}

/** One item a line, with a comma between them. */
export function lines({ open, close, spaced }: Brackets, items: Placement): Doc {
  if (items.pieces.length === 0 && !items.commented) return concat(open, close);
  const edge = lineBreak(spaced ? ' ' : '');
  if (items.pieces.length + items.closing.length === 0) return concat(open, items.opening, edge, close);
  return concat(open, items.opening, indent(concat(edge, commaRows(items))), edge, close);
}

/** The rows between two brackets, with commas. */
export function commaRows(items: Placement): Doc {
  const last = items.pieces.length - 1;
  return rows(items, (index) => (index < last ? ',' : ''), { flat: ' ', keepBlank: false });
}

/**
 * One piece a line.
 * @param separator behind the piece with this index
 * @param style `flat` stands for a line break inside an interpolation hole; `keepBlank` keeps one empty line of several
 */
export function rows(
  { pieces, closing }: Placement,
  separator: (index: number) => string,
  style: { readonly flat: string; readonly keepBlank: boolean },
): Doc {
  const docs = pieces.map(({ before, doc, after, blank }, index) => {
    const gap = index === 0 ? '' : lineBreak(style.flat, blank && style.keepBlank);
    return concat(gap, before, doc, separator(index), after);
  });
  return sequence([...docs, ...closing]);
}
