import type { DocumentSymbol, SymbolKind } from 'vscode-languageserver-protocol';
import type { Declaration, Span } from '../syntax/ast.js';
import type { Source } from '../syntax/source.js';
import { rangeOf } from './positions.js';

const kinds = { function: 12, variable: 13, enum: 10, struct: 23, member: 22, test: 24 } as const;

/** The declarations of a file in source order. */
export function symbolsOf(source: Source, declarations: readonly Declaration[]): DocumentSymbol[] {
  return declarations.flatMap((declaration) => symbolOf(source, declaration) ?? []);
}

/** Null for an expression, which has no name. */
function symbolOf(source: Source, declaration: Declaration): DocumentSymbol | null {
  const symbol = (name: string, kind: SymbolKind, whole: Span, selected: Span): DocumentSymbol => ({
    name,
    kind,
    range: rangeOf(source, whole),
    selectionRange: rangeOf(source, selected),
  });
  switch (declaration.k) {
    case 'function':
    case 'extern':
      return symbol(declaration.name.text, kinds.function, declaration, declaration.name);
    case 'value':
      return symbol(declaration.name.text, kinds.variable, declaration, declaration.name);
    case 'test':
    case 'property':
      return symbol(declaration.title, kinds.test, declaration, declaration);
    case 'type': {
      const { name, body } = declaration;
      if (body.k === 'alias') return symbol(name.text, kinds.struct, declaration, name);
      const children = body.variants.map((variant) => symbol(variant.name.text, kinds.member, variant, variant.name));
      return { ...symbol(name.text, kinds.enum, declaration, name), children };
    }
    case 'expression':
      return null;
  }
}
