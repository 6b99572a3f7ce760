import type { CheckedModule } from '../modules/checked-module.js';
import type { Expr, Name, Pattern, Span } from '../syntax/ast.js';
import { declaredNames } from '../syntax/declared-names.js';
import { TypePrinter } from '../types/print.js';
import type { Type } from '../types/type.js';
import { definitionOf } from './definition.js';
import { hasSpan } from './nodes.js';
import type { Analysis } from './workspace.js';

/** What the cursor stands on, as AILANG text. */
export interface Hover {
  readonly code: string;
  /** The module that declares it, when that is another one. */
  readonly from: string | null;
  readonly span: Span;
}

/** The type of what stands at the offset; null where nothing has one. @param nodes as `nodesAt` gives them */
export function hoverOf(analysis: Analysis, nodes: readonly object[], offset: number): Hover | null {
  const { module } = analysis;
  if (module === null) return null;
  const definition = definitionOf(analysis, nodes, offset);
  const from = definition === null || definition.module === module ? null : definition.module.path;
  for (const node of nodes.filter(hasSpan).reverse()) {
    const code = describe(module, node);
    if (code !== null) return { code, from, span: node };
  }
  if (definition === null || definition.name === null) return null;
  const span = nodes.filter(hasSpan).at(-1);
  const code = declarationText(definition.module, definition.name);
  return span === undefined || code === null ? null : { code, from, span };
}

function describe(module: CheckedModule, node: Span): string | null {
  const type = module.facts?.nodes?.get(node as Expr | Pattern | Name) ?? ofDeclaration(module, node);
  if (type === null) return null;
  const name = nameOf(node);
  const printed = new TypePrinter().print(type);
  return name === null ? printed : `${name} : ${printed}`;
}

/** The name of a function or value stands for its whole type. */
function ofDeclaration(module: CheckedModule, node: object): Type | null {
  if (!('text' in node) || !module.file.declarations.some((one) => declaredNames(one)[0] === node)) return null;
  return module.scope.values.get(String(node.text))?.scheme.type ?? null;
}

function nameOf(node: object): string | null {
  if ('text' in node) return String(node.text);
  if (!('k' in node)) return null;
  if (node.k === 'name' && 'name' in node) return String(node.name);
  if (node.k === 'field' && 'name' in node) return (node.name as Name).text;
  return null;
}

/** A type is shown as it is written, a function by its type. */
function declarationText(module: CheckedModule, name: Span): string | null {
  const declaration = module.file.declarations.find((one) => one.start <= name.start && name.end <= one.end);
  if (declaration === undefined) return null;
  if (declaration.k === 'type') return module.source.text.slice(declaration.start, declaration.end);
  const [declared] = declaredNames(declaration);
  const entry = declared === undefined ? undefined : module.scope.values.get(declared.text);
  return entry === undefined ? null : `${declared?.text} : ${new TypePrinter().print(entry.scheme.type)}`;
}
