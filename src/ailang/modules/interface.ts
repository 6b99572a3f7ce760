import type { ModuleInterface } from '../interfaces.js';
import type { File } from '../syntax/ast.js';
import { TypePrinter } from '../types/print.js';
import type { ModuleScope } from './scope.js';

const style = { compact: true, rename: true };

/** What a module offers, in the form of interface files (ailang-language 5.16): sorted, variables renamed a, b, c. */
export function moduleInterface(module: string, file: File, scope: ModuleScope): ModuleInterface {
  const types: ModuleInterface['types'][number][] = [];
  const funcs: ModuleInterface['funcs'][number][] = [];
  for (const declaration of file.declarations) {
    if (declaration.k === 'type' && declaration.exported) {
      const printed = printedType(declaration.name.text, scope);
      if (printed !== null) types.push(printed);
    }
    if (declaration.k !== 'function' || !declaration.exported) continue;
    const entry = scope.values.get(declaration.name.text);
    if (entry === undefined) continue;
    const effects = [...new Set((declaration.effects?.effects ?? []).map((item) => item.name))].sort();
    funcs.push({
      name: declaration.name.text,
      type: new TypePrinter(style).print(entry.scheme.type),
      effects,
      // Interface files call every library function pure, those with effects too.
      pure: declaration.pure || effects.length === 0 || module.startsWith('std/'),
    });
  }
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  return { module, types: types.sort(byName), funcs: funcs.sort(byName) };
}

function printedType(name: string, scope: ModuleScope): ModuleInterface['types'][number] | null {
  const entry = scope.types.get(name);
  if (entry === undefined) return null;
  const printer = new TypePrinter(style);
  const [variant] = entry.k === 'constructor' ? entry.constructor.variants : [];
  const parameters = entry.k === 'alias' ? entry.parameters : (variant?.parameters ?? []);
  const params = parameters.map((parameter) => printer.print(parameter));
  const base = params.length === 0 ? { name } : { name, params };
  if (entry.k === 'alias') return { ...base, alias: printer.print(entry.type) };
  const ctors = entry.constructor.variants.map((item) =>
    item.fields.length === 0
      ? item.name
      : `${item.name}(${item.fields.map((field) => printer.print(field)).join(', ')})`,
  );
  return { ...base, ctors: ctors.sort() };
}
