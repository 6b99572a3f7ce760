import type { Declaration, File } from '../syntax/ast.js';
import { blankLine, concat, type Doc, firstText, sequence } from './doc.js';
import { layout } from './layout.js';
import { type Piece, placeComments } from './place-comments.js';
import { printDeclaration, printImport } from './print-declaration.js';
import type { SourceView } from './source-view.js';

/** The canonical text of a file: its items in their order, an empty line between them, one line break at the end. */
export function printFile(view: SourceView, file: File): string {
  const pieces: Piece[] = [];
  const { module, imports, declarations } = file;
  if (module !== null) pieces.push({ start: module.start, end: module.end, doc: `module ${module.path}` });
  for (const item of imports) pieces.push({ start: item.start, end: item.end, doc: printImport(view, item) });
  for (const [index, item] of declarations.entries()) {
    const doc = apart(printDeclaration(view, item), item, declarations[index - 1]);
    pieces.push({ start: item.start, end: item.end, doc });
  }
  pieces.sort((a, b) => a.start - b.start);
  const end = view.source?.text.length ?? 0;
  const placed = placeComments(view, pieces, 0, end + 1);
  const docs = placed.pieces.map(({ before, doc, after }, index) =>
    concat(index === 0 ? '' : blankLine, before, doc, after),
  );
  const closing =
    placed.pieces.length > 0 && placed.closing.length > 0 ? [blankLine, ...placed.closing.slice(1)] : placed.closing;
  const text = layout(sequence([placed.opening, ...docs, ...closing]));
  return text === '' ? '' : `${text.trim()}\n`;
}

/** A top-level expression that would be read as a part of the declaration before it goes into parentheses. */
function apart(doc: Doc, declaration: Declaration, before: Declaration | undefined): Doc {
  if (declaration.k !== 'expression' || before === undefined) return doc;
  const first = firstText(doc)[0];
  const afterType = before.k === 'type' || before.k === 'extern';
  return first === '-' || first === '!' || (first === '{' && afterType) ? concat('(', doc, ')') : doc;
}
