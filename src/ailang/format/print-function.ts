import type { Expr, ExternDeclaration, FunctionDeclaration, InlineProperty, InlineTest } from '../syntax/ast.js';
import { concat, type Doc, hardline, indent, sequence } from './doc.js';
import { braces, lines, list, square } from './list.js';
import { type Piece, placeComments } from './place-comments.js';
import { printBody } from './print-block.js';
import { printAfter, printItem } from './print-expr.js';
import { looksLikeLabel } from './print-forms.js';
import { printEffects, printParameters, printResult, printTypeParameters } from './print-type.js';
import type { SourceView } from './source-view.js';

export function printFunction(view: SourceView, f: FunctionDeclaration): Doc {
  const open = view.find('(', f.typeParameters.at(-1)?.end ?? f.name.end);
  const head = signature(view, f, open);
  const headEnd = f.effects?.end ?? f.result?.end ?? view.closer(open) + 1;
  const above: Piece[] = f.attributes.map(({ name, arguments: given, start, end }) => {
    const doc = given === null ? `@${name.text}` : `@${name.text}(${given})`;
    return { start, end, doc };
  });
  const clauses = printClauses(view, f, headEnd);
  const bodyFrom = clauses.at(-1)?.end ?? headEnd;
  const after = body(view, f, bodyFrom, clauses.length > 0);
  if (above.length + clauses.length === 0) return concat(head, ' ', after);
  const bodyStart = f.equation || view.source === null ? bodyFrom : f.body.start;
  const pieces = [...above, { start: f.name.start, end: headEnd, doc: head }, ...clauses];
  const own = clauses.length === 0 ? [] : [{ start: bodyStart, end: f.end, doc: after }];
  const placed = placeComments(view, [...pieces, ...own], f.start, f.end).pieces;
  const rows = placed.map(({ before, doc, after: behind }, index) =>
    concat(index === 0 ? '' : hardline, before, doc, behind),
  );
  return own.length > 0 ? sequence(rows) : concat(...rows, ' ', after);
}

function signature(view: SourceView, f: FunctionDeclaration, open: number): Doc {
  const words = `${f.exported ? 'export ' : ''}${f.pure ? 'pure ' : ''}func ${f.name.text}`;
  const result = f.result === null ? '' : concat(' -> ', printResult(view, f.result, f.effects));
  const row = f.result === null && f.effects !== null ? ` ${printEffects(f.effects)}` : '';
  return concat(words, printTypeParameters(f.typeParameters), printParameters(view, f.parameters, open), result, row);
}

/** Each clause on lines of its own: contracts in the first column, tests and properties indented. */
function printClauses(view: SourceView, f: FunctionDeclaration, from: number): Piece[] {
  const found: Piece[] = [];
  const clause = (keyword: string, bracket: string, print: (open: number) => Doc): void => {
    const start = view.find(keyword, found.at(-1)?.end ?? from);
    const open = view.find(bracket, start);
    found.push({ start, end: view.closer(open) + 1, doc: print(open) });
  };
  const predicates = (keyword: string, all: readonly Expr[] | null): void => {
    if (all === null) return;
    clause(keyword, '{', (open) => {
      const pieces = all.map((one) => ({ start: one.start, end: one.end, doc: printItem(view, one) }));
      const placed = placeComments(view, pieces, open, view.closer(open));
      return concat(`${keyword} `, list(braces, placed));
    });
  };
  predicates('requires', f.requires);
  predicates('ensures', f.ensures);
  const { tests, properties } = f;
  if (tests !== null)
    clause('tests', '[', (open) =>
      block(
        view,
        'tests',
        open,
        tests.map((one) => test(view, one)),
      ),
    );
  if (properties !== null)
    clause('properties', '[', (open) =>
      block(
        view,
        'properties',
        open,
        properties.map((one) => property(view, one)),
      ),
    );
  return found;
}

function block(view: SourceView, keyword: string, open: number, pieces: readonly Piece[]): Doc {
  const placed = placeComments(view, pieces, open, view.closer(open));
  return indent(concat(`  ${keyword} `, lines(square, placed)));
}

function test(view: SourceView, { inputs, expected, start, end }: InlineTest): Piece {
  const parts = inputs.map((input) => ({ start: input.start, end: input.end, doc: printItem(view, input) }));
  const [only] = parts;
  const input = only !== undefined && parts.length === 1 ? only.doc : parts.length === 0 ? '()' : tuple(view, parts);
  const whole = [
    { start: inputs[0]?.start ?? start, end: inputs.at(-1)?.end ?? start, doc: input },
    { start: expected.start, end: expected.end, doc: printItem(view, expected) },
  ];
  return { start, end, doc: tuple(view, whole) };
}

function tuple(view: SourceView, pieces: readonly Piece[]): Doc {
  const placed = placeComments(view, pieces, pieces[0]?.start ?? 0, pieces.at(-1)?.end ?? 0);
  return list({ open: '(', close: ')', spaced: false }, placed);
}

function property(view: SourceView, { binders, body: claim, start, end }: InlineProperty): Piece {
  const open = view.find('(', start);
  const head = concat('forall', printParameters(view, binders, open), ' =>');
  return { start, end, doc: concat(head, printAfter(view, view.closer(open), claim, true)) };
}

function body(view: SourceView, f: FunctionDeclaration, from: number, ownLine: boolean): Doc {
  if (f.equation) return concat('=', printAfter(view, view.find('=', from), f.body));
  if (f.body.k !== 'block') return concat('{ ', printItem(view, f.body), ' }');
  const label = f.result !== null && f.effects === null && !ownLine && looksLikeLabel(f.body);
  return printBody(view, f.body, ownLine ? f.body.start : from, label);
}

export function printExtern(view: SourceView, f: ExternDeclaration): Doc {
  const open = view.find('(', f.name.end);
  const parameters = printParameters(view, f.parameters, open);
  return concat(`extern func ${f.name.text}`, parameters, ' -> ', printResult(view, f.result, f.effects));
}
