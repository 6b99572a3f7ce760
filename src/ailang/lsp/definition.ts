import type { CheckedModule } from '../modules/checked-module.js';
import { resolveImport } from '../modules/paths.js';
import type { Expr, Import, ImportItem, Name, Pattern, Span, TypeExpr } from '../syntax/ast.js';
import { declaredNames } from '../syntax/declared-names.js';
import type { VariantInfo } from '../types/type.js';
import { hasSpan } from './nodes.js';
import { scopeNames } from './scopes.js';
import type { Analysis } from './workspace.js';

/** Where something is declared: the module, and the span of its name there (null: the module as a whole). */
export interface Definition {
  readonly module: CheckedModule;
  readonly name: Span | null;
}

/** What the innermost of the nodes refers to. @param nodes as `nodesAt` gives them */
export function definitionOf(analysis: Analysis, nodes: readonly object[], offset: number): Definition | null {
  const { module } = analysis;
  if (module === null) return null;
  const inner = nodes.filter(hasSpan).at(-1);
  const importing = nodes.find((node): node is Import => 'pathSpan' in node);
  if (importing !== undefined) return inImport(analysis, module, importing, nodes);
  const node = innermost(nodes, offset);
  if (node === undefined || inner === undefined) return null;
  if (node.k === 'name' && isTypeName(node)) return typeNamed(analysis, module, node.name);
  const resolution = module.facts?.resolutions.get(node as Expr);
  if (resolution?.k === 'global') return inModule(analysis, resolution.module, resolution.name);
  if (resolution?.k === 'constructor') return ofVariant(analysis, resolution.variant);
  const variant = module.facts?.patterns.get(node as Pattern);
  if (variant !== undefined) return ofVariant(analysis, variant);
  if (node.k !== 'name') return null;
  const local = scopeNames(nodes, offset).find(({ text }) => text === node.name);
  return local === undefined ? null : { module, name: local };
}

type Node = (Expr | Pattern | TypeExpr) & Span;

/** The smallest expression, pattern or type; the name of a qualified name belongs to the whole. */
function innermost(nodes: readonly object[], offset: number): Node | undefined {
  const found = nodes.filter((node): node is Node => 'k' in node && hasSpan(node));
  const ends = found.filter(({ start }) => start <= offset);
  return ends.at(-1);
}

/** A type name has arguments, a name of a value or a pattern has not. */
const isTypeName = (node: object): boolean => 'arguments' in node;

function inImport(
  analysis: Analysis,
  importer: CheckedModule,
  { path }: Import,
  nodes: readonly object[],
): Definition | null {
  const target = resolveImport(path, importer.path);
  const module = target === null ? undefined : analysis.result.modules.find((one) => one.path === target);
  if (module === undefined) return null;
  const item = nodes.find((node): node is ImportItem => 'alias' in node && 'name' in node && !('items' in node));
  return item === undefined ? { module, name: null } : { module, name: nameIn(module, item.name.text) };
}

function inModule(analysis: Analysis, path: string, name: string): Definition | null {
  const module = analysis.result.modules.find((one) => one.path === path);
  return module === undefined ? null : { module, name: nameIn(module, name) };
}

const ofVariant = (analysis: Analysis, { type, name }: VariantInfo): Definition | null =>
  inModule(analysis, type.module, name);

function typeNamed(analysis: Analysis, module: CheckedModule, name: string): Definition | null {
  const own = nameIn(module, name);
  if (own !== null) return { module, name: own };
  const entry = module.scope.type(name);
  if (entry?.k === 'constructor') return inModule(analysis, entry.constructor.module, entry.constructor.name);
  for (const item of module.file.imports) {
    const imported = item.items?.find((one) => (one.alias ?? one.name).text === name);
    const path = resolveImport(item.path, module.path);
    if (imported !== undefined && path !== null) return inModule(analysis, path, imported.name.text);
  }
  return null;
}

/** The name of a function, type, constructor or value where the module declares it. */
export function nameIn({ file }: CheckedModule, name: string): Name | null {
  return file.declarations.flatMap(declaredNames).find(({ text }) => text === name) ?? null;
}
