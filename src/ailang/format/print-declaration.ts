import type { Declaration, Import, TypeDeclaration } from '../syntax/ast.js';
import { concat, type Doc, group, indent, isForced, line, lineBreak, sequence } from './doc.js';
import { list, round } from './list.js';
import { importPath } from './names.js';
import { placeComments } from './place-comments.js';
import { printBinding } from './print-block.js';
import { printAfter, printExpr } from './print-expr.js';
import { printExtern, printFunction } from './print-function.js';
import { inlineTypes, printParameters, printType, printTypeParameters } from './print-type.js';
import { quoteString } from './quote-string.js';
import type { SourceView } from './source-view.js';

export function printDeclaration(view: SourceView, declaration: Declaration): Doc {
  switch (declaration.k) {
    case 'function':
      return printFunction(view, declaration);
    case 'extern':
      return printExtern(view, declaration);
    case 'type':
      return typeDeclaration(view, declaration);
    case 'value':
      return printBinding(view, { ...declaration, k: 'let' });
    case 'expression':
      return printExpr(view, declaration.value);
    case 'test': {
      const from = view.find('=', declaration.start);
      return concat(`test ${quoteString(declaration.title)} =`, printAfter(view, from, declaration.body));
    }
    case 'property': {
      const open = view.find('(', declaration.start);
      const head = concat(
        `property ${quoteString(declaration.title)} `,
        printParameters(view, declaration.binders, open),
      );
      return concat(head, ' =', printAfter(view, view.closer(open), declaration.body));
    }
  }
}

export function printImport(view: SourceView, { path, alias, items, start, end }: Import): Doc {
  const head = `import ${importPath(path)}${alias === null ? '' : ` as ${alias.text}`}`;
  if (items === null) return head;
  const pieces = items.map(({ name, alias: other }) => ({
    start: name.start,
    end: (other ?? name).end,
    doc: other === null ? name.text : `${name.text} as ${other.text}`,
  }));
  const open = view.find('(', start);
  return concat(head, ' ', list(round, placeComments(view, pieces, open, Math.min(view.closer(open), end))));
}

function typeDeclaration(view: SourceView, type: TypeDeclaration): Doc {
  const head = `${type.exported ? 'export ' : ''}type ${type.name.text}${printTypeParameters(type.parameters)} =`;
  const deriving = type.deriving.length === 0 ? '' : `deriving (${type.deriving.map((name) => name.text).join(', ')})`;
  const { body } = type;
  if (body.k === 'alias') return concat(head, ' ', printType(view, body.type), deriving === '' ? '' : ` ${deriving}`);
  const from = view.find('=', type.parameters.at(-1)?.end ?? type.name.end);
  const pieces = body.variants.map(({ name, fields, start, end }) => ({
    start,
    end,
    doc: variant(view, name.text, fields),
  }));
  const placed = placeComments(view, pieces, from, body.variants.at(-1)?.end ?? from);
  const [first] = body.variants;
  const forced = placed.commented || placed.pieces.some((piece) => isForced(piece.doc));
  if (!forced) {
    const single = body.variants.length === 1 && first?.fields.length === 0;
    const flat = pieces.map((piece) => piece.doc);
    const rows = flat.flatMap((doc, index) => [line, index === 0 && !single ? firstBar : '| ', doc]);
    return group(head, indent(sequence(rows)), deriving === '' ? '' : indent(concat(line, deriving)));
  }
  const rows = placed.pieces.map(({ before, doc, after }) => concat(lineBreak(' '), before, '| ', doc, after));
  return concat(
    head,
    placed.opening,
    indent(sequence(rows)),
    deriving === '' ? '' : indent(concat(lineBreak(' '), deriving)),
  );
}

/** The bar before the first variant, which only the layout with one variant a line has. */
const firstBar: Doc = { k: 'broken', text: '| ', forced: false };

function variant(view: SourceView, name: string, fields: readonly Parameters<typeof printType>[1][]): Doc {
  if (fields.length === 0) return name;
  return concat(
    name,
    inlineTypes(
      '(',
      fields.map((field) => printType(view, field)),
      ')',
    ),
  );
}
