import type { File, Name } from '../syntax/ast.js';
import { nearest } from '../syntax/edit-distance.js';
import { synonymOf } from '../types/foreign-names.js';
import type { Reporter } from '../types/report.js';
import { builtinTypes } from '../types/type.js';
import type { Exports, ModuleScope } from './scope.js';

/** Brings imported names into the scope. `load` reports its own errors and then returns null. */
export function bindImports(
  file: File,
  scope: ModuleScope,
  reporter: Reporter,
  load: (path: string, start: number) => Exports | null,
): string[] {
  const modules: string[] = [];
  for (const item of file.imports) {
    const exports = load(item.path, item.pathSpan.start);
    if (exports === null) {
      for (const name of [item.alias, ...(item.items ?? []).map(({ name, alias }) => alias ?? name)])
        if (name !== null) scope.lost.add(name.text);
      continue;
    }
    if (!modules.includes(exports.module)) modules.push(exports.module);
    if (item.alias !== null) scope.aliases.set(item.alias.text, exports);
    // The parser has reported an import that names nothing and made the alias up; its names may be meant as well.
    if (item.items === null && item.alias?.start === item.pathSpan.start)
      for (const [name, value] of exports.values) if (!scope.values.has(name)) scope.values.set(name, value);
    for (const { name, alias } of item.items ?? []) {
      const value = exports.values.get(name.text);
      const type = exports.types.get(name.text);
      if (value === undefined && type === undefined) {
        scope.lost.add((alias ?? name).text);
        if (!exports.lost.has(name.text)) notExported(exports, name, alias ?? name, scope, reporter);
        continue;
      }
      const bound = alias?.text ?? name.text;
      if (value !== undefined) {
        scope.values.set(bound, value);
        scope.imported.add(bound);
      }
      if (type !== undefined) scope.types.set(bound, type);
    }
  }
  return modules;
}

function notExported(
  exports: Exports,
  { text: name, start }: Name,
  bound: Name,
  scope: ModuleScope,
  reporter: Reporter,
): void {
  if (reporter.full) return;
  const near = synonymOf(name, exports.values) ?? nearest(name, [...exports.values.keys(), ...exports.types.keys()]);
  if (near !== null) {
    // The rest of the module may use the right name, or the wrong one as if it were the right one.
    scope.lost.add(near);
    const meant = missingInStd(name, exports.module) === null ? exports.values.get(near) : undefined;
    if (meant !== undefined) scope.values.set(bound.text, meant);
  }
  const elsewhere = reporter.whereDefined(name);
  const names = [...exports.values.keys()].sort();
  const shown = names.length > 14 ? `${names.slice(0, 14).join(', ')}, …` : names.join(', ');
  const hint =
    (builtinTypes.has(name) ? `The type \`${name}\` is built in: use it without importing it.` : null) ??
    missingInStd(name, exports.module) ??
    (near !== null ? `Did you mean \`${near}\`?` : null) ??
    elsewhere ??
    `It exports: ${shown}.`;
  reporter.error('IMP010', start, `symbol \`${name}\` is not exported by ${exports.module}`, hint);
}

/** Functions one would expect in a library module, with how to do without. */
function missingInStd(name: string, module: string): string | null {
  if (module !== 'std/list') return null;
  const instead: Readonly<Record<string, string>> = {
    sum: 'Write foldl(\\acc x. acc + x, 0, xs).',
    product: 'Write foldl(\\acc x. acc * x, 1, xs).',
    fold: 'Write foldl(\\acc x. e, start, xs).',
    reduce: 'Write foldl(\\acc x. e, start, xs).',
    all: 'Write not any(\\x. not p(x), xs).',
    find: 'Write filter(p, xs) and head, or findIndex(p, xs).',
    sort: 'Write sortBy(\\a b. if a < b then -1 else if a > b then 1 else 0, xs).',
    partition: 'Write filter twice.',
    enumerate: 'Write zip(range(0, length(xs)), xs).',
    forEach: 'Write forEachE(\\x. e, xs).',
    append: 'Write xs ++ ys.',
  };
  const hint = Object.hasOwn(instead, name) ? instead[name] : undefined;
  if (hint === undefined) return null;
  const used = [...hint.matchAll(/\b(foldl|any|filter|head|findIndex|sortBy|zip|range|length|forEachE)\b/g)].map(
    ([word]) => word,
  );
  return used.length === 0 ? hint : `${hint.slice(0, -1)}, with import std/list (${[...new Set(used)].join(', ')}).`;
}
