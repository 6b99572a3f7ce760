import type { CoreClause, CoreFunction, DataType, EntryPoint } from '../core/types.js';
import type { Expr, FunctionDeclaration } from '../syntax/ast.js';
import { printType } from '../types/print.js';
import { type FunctionType, flattenRecord, listItem, resolve, type Type } from '../types/type.js';
import { type Elaboration, elaborate } from './elaborate-expr.js';

export function elaborateFunction(c: Elaboration, declaration: FunctionDeclaration): CoreFunction {
  const names = declaration.parameters.map((parameter) => parameter.name.text);
  const [only] = declaration.parameters;
  const unit = names.length === 1 && only?.type?.k === 'unit';
  const body = elaborate(c, declaration.body);
  return {
    name: declaration.name.text,
    exported: declaration.exported,
    parameters: unit ? [] : names,
    body: unit && only !== undefined ? { k: 'let', name: only.name.text, value: { k: 'unit' }, body } : body,
    budgets: (declaration.effects?.effects ?? [])
      .filter((item) => item.limit !== null || item.min !== null)
      .map((item) => ({ effect: item.name, limit: item.limit, min: item.min })),
    clauses: [
      ...clauses(c, 'requires', declaration.requires ?? []),
      ...clauses(c, 'ensures', declaration.ensures ?? []),
    ],
    position: c.source.position(declaration.name.start),
  };
}

function clauses(c: Elaboration, kind: CoreClause['kind'], predicates: readonly Expr[]): CoreClause[] {
  return predicates.map((predicate) => ({
    kind,
    predicate: elaborate(c, predicate),
    text: c.source.text.slice(predicate.start, predicate.end),
    position: c.source.position(predicate.start),
  }));
}

/** How a run may enter the module through this function (ailang-language 3.7). */
export function entryPoint(declaration: FunctionDeclaration, type: FunctionType): EntryPoint {
  const result = resolve(type.result);
  const effects = new Set((declaration.effects?.effects ?? []).map((item) => item.name));
  return {
    name: declaration.name.text,
    parameters: type.parameters.map((parameter) => dataType(parameter)),
    effects: [...effects].sort(),
    openRow: (declaration.effects?.variables.length ?? 0) > 0,
    returnsUnit: result.k === 'named' && result.constructor.name === '()',
  };
}

function dataType(type: Type): DataType {
  const found = resolve(type);
  if (found.k === 'var') return { k: 'any' };
  if (found.k === 'record') {
    const { fields } = flattenRecord(found);
    return { k: 'record', fields: [...fields].map(([name, field]) => ({ name, type: dataType(field) })) };
  }
  const item = listItem(found);
  if (item !== null) return { k: 'list', item: dataType(item) };
  if (found.k === 'named' && found.constructor.module === '') {
    switch (found.constructor.name) {
      case '()':
        return { k: 'unit' };
      case 'int':
      case 'float':
      case 'string':
      case 'bool':
        return { k: found.constructor.name };
      default:
    }
  }
  return { k: 'other', text: printType(found) };
}
