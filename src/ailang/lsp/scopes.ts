import type { Arm, Expr, FunctionDeclaration, Name, Pattern, PropertyDeclaration, Statement } from '../syntax/ast.js';
import { hasSpan } from './nodes.js';

type Scope = Expr | FunctionDeclaration | PropertyDeclaration | Arm;

/** Local names visible at an offset, innermost first. @param nodes that contain the offset, outermost first */
export function scopeNames(nodes: readonly object[], offset: number): readonly Name[] {
  return [...nodes].reverse().flatMap((node) => (hasSpan(node) ? bound(node as Scope, offset) : []));
}

function bound(node: Scope, offset: number): readonly Name[] {
  if ('pattern' in node) return patternNames(node.pattern);
  if (!('k' in node)) return [];
  switch (node.k) {
    case 'function':
      return 'body' in node ? node.parameters.map(({ name }) => name) : [];
    case 'property':
      return node.binders.map(({ name }) => name);
    case 'lambda':
      return node.parameters.map(({ name }) => name);
    case 'forall':
      return [node.name];
    case 'let':
      return node.recursive || offset >= node.body.start || onName(node.name, offset) ? [node.name] : [];
    case 'block':
      return node.statements.flatMap((statement) => statementNames(statement, offset)).reverse();
    default:
      return [];
  }
}

const onName = (name: Name, offset: number): boolean => name.start <= offset && offset <= name.end;

/** A let is visible after its value, a letrec in its group, which a later one of the block may begin. */
function statementNames(statement: Statement, offset: number): readonly Name[] {
  if (statement.k !== 'let') return [];
  const visible = statement.recursive || offset > statement.value.end || onName(statement.name, offset);
  return visible ? [statement.name] : [];
}

/** Names that a pattern binds, constructors among them: they are resolved before names are. */
export function patternNames(pattern: Pattern): readonly Name[] {
  switch (pattern.k) {
    case 'name':
      return [{ text: pattern.name, start: pattern.start, end: pattern.end }];
    case 'constructor':
      return pattern.arguments.flatMap(patternNames);
    case 'cons':
      return [...patternNames(pattern.head), ...patternNames(pattern.tail)];
    case 'list':
      return [...pattern.items.flatMap(patternNames), ...(pattern.rest === null ? [] : [pattern.rest])];
    case 'tuple':
      return pattern.items.flatMap(patternNames);
    case 'record':
      return pattern.fields.flatMap((field) => patternNames(field.pattern));
    default:
      return [];
  }
}
