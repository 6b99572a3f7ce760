import type { Declaration, Name } from './ast.js';

/** The names that a declaration brings into the module: of a type also its constructors. */
export function declaredNames(declaration: Declaration): readonly Name[] {
  switch (declaration.k) {
    case 'function':
    case 'extern':
    case 'value':
      return [declaration.name];
    case 'type':
      return declaration.body.k === 'sum'
        ? [declaration.name, ...declaration.body.variants.map((variant) => variant.name)]
        : [declaration.name];
    default:
      return [];
  }
}
