import type { EffectItem, EffectRow, Parameter, TypeExpr } from '../syntax/ast.js';
import { concat, type Doc, group, indent, isForced, join, line, softline } from './doc.js';
import { flatLayout } from './layout.js';
import { braces, list, round } from './list.js';
import { type Piece, placeComments } from './place-comments.js';
import type { SourceView } from './source-view.js';

export function printType(view: SourceView, type: TypeExpr): Doc {
  switch (type.k) {
    case 'name':
      if (type.arguments.length === 0) return type.name;
      return concat(
        type.name,
        inlineTypes(
          '[',
          type.arguments.map((item) => printType(view, item)),
          ']',
        ),
      );
    case 'unit':
      return '()';
    case 'list':
      return concat('[', printType(view, type.item), ']');
    case 'tuple':
      return inlineTypes(
        '(',
        type.items.map((item) => printType(view, item)),
        ')',
      );
    case 'record':
      return recordType(view, type);
    case 'function':
      return functionType(view, type);
    case 'label': {
      const inner = printType(view, type.type);
      const whole = type.type.k === 'function' || type.type.k === 'label' ? concat('(', inner, ')') : inner;
      return concat(whole, type.refused ? `{not ${type.label}}` : `<${type.label}>`);
    }
  }
}

/** Types with commas between brackets. */
export function inlineTypes(open: string, docs: readonly Doc[], close: string): Doc {
  return group(open, indent(concat(softline, join(concat(',', line), docs))), softline, close);
}

function recordType(view: SourceView, type: Extract<TypeExpr, { k: 'record' }>): Doc {
  const pieces: Piece[] = type.fields.map((field) => ({
    start: field.name.start,
    end: field.type.end,
    doc: concat(`${field.name.text}: `, printType(view, field.type)),
  }));
  const { rest } = type;
  if (rest !== null && rest.name === null) pieces.push({ start: rest.start, end: rest.end, doc: '...' });
  const placed = placeComments(view, pieces, type.start, view.closer(type.start));
  if (rest === null || rest.name === null) return list(braces, placed);
  const row = `| ${rest.name}`;
  if (placed.pieces.length === 0) return `{ ${row} }`;
  const [last] = placed.pieces.slice(-1);
  if (last === undefined) return `{ ${row} }`;
  const pieceWithRow = { ...last, doc: concat(last.doc, ' ', row) };
  return list(braces, { ...placed, pieces: [...placed.pieces.slice(0, -1), pieceWithRow] });
}

function functionType(view: SourceView, type: Extract<TypeExpr, { k: 'function' }>): Doc {
  const [only] = type.parameters;
  const parameters =
    only !== undefined && type.parameters.length === 1 && standsBare(only)
      ? printType(view, only)
      : inlineTypes(
          '(',
          type.parameters.map((parameter) => printType(view, parameter)),
          ')',
        );
  return concat(parameters, ' -> ', printResult(view, type.result, type.effects));
}

/** Whether one parameter of this type needs no parentheses before an arrow. */
function standsBare(type: TypeExpr): boolean {
  if (type.k === 'label') return type.type.k === 'name' || type.type.k === 'list';
  return type.k === 'name' || type.k === 'list' || type.k === 'record';
}

/** A result type, on one line: what stands before it breaks first; and its effects. A function type in front of effects that are not its own needs parentheses. */
export function printResult(view: SourceView, result: TypeExpr, effects: EffectRow | null): Doc {
  const printed = printType(view, result);
  const doc = isForced(printed) ? printed : flatLayout(printed);
  if (effects === null) return doc;
  return concat(result.k === 'function' ? concat('(', doc, ')') : doc, ' ', printEffects(effects));
}

/** `! {IO, FS @limit=5, e}`: effects, then variables. */
export function printEffects({ effects, variables }: EffectRow): string {
  return `! {${[...effects.map(effectText), ...variables.map((variable) => variable.text)].join(', ')}}`;
}

function effectText({ name, parameters, limit, min }: EffectItem): string {
  const given = parameters.map(({ key, value }) => `${key.text}=${value.text}`).join(', ');
  const budgets = [min === null ? '' : ` @min=${min}`, limit === null ? '' : ` @limit=${limit}`];
  return `${name}${given === '' ? '' : `[${given}]`}${budgets.join('')}`;
}

/** `(a: int, b)`. @param open where its parenthesis stands */
export function printParameters(view: SourceView, parameters: readonly Parameter[], open: number): Doc {
  const pieces = parameters.map(({ name, type }) => ({
    start: name.start,
    end: type?.end ?? name.end,
    doc: type === null ? name.text : concat(`${name.text}: `, printType(view, type)),
  }));
  return list(round, placeComments(view, pieces, open, view.closer(open)));
}

/** `[a, b]`, or nothing. */
export function printTypeParameters(names: readonly { readonly text: string }[]): string {
  return names.length === 0 ? '' : `[${names.map((name) => name.text).join(', ')}]`;
}
